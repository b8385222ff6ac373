import type { ImportResult } from '@store-service/sdk';

/** Against what the new issues of a report are told, where that is not the report before it; null if it is. */
export function baselineInWords({ tools, branch }: ImportResult): string | null {
  // An older service does not say.
  const sentences = ((tools as ImportResult['tools'] | undefined) ?? [])
    .filter(({ first }) => first)
    .map(({ tool, comparedWith }) => {
      const what = `the first report of ${tool}${branch === null ? '' : ` on ${branch}`}`;
      if (comparedWith.length === 0) return `none: ${what}, and no other branch has one, so that all of it is new`;
      return `${comparedWith.join(', ')}: ${what}`;
    });
  return sentences.length === 0 ? null : sentences.join('; ');
}
