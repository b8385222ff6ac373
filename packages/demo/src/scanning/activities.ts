import type { IssueStatus } from '../../../../src/scanning/vocabulary.js';
import type { DemoIssue } from '../data/scanning/issues/demo-issue.js';
import { daysAfter } from '../time.js';

/** An event in the history of an issue. Without `by`, a scan caused it. */
export interface DemoActivity {
  kind: 'STATUS' | 'COMMENT';
  from: IssueStatus | null;
  to: IssueStatus | null;
  comment: string | null;
  by: string | null;
  createdAt: Date;
}

/** The members of the organization who handle issues. */
const handlers = ['kenji.t', 'priya_nair'] as const;

function move(from: IssueStatus | null, to: IssueStatus, createdAt: Date): DemoActivity {
  return { kind: 'STATUS', from, to, comment: null, by: null, createdAt };
}

/**
 * The activities of an issue that scans found at these moments: its discovery, people's moves some hours later, and, where
 * it was resolved, its reopening by a later scan.
 */
export function activitiesOf(issue: DemoIssue, foundAt: readonly Date[], now: Date): DemoActivity[] {
  const [first, ...later] = foundAt;
  if (!first) throw new Error(`No scan of the demo found "${issue.name}"`);
  const { status, note = null } = issue;
  const by = handlers[issue.name.length % handlers.length] ?? null;
  const handled = (moment: Date): Date => {
    const hours = 3 + (issue.name.length % 20);
    return new Date(Math.min(daysAfter(moment, hours / 24).getTime(), now.getTime()));
  };
  const discovered = move(null, 'OPEN', first);
  if (status === 'OPEN') {
    const comment = { kind: 'COMMENT', from: null, to: null, comment: note, by, createdAt: handled(first) } as const;
    return note === null ? [discovered] : [discovered, comment];
  }
  const settled = { ...move('OPEN', status, handled(first)), comment: note, by };
  if (status !== 'RESOLVED') return [discovered, settled];
  const again = later.flatMap((moment) => [
    move('RESOLVED', 'OPEN', moment),
    { ...move('OPEN', 'RESOLVED', handled(moment)), comment: 'Once more, and this time with a test.', by },
  ]);
  return [discovered, settled, ...again];
}
