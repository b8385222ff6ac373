import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** An unguessable token of so many random bytes, 256 bits unless told otherwise, as URL-safe text. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** The SHA-256 of a text, in hexadecimal. It is for random secrets; for those that people choose, use `Passwords`. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Whether two texts are equal, in constant time. */
export function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8')];
  return first.length === second.length && timingSafeEqual(first, second);
}
