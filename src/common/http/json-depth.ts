const quote = 0x22;
const backslash = 0x5c;

/** The deepest nesting that is taken: what walks a value step by step would run out of stack. */
export const maxJsonDepth = 64;

/** Whether the arrays and objects of a JSON text lie within one another deeper than `maxJsonDepth`. */
export function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (quoted) {
      if (byte === backslash) index++;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
