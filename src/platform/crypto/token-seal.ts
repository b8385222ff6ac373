import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', 'sealed under a token', keyBytes));
}

/** A text, sealed so that only a random token opens it (AES-256-GCM, key by HKDF-SHA-256, RFC 5869). */
export function sealUnder(text: string, token: string): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv('aes-256-gcm', keyOf(token), nonce);
  const sealed = [sealing.update(text, 'utf8'), sealing.final()];
  return Buffer.concat([nonce, sealing.getAuthTag(), ...sealed]).toString('base64url');
}

/** Opens the result of `sealUnder`; throws for another token. */
export function openUnder(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes, nonceBytes + tagBytes)];
  const opening = createDecipheriv('aes-256-gcm', keyOf(token), nonce, { authTagLength: tagBytes }).setAuthTag(tag);
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
}
