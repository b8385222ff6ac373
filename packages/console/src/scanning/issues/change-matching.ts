import type { IssueBulkResult } from '@store-service/sdk';
import { changed } from '../../api/changed.js';
import { api, ask } from '../../api/service.js';
import { say, sayFailure } from '../../parts/toasts.svelte.js';
import type { AllIssues, IssueChange, IssueFilter } from './issue-values.js';
import { texts } from '../../texts/texts.js';

/** What a change of all issues that match a filter would do. */
export function whatWouldChange(filter: IssueFilter, changes: IssueChange): Promise<IssueBulkResult> {
  return ask(api.issues.bulk({ body: { filter, changes, dryRun: true } }));
}

/** Changes all issues that match, in parts where they are many, and says how many; throws if others match than were shown. */
export async function changeMatching(filter: IssueFilter, changes: IssueChange, expected: number): Promise<void> {
  let done = 0;
  try {
    for (let part: IssueBulkResult | null = null; part === null || (part.remaining > 0 && part.changed > 0);) {
      // What has changed may no longer match: only the first part is what was shown.
      const isFirst: boolean = part === null;
      part = await ask(api.issues.bulk({ body: { filter, changes, ...(isFirst && { expectedCount: expected }) } }));
      done += part.changed;
    }
    say(texts.issues.changed(done));
  } finally {
    await changed('issues');
  }
}

/** The same for issues that were selected all at once: says why, if it does not work. Returns whether everything succeeded. */
export async function changeAll({ filter, count }: AllIssues, changes: IssueChange): Promise<boolean> {
  try {
    await changeMatching(filter, changes, count);
    return true;
  } catch (error) {
    sayFailure(error);
    return false;
  }
}
