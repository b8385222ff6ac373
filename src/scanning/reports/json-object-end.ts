const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Leaves longer numbers to the reader that refuses them. */
const longestNumber = 1_000;

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The position of the closing quote of the text that begins at `from`; the length of the bytes where they end before. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === quote) return at;
  }
  return bytes.length;
}

/**
 * Finds the end of the JSON object that begins at `start` only by its brackets: the position after it, `incomplete` where
 * the bytes end before, `unfit` where it is nested deeper than `maxDepth` or holds a number that is too long. Its reader
 * finds out whether the bytes between are JSON.
 */
export function endOfObject(bytes: Buffer, start: number, maxDepth: number): number | 'incomplete' | 'unfit' {
  let depth = 0;
  let bare = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at + 1);
    else if (byte === openObject || byte === openArray) {
      if (++depth > maxDepth) return 'unfit';
    } else if (byte === closeObject || byte === closeArray) {
      if (--depth === 0) return at + 1;
    } else if (byte !== comma && byte !== colon && !isBlank(byte)) {
      if (++bare > longestNumber) return 'unfit';
      continue;
    }
    bare = 0;
  }
  return 'incomplete';
}

/** Omits keys from a value at any depth, and those that would name its prototype. */
export function leaveOut(value: unknown, keys: ReadonlySet<string>): void {
  if (Array.isArray(value)) {
    for (const element of value) leaveOut(element, keys);
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    for (const key of Object.keys(fields)) {
      if (key === '__proto__' || keys.has(key)) delete fields[key];
      else leaveOut(fields[key], keys);
    }
  }
}
