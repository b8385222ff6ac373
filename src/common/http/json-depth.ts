const quote = 0x22;
const backslash = 0x5c;

/** The deepest nesting that is taken: what walks a value step by step would run out of stack. */
export const maxJsonDepth = 64;

/** The most values in one body or element: to parse as many takes a few milliseconds, and nobody else is served then. */
const maxJsonValues = 50_000;

/** What of a JSON text is out of bounds, as the end of a sentence, with what to do about it; null where nothing is. */
export function structureFault(json: Buffer, advice = ': send several'): string | null {
  const structure = structureOf(json);
  if (structure === 'sound') return null;
  return structure === 'deep'
    ? `is nested deeper than ${maxJsonDepth} levels`
    : `holds more than ${maxJsonValues} values${advice}`;
}

function structureOf(json: Buffer): 'sound' | 'deep' | 'full' {
  let depth = 0;
  let values = 1;
  let quoted = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (quoted) {
      if (byte === backslash) index++;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) return 'deep';
      values++;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x2c) values++;
  }
  return values > maxJsonValues ? 'full' : 'sound';
}
