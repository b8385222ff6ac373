/** A search as it is asked of the database. */
export interface SearchWords {
  /** The whole text, its blanks collapsed: the name of the best match. */
  text: string;
  /** What a product must have, all of it, in any order; ten at most. */
  words: readonly string[];
}

// Unspecified: how many words count. Each costs a look at every product where it is short or frequent.
const mostWords = 10;

/** A word within another one is had wherever the other one is. */
function withoutInner(words: readonly string[]): string[] {
  const different = [...new Map(words.map((word) => [word.toLowerCase(), word]))];
  return different
    .filter(([key]) => !different.some(([other]) => other !== key && other.includes(key)))
    .map(([, word]) => word);
}

function searchFor(words: readonly string[]): SearchWords {
  return { text: words.join(' '), words: withoutInner(words).slice(0, mostWords) };
}

/** The words of a text, as its blanks divide it. */
export function wordsOf(text: string): SearchWords {
  return searchFor(text.split(/\s+/).filter((word) => word !== ''));
}

/** The letters and digits of a search without what joins them: `linen-shirt` is two words. */
export function partsOf({ text }: SearchWords): SearchWords {
  return searchFor(text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => part !== ''));
}

/** A search with the words that have others like them replaced by the one of that rank, else by the last there is. */
export function replaced({ words }: SearchWords, alike: readonly string[][], rank: number): SearchWords {
  return searchFor(words.map((word, n) => alike[n]?.[rank] ?? alike[n]?.at(-1) ?? word));
}
