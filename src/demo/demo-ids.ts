import { createHash } from 'node:crypto';

/** The day on which the demo's rows came into being, by their ids. */
const dayOfIds = Date.parse('2025-01-01T00:00:00Z');

function digitsOf(name: string): string {
  return createHash('sha256').update(`demo ${name}`).digest('hex');
}

function uuidOf(beginning: string, version: number, digits: string): string {
  const variant = (0x8 | (Number.parseInt(digits[0] ?? '0', 16) & 0x3)).toString(16);
  const text = `${beginning}${version}${digits.slice(1, 4)}${variant}${digits.slice(4, 19)}`;
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The id of the row of this name: the same in every database, so that tests can name it. */
export function demoId(name: string): string {
  const digits = digitsOf(name);
  return uuidOf(digits.slice(20, 32), 4, digits);
}

/**
 * The id of the row of this name, likewise, which sorts by the time of the row among others of the demo. It tells how long
 * before the loading of the demo (`now`) the time is, not the time itself.
 */
export function demoIdAt(name: string, moment: Date, now: Date): string {
  const time = dayOfIds - (now.getTime() - moment.getTime());
  return uuidOf(time.toString(16).padStart(12, '0'), 7, digitsOf(name));
}
