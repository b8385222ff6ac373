/** A search as the database takes it. */
export interface SearchWords {
  /** The whole text, with single blanks: the name of the best match. */
  text: string;
  /** The words that a product must have, in any order; at most ten. */
  words: readonly string[];
}

// Unspecified: how many words count. A short or frequent one costs a scan of all products.
export const mostWords = 10;

/** Drops words that are part of another one: a product with the longer one has them too. */
function withoutInner(words: readonly string[]): string[] {
  const different = [...new Map(words.map((word) => [word.toLowerCase(), word]))];
  return different
    .filter(([key]) => !different.some(([other]) => other !== key && other.includes(key)))
    .map(([, word]) => word);
}

function searchFor(words: readonly string[]): SearchWords {
  return { text: words.join(' '), words: withoutInner(words).slice(0, mostWords) };
}

/** The words of a text, split at blanks. */
export function wordsOf(text: string): SearchWords {
  return searchFor(text.split(/\s+/).filter((word) => word !== ''));
}

/** The words of a search, split at everything but letters and digits: `linen-shirt` is two words. */
export function partsOf({ text }: SearchWords): SearchWords {
  return searchFor(text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => part !== ''));
}

/** A search with each word replaced by its similar word of this rank, or by the last similar one, if there is any. */
export function replaced({ words }: SearchWords, alike: readonly string[][], rank: number): SearchWords {
  return searchFor(words.map((word, n) => alike[n]?.[rank] ?? alike[n]?.at(-1) ?? word));
}
