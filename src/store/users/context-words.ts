/** The words of the product and of its staff. `docs/security.md` lists them. */
export const productWords = ['store', 'service', 'shop', 'admin', 'administrator', 'root'] as const;

/** Shorter words are parts of many good passwords. */
const shortestWord = 3;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/\P{L}/gu, '');

/** Whether a text is one or several of the words, one after the other. Takes its length times the words. */
function isMadeOf(words: ReadonlySet<string>, text: string): boolean {
  const reached = new Set([0]);
  for (let at = 0; at < text.length; at += 1) {
    if (!reached.has(at)) continue;
    for (const word of words) if (text.startsWith(word, at)) reached.add(at + word.length);
  }
  return reached.has(text.length);
}

/** Whether the letters of a password are nothing but words of its context: `Grace-2026!` of the user grace. */
export function isOfContext(password: string, context: readonly string[]): boolean {
  const letters = lettersOf(password);
  const words = [...productWords, ...context].map(lettersOf).filter((word) => word.length >= shortestWord);
  return letters !== '' && isMadeOf(new Set(words), letters);
}
