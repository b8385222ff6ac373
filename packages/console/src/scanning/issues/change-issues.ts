import { changed } from '../../api/changed.js';
import { api, ask } from '../../api/service.js';
import { amidWords } from '../../parts/words.js';
import { say, sayFailure } from '../../parts/toasts.svelte.js';
import { keepPlaces } from './issue-places.js';
import type { IssueChange } from './issue-values.js';
import { texts } from '../../texts/texts.js';

const mostAtOnce = 500;

function wordsOf({ severity, status, comment }: IssueChange): string {
  const words = [
    ...(status ? [amidWords(status)] : []),
    ...(severity
      ? [texts.issues.ofSeverity(amidWords(severity))]
      : severity === null
        ? [texts.issues.ofTheSeverityThatScans]
        : []),
  ];
  return words.length > 0
    ? texts.issues.now(words.join(texts.issues.and))
    : comment
      ? texts.issues.commentedOn
      : texts.issues.justChanged;
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
    keepPlaces(ids, change);
    const same = counts.unchanged > 0 ? texts.issues.alreadyWere(counts.unchanged) : '';
    if (counts.updated + counts.unchanged > 0) say(texts.issues.changedSo(counts.updated, wordsOf(change), same));
    if (counts.not_found > 0) say(texts.issues.couldNotBeFoundAny(counts.not_found), 'failed');
    return counts.not_found === 0;
  } catch (error) {
    sayFailure(error);
    return false;
  } finally {
    await changed('issues');
  }
}
