import { absent, type Key, KeyTable, keyWords } from './key-table.js';

const digits = Buffer.from('0123456789abcdef', 'latin1');
const digitsPerWord = 8;
const textLength = 36;
const hyphen = 0x2d;
/** The places in a UUID's text that are followed by a hyphen. */
const beforeHyphens = new Set([8, 12, 16, 20]);

/** UUIDs in the order in which they were added, at 24 to 48 bytes each: for as many as a report has findings. */
export class UuidSet implements Iterable<string> {
  private readonly table = new KeyTable();
  private readonly key: Key = new Uint32Array(keyWords);

  get size(): number {
    return this.table.size;
  }

  /** Adds a UUID in its usual form (RFC 9562, section 4). */
  add(uuid: string): void {
    this.table.add(this.read(uuid));
  }

  has(uuid: string): boolean {
    return this.table.find(this.read(uuid)) !== absent;
  }

  *[Symbol.iterator](): Iterator<string> {
    const text = Buffer.alloc(textLength);
    for (let number = 0; number < this.size; number++) {
      this.write(number, text, 0);
      yield text.toString('latin1');
    }
  }

  /** The first of them, at most so many. */
  first(most: number): string[] {
    const found: string[] = [];
    for (const uuid of this) {
      if (found.length === most) break;
      found.push(uuid);
    }
    return found;
  }

  /** All of them as the text of a PostgreSQL array, without a string for each. */
  toArrayLiteral(): string {
    const text = Buffer.alloc(1 + Math.max(1, this.size * (textLength + 1)), ',');
    text.write('{');
    for (let number = 0; number < this.size; number++) this.write(number, text, 1 + number * (textLength + 1));
    text.write('}', text.length - 1);
    return text.toString('latin1');
  }

  private read(uuid: string): Key {
    let place = 0;
    for (let word = 0; word < keyWords; word++) {
      let value = 0;
      for (let digit = 0; digit < digitsPerWord; digit++) {
        let code = uuid.charCodeAt(place++);
        if (code === hyphen) code = uuid.charCodeAt(place++);
        value = (value << 4) | digitOf(code);
      }
      this.key[word] = value;
    }
    return this.key;
  }

  private write(number: number, text: Buffer, from: number): void {
    const key = this.table.keyOf(number);
    let place = from;
    for (let digit = 0; digit < keyWords * digitsPerWord; digit++) {
      if (beforeHyphens.has(digit)) text[place++] = hyphen;
      const word = key[digit >> 3] ?? 0;
      text[place++] = digits[(word >>> (28 - 4 * (digit & 7))) & 15] ?? 0;
    }
  }
}

/** The value of a hexadecimal digit, by its character's code. */
function digitOf(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}
