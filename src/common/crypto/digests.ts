import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;

/** A token that nobody can guess, in URL-safe text: 256 random bits. */
export function randomToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/**
 * The SHA-256 of a text, in hexadecimal digits. Enough to keep what is random by itself; what people choose goes
 * through `Passwords`.
 */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Whether two texts are the same, taking the same time wherever they differ. */
export function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8')];
  return first.length === second.length && timingSafeEqual(first, second);
}
