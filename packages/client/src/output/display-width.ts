const ascii = /^[\u0020-\u007e]*$/;
/** Ranges of East Asian Width W and F (UAX #11), and emoji. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.*\ufe0f)/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function characterWidth(character: string): number {
  if (invisible.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The number of terminal cells that a line occupies. */
export function displayWidth(line: string): number {
  if (ascii.test(line)) return line.length;
  let width = 0;
  for (const { segment } of characters.segment(line)) width += characterWidth(segment);
  return width;
}

/** The beginning of a line, at most `width` cells, with `…` if something is omitted. */
export function cutToWidth(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  if (ascii.test(line)) return `${line.slice(0, width - 1)}…`;
  let kept = '';
  let taken = 0;
  for (const { segment } of characters.segment(line)) {
    taken += characterWidth(segment);
    if (taken > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
