/** A search as the database takes it. */
export interface SearchWords {
  /** The whole text, with single blanks: the name of the best match. */
  text: string;
  /** The words that a product must have, in any order; at most ten. */
  words: readonly string[];
  /** Further words that it must have, which only filter what the first ten find. */
  more: readonly string[];
}

/** How many words choose the plan of a search; each short or frequent one may cost a scan of all products. */
export const mostPlanned = 10;

/** Drops words that are part of another one: a product with the longer one has them too. */
function withoutInner(words: readonly string[]): string[] {
  const different = [...new Map(words.map((word) => [word.toLowerCase(), word]))];
  return different
    .filter(([key]) => !different.some(([other]) => other !== key && other.includes(key)))
    .map(([, word]) => word);
}

function searchFor(given: readonly string[]): SearchWords {
  const words = withoutInner(given);
  return { text: given.join(' '), words: words.slice(0, mostPlanned), more: words.slice(mostPlanned) };
}

/** The words of a text, split at blanks. Accents alone are none: as accents do not count, all products would have them. */
export function wordsOf(text: string): SearchWords {
  return searchFor(text.split(/\s+/).filter((word) => /\P{M}/u.test(word)));
}

/** The words of a search, split at everything but letters and digits: `linen-shirt` is two words. */
export function partsOf({ text }: SearchWords): SearchWords {
  return searchFor(text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => /\P{M}/u.test(part)));
}

/** A search with each word replaced by its similar word of this rank, or by the last similar one, if there is any. */
export function replaced({ words, more }: SearchWords, alike: readonly string[][], rank: number): SearchWords {
  return searchFor([...words.map((word, n) => alike[n]?.[rank] ?? alike[n]?.at(-1) ?? word), ...more]);
}
