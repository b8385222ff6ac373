/** Line breaks, other controls, and what turns the direction of all text after it. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu;
const halfACharacter = /[\uD800-\uDBFF]$/;

/** A text on one line, without what a header or a mail program could take for more than text, cut where it is longer. */
export function onOneLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(halfACharacter, '')}…`;
}

/** A dot between letters, a scheme, an address: what mail programs make a link of. Dots of other scripts count. */
const linking = /([.:@/\\。．｡․])(?=\S)/g;

/** How a mail begins. Whoever registers with a stranger's address chooses the name that the stranger is greeted by. */
export function greeting(username: string): string {
  return `Hello ${inertText(username, 50)},`;
}

/** A text that strangers chose, as a mail may show it: one line, bounded, and nothing that becomes a link. */
export function inertText(text: string, maxLength: number): string {
  return onOneLine(text, maxLength).replace(linking, '$1 ');
}
