import { issueSeverities, type IssueSeverity, type WorkflowTriggerType } from '../vocabulary.js';

import type { NoticeRoot } from './notice.js';

type Words = [one: string, many: string];

const words: Partial<Record<WorkflowTriggerType, Words>> = {
  NEW_ISSUE: ['new issue', 'new issues'],
  ISSUE_UPDATED: ['issue changed', 'issues changed'],
  ASSET_FOUND: ['new asset', 'new assets'],
  ASSET_UPDATED: ['asset changed', 'assets changed'],
  SCAN_STARTED: ['scan started', 'scans started'],
  SCAN_COMPLETED: ['scan completed', 'scans completed'],
  SCAN_FAILED: ['scan failed', 'scans failed'],
  INTEGRATION_FAILED: ['integration failed', 'integrations failed'],
  LOCATION_DOWN: ['location is down', 'locations are down'],
};

/** What a run by hand or by schedule is about. */
const wordsOf: Record<NoticeRoot, Words> = {
  issues: ['issue', 'issues'],
  assets: ['asset', 'assets'],
  scans: ['scan', 'scans'],
  integrations: ['integration', 'integrations'],
  locations: ['location', 'locations'],
};

/** `2 critical, 1 high`; empty where there are none. */
export function countsText(issues: Record<IssueSeverity, number>): string {
  const some = issueSeverities.filter((severity) => issues[severity] > 0);
  return some.map((severity) => `${issues[severity]} ${severity.toLowerCase()}`).join(', ');
}

/** What happened, in a line: `3 new issues: 1 critical, 2 high`. */
export function titleOf(
  trigger: WorkflowTriggerType,
  root: NoticeRoot,
  total: number,
  issues: Record<IssueSeverity, number>,
): string {
  const [one, many] = words[trigger] ?? wordsOf[root];
  const counts = countsText(issues);
  const found = counts !== '' && root === 'scans' ? `issues: ${counts}` : counts;
  return `${total} ${total === 1 ? one : many}${found === '' ? '' : `: ${found}`}`;
}
