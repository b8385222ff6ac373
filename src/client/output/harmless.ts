const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const unsafeInJson = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Text from elsewhere as one line that does nothing to a terminal: escape sequences are shown instead of obeyed, and
 * nothing can turn the reading direction around.
 */
export function harmlessLine(text: string): string {
  return text.replace(/\r?\n|\t/g, ' ').replace(unsafe, escaped);
}

/** The same for text of several lines, which it keeps. */
export function harmlessText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(unsafe, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));
}

/** The same for JSON, whose value stays what it was: JSON.stringify lets the upper control characters through. */
export function harmlessJson(json: string): string {
  return json.replace(unsafeInJson, escaped);
}
