import { randomBytes, randomFillSync } from 'node:crypto';

const tailDigits = 16;
const counterBits = 12;
const tailCountBits = 14;

/** A reserve of random digits, since drawing a few at a time costs more than the rest of an id. */
const pool = Buffer.alloc((1_024 * tailDigits) / 2);
let digits = '';
let drawn = 0;

function drawTail(): string {
  if (drawn === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    drawn = 0;
  }
  drawn += tailDigits;
  return digits.slice(drawn - tailDigits, drawn);
}

let lastMs = 0;
let counter = 0;

/** The next millisecond and count: the ids of a process ascend, also within a millisecond (RFC 9562, method 1). */
function tick(timeMs: number): [ms: number, count: number] {
  if (timeMs > lastMs) {
    lastMs = timeMs;
    counter = randomBytes(2).readUInt16BE() & 0x7ff;
  } else if (++counter >= 1 << counterBits) {
    lastMs++;
    counter = 0;
  }
  return [lastMs, counter];
}

const hexOf = (count: number, length: number): string => count.toString(16).padStart(length, '0');

/** The time that was formatted last: most ids share it with those before. */
let begun = { timeMs: -1, text: '' };

/** The digits of a time, up to those of the count. */
function beginningAt(timeMs: number): string {
  if (timeMs !== begun.timeMs) {
    const time = hexOf(timeMs, 12);
    begun = { timeMs, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return begun.text;
}

/** `tail` is the lower part of a longer count, in bits that are random otherwise. */
function format(timeMs: number, count: number, tail?: number): string {
  const random = drawTail();
  const lower = tail ?? Number.parseInt(random.slice(0, 4), 16) & ((1 << tailCountBits) - 1);
  // The two highest bits of the lower part are the variant's.
  return `${beginningAt(timeMs)}${hexOf(count, 3)}-${(0x8000 | lower).toString(16)}-${random.slice(4)}`;
}

/** A new UUID of version 7 (RFC 9562); these sort by time. */
export function uuidV7(): string {
  return format(...tick(Date.now()));
}

/** A UUID of version 7 of a given time; `count` (0 to 67,108,863) orders those of one millisecond. */
export function uuidV7At(time: Date, count: number): string {
  const fraction = count & ((1 << tailCountBits) - 1);
  return format(time.getTime(), count >>> tailCountBits, fraction);
}

/** The least UUID of a time: UUIDs of version 7 of this time or later are not below it. */
export function leastUuidAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The time of a UUID of version 7, or null for any other UUID. */
export function timeOfUuidV7(uuid: string): Date | null {
  return uuid[14] === '7' ? new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)) : null;
}
