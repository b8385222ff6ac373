/**
 * The headers of a request, as a Request, a framework or node:http has them: any implementation of Headers, or an object
 * with names in any case.
 */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How far the webhook's clock may be from this one: 300 by default. */
  toleranceSeconds?: number;
}

/** The request was not signed with the secret, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function namedOf(headers: Record<string, string | string[] | undefined>, name: string): string | string[] | undefined {
  return headers[name] ?? headers[Object.keys(headers).find((key) => key.toLowerCase() === name) ?? name];
}

/** A header; an empty text where it is missing or repeated. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : namedOf(headers, name);
  return typeof value === 'string' ? value : '';
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

const leastSecretBytes = 16;

/** The key in a secret, which is `whsec_` and base64; null for anything else. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> | null {
  const key = bytesOf(secret.replace(/^whsec_/, ''));
  return key.length < leastSecretBytes ? null : key;
}

/** Whether a text can be the secret of a webhook. */
export function isWebhookSecret(secret: string): boolean {
  return keyOf(secret) !== null;
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is no number of seconds');
  const seconds = Math.round(Date.now() / 1_000 - Number(timestamp));
  if (Math.abs(seconds) <= toleranceSeconds) return;
  const when = `${Math.abs(seconds)} s ${seconds < 0 ? 'ahead of now' : 'ago'}`;
  throw new WebhookVerificationError(`It was signed ${when}, and ${toleranceSeconds} s are taken`);
}

const signing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Throws a `WebhookVerificationError` unless one of the signatures of a webhook was made with the secret, not long ago (Standard
 * Webhooks 1.0.0). `body` is the raw body. WebCrypto compares the MACs in constant time.
 */
export async function checkWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<void> {
  const missing = signing.filter((name) => !headerOf(headers, name));
  if (missing.length > 0) {
    const names = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
    throw new WebhookVerificationError(`It is not signed: ${names}`);
  }
  const [id, timestamp, signatures] = signing.map((name) => headerOf(headers, name)) as [string, string, string];
  const raw = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + raw.length);
  signed.set(start);
  signed.set(raw, start.length);
  const bytes = keyOf(secret);
  if (!bytes) throw new WebhookVerificationError('The secret is none: it is whsec_ and base64');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const checks = signatures
    .split(' ')
    .slice(0, 16)
    .filter((one) => one.startsWith('v1,'))
    .map((one) => crypto.subtle.verify('HMAC', key, bytesOf(one.slice(3)), signed));
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookVerificationError('The signature is not by this secret, or the body was changed');
  }
  checkTime(timestamp, toleranceSeconds);
}

/** Returns the payload of a webhook that `checkWebhook` accepts. Throws a `SyntaxError` for a body that is no JSON. */
export async function verifyWebhook<Payload = Record<string, unknown>>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options?: VerifyOptions,
): Promise<Payload> {
  await checkWebhook(body, headers, secret, options);
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Payload;
}
