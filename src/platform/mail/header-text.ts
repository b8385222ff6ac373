/** Line breaks, other controls, and characters that turn the direction of all text after them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu;
const halfACharacter = /[\uD800-\uDBFF]$/;

/** A text on one line, without anything that a header or a mail program could take for more than text, cut where it is longer. */
export function onOneLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(halfACharacter, '')}…`;
}

/** A dot between letters, a scheme, an address: mail programs make links of these. Dots of other scripts count. */
const linking = /([.:@/\\。．｡․])(?=\S)/g;

/**
 * The salutation. Someone who registers with a stranger's address chooses the name in the greeting, so the name is made
 * harmless.
 */
export function greeting(username: string): string {
  return `Hello ${inertText(username, 50)},`;
}

/** A text that strangers chose, made fit for a mail: one line, bounded, and nothing that becomes a link. */
export function inertText(text: string, maxLength: number): string {
  return onOneLine(text, maxLength).replace(linking, '$1 ');
}
