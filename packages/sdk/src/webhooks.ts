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

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : namedOf(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing`);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const off = Math.abs(Date.now() / 1_000 - seconds);
  if (!(off <= toleranceSeconds)) throw new WebhookVerificationError('The webhook is too old, or from the future');
}

/**
 * Returns the payload of a webhook if one of its signatures was made with the secret (Standard Webhooks 1.0.0),
 * else throws a `WebhookVerificationError`. `body` is the raw body, before parsing. WebCrypto compares the MACs in
 * constant time.
 */
export async function verifyWebhook<Payload = Record<string, unknown>>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<Payload> {
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const raw = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const start = new TextEncoder().encode(`${headerOf(headers, 'webhook-id')}.${timestamp}.`);
  const signed = new Uint8Array(start.length + raw.length);
  signed.set(start);
  signed.set(raw, start.length);
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (secretBytes.length === 0) throw new WebhookVerificationError('The secret is none: it begins with whsec_');
  const key = await crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, 16);
  const checks = signatures
    .filter((one) => one.startsWith('v1,'))
    .map((one) => crypto.subtle.verify('HMAC', key, bytesOf(one.slice(3)), signed));
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookVerificationError('No signature is by this secret');
  checkTime(timestamp, toleranceSeconds);
  return JSON.parse(text) as Payload;
}
