import { changed } from '../../api/changed.js';
import { api, ask } from '../../api/service.js';
import { counted } from '../../parts/format.js';
import { asWords } from '../../parts/words.js';
import { say, sayFailure } from '../../parts/toasts.svelte.js';
import type { IssueChange } from './issue-values.js';

const mostAtOnce = 500;

function wordsOf({ severity, status, comment }: IssueChange): string {
  const words = [
    ...(status ? [asWords(status).toLowerCase()] : []),
    ...(severity
      ? [`of severity ${severity.toLowerCase()}`]
      : severity === null
        ? ['of the severity that scans say']
        : []),
  ];
  return words.length > 0 ? `now ${words.join(' and ')}` : comment ? 'commented on' : 'changed';
}

/** Changes issues, reports the outcome, and refetches everything that shows them. Returns whether everything succeeded. */
export async function changeIssues(ids: readonly string[], change: IssueChange): Promise<boolean> {
  if (ids.length === 0) return true;
  const counts = { updated: 0, unchanged: 0, not_found: 0 };
  try {
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      const body = { ...change, ids: ids.slice(at, at + mostAtOnce) };
      const { results } = await ask(api.issues.updateMany({ body }));
      for (const { status } of results) counts[status]++;
    }
    const same = counts.unchanged > 0 ? `; ${counts.unchanged} already were` : '';
    if (counts.updated + counts.unchanged > 0) say(`${counted(counts.updated, 'issue')} ${wordsOf(change)}${same}`);
    if (counts.not_found > 0) say(`${counted(counts.not_found, 'issue')} could not be found any more`, 'failed');
    return counts.not_found === 0;
  } catch (error) {
    sayFailure(error);
    return false;
  } finally {
    await changed('issues');
  }
}
