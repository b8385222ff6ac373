/** The characters of windows-1252 in place of the C1 controls, from 0x80 on (Encoding Standard, index windows-1252). */
const inPlaceOfControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** The character of a code in windows-1252. */
function windows1252Character(code: number): string {
  return inPlaceOfControls[code - 0x80] ?? String.fromCharCode(code);
}

/** Decodes windows-1252, which the Web means by Latin-1 too. Node's own decoder reads 0x80 to 0x9F as controls. */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u009F]/g, (control) => windows1252Character(control.charCodeAt(0)));
}
