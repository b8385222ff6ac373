import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers that sign a webhook, by lower-case name. */
export type SignedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const secretForm = /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/;
const leastBytes = 16;

/** The key in a secret, which is whsec_ and base64; null for anything else. */
export function keyOf(secret: string): Buffer | null {
  if (!secretForm.test(secret)) return null;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return key.length < leastBytes ? null : key;
}

function isSignedBy(key: Buffer, content: Buffer, signatures: string): boolean {
  const expected = createHmac('sha256', key).update(content).digest();
  return signatures.split(' ').some((signature) => {
    if (!signature.startsWith('v1,')) return false;
    const given = Buffer.from(signature.slice('v1,'.length), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Why a webhook was not signed with the secret; null if it was (Standard Webhooks 1.0.0). */
export function signatureFault(
  body: Buffer,
  headers: SignedHeaders,
  key: Buffer,
  { nowMs = Date.now(), toleranceSeconds = 300 } = {},
): string | null {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(' ') : value;
  });
  if (!id || !timestamp || !signatures) {
    const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !headers[name]);
    return `it is not signed: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  }
  if (!/^\d{1,12}$/.test(timestamp)) return 'webhook-timestamp is no number of seconds';
  if (!isSignedBy(key, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]), signatures)) {
    return 'the signature is not by this secret, or the body was changed';
  }
  const seconds = Math.round(nowMs / 1_000 - Number(timestamp));
  if (Math.abs(seconds) <= toleranceSeconds) return null;
  return `it was signed ${Math.abs(seconds)} s ${seconds < 0 ? 'ahead of now' : 'ago'}, and ${toleranceSeconds} s are taken`;
}
