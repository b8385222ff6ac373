const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const unsafeInJson = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Foreign text as one line that is harmless to a terminal: escape sequences are shown rather than obeyed, and nothing
 * can reverse the reading direction.
 */
export function harmlessLine(text: string): string {
  return text.replace(/\r?\n|\t/g, ' ').replace(unsafe, escaped);
}

/** The same for text of several lines, which are kept. */
export function harmlessText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(unsafe, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));
}

/** The same for JSON, whose value stays the same: JSON.stringify does not escape the upper control characters. */
export function harmlessJson(json: string): string {
  return json.replace(unsafeInJson, escaped);
}
