import { daysAfter } from '../time.js';
import type { DemoIssue } from './issues/demo-issue.js';
import type { DemoIssueStatus } from './vocabulary.js';

/** Something that happened to an issue; without `by` it was a scan. */
export interface DemoActivity {
  kind: 'STATUS' | 'COMMENT';
  from: DemoIssueStatus | null;
  to: DemoIssueStatus | null;
  comment: string | null;
  by: string | null;
  createdAt: Date;
}

/** Those of the company who look at issues. */
const lookers = ['kenji.t', 'priya_nair'] as const;

function move(from: DemoIssueStatus | null, to: DemoIssueStatus, createdAt: Date): DemoActivity {
  return { kind: 'STATUS', from, to, comment: null, by: null, createdAt };
}

/**
 * What happened to an issue that scans found at these moments: it was discovered, moved by people some hours later, and
 * came back where a later scan found it again although it was resolved.
 */
export function activitiesOf(issue: DemoIssue, foundAt: readonly Date[], now: Date): DemoActivity[] {
  const [first, ...later] = foundAt;
  if (!first) throw new Error(`No scan of the demo found "${issue.name}"`);
  const { status, note = null } = issue;
  const by = lookers[issue.name.length % lookers.length] ?? null;
  const answered = (moment: Date): Date => {
    const hours = 3 + (issue.name.length % 20);
    return new Date(Math.min(daysAfter(moment, hours / 24).getTime(), now.getTime()));
  };
  const discovered = move(null, 'OPEN', first);
  if (status === 'OPEN') {
    const comment = { kind: 'COMMENT', from: null, to: null, comment: note, by, createdAt: answered(first) } as const;
    return note === null ? [discovered] : [discovered, comment];
  }
  const settled = { ...move('OPEN', status, answered(first)), comment: note, by };
  if (status !== 'RESOLVED') return [discovered, settled];
  const again = later.flatMap((moment) => [
    move('RESOLVED', 'OPEN', moment),
    { ...move('OPEN', 'RESOLVED', answered(moment)), comment: 'Once more, and this time with a test.', by },
  ]);
  return [discovered, settled, ...again];
}
