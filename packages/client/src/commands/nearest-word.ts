/** How many letters must be added, removed, replaced or swapped with a neighbor to turn one word into another. */
function distance(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swap = swapped && i > 1 && j > 1 ? (before?.[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((last?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last?.[j - 1] ?? 0) + cost, swap));
    }
    [before, last] = [last, row];
  }
  return last?.[other.length] ?? 0;
}

/** The word that was probably meant; undefined if none is similar. */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  const longest = Math.max(...words.map((word) => word.length));
  if (given.length > longest * 2) return undefined;
  const begun = words.filter((word) => given.length > 2 && word.startsWith(given));
  if (begun.length === 1) return begun[0];
  const ranked = words.map((word) => ({ word, steps: distance(given, word) })).toSorted((a, b) => a.steps - b.steps);
  const [first] = ranked;
  return first && first.steps <= Math.max(1, Math.floor(first.word.length / 3)) ? first.word : undefined;
}
