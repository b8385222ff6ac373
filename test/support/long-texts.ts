const blanks = [' ', '\t', '\n', '\r', '\r\n', ' \n', '\u00a0'];
const characters = ['a', 'A', '0', '0a', 'e1', 'é', '\u{FFFD}', '\0', '\u001b['];
const escapes = ['%', '%20', '\\', "'", '"', '&', '&amp'];
const markup = ['<', '>', '</', '<!--', '(', ')', '[', ']', '{', '}', '{{'];
const separators = ['=', '==', '-', '--', '_', ',', ', ', ';', ':', '::', '#', '?', '|'];
const addresses = ['/', '//', '/../', '.', '..', 'a.', '.a', '@', 'a@'];
const signs = ['$', '^', '*', '+', '~', '`', '!'];
const pumps = [...blanks, ...characters, ...escapes, ...markup, ...separators, ...addresses, ...signs];

/** Makes a text of about this many characters. */
export type TextOf = (length: number) => string;

/** Repetitive texts that one expression almost matches; words from the expression lead into its inner parts. */
export function longTextsFor(pattern: string): TextOf[] {
  const words = [...new Set(pattern.match(/[a-z]{2,}/gi) ?? [])].slice(0, 20);
  const pumped = (pump: string, length: number) => pump.repeat(Math.ceil(length / pump.length));
  const repeated = [...pumps, ...words].flatMap((pump): TextOf[] => [
    (length) => pumped(pump, length),
    (length) => `${pumped(pump, length)}\0`,
  ]);
  const begun = words.flatMap((word) =>
    [' ', 'a', '0', '-', '.'].map(
      (pump): TextOf =>
        (length) =>
          `${word}${pumped(pump, length)}\0`,
    ),
  );
  return [...repeated, ...begun];
}
