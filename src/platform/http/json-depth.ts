const quote = 0x22;
const backslash = 0x5c;

/** The deepest accepted nesting: recursive code would run out of stack beyond. */
export const maxJsonDepth = 64;

/** The most values in one body or element: parsing so many blocks the event loop for a few milliseconds. */
const maxJsonValues = 50_000;

/** The bound that a JSON text exceeds, as the end of a sentence with advice; null for none. */
export function structureFault(json: Buffer, advice = ': send several requests'): string | null {
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
