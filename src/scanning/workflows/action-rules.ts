import { Invalid } from '../../platform/errors/invalid.js';
import { connectionHeaders } from '../../platform/net/axios-exchange.js';
import type { WebhookHeader } from './workflows.dto.js';

type Loc = (string | number)[];

interface Sendable {
  headers: WebhookHeader[];
  secret: string | null;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const secretPattern = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** Properties of every JavaScript object, which break or endanger receivers that read headers into objects. */
const ofEveryObject = new Set(
  ['prototype', ...Object.getOwnPropertyNames(Object.prototype)].map((name) => name.toLowerCase()),
);

function refuse(loc: Loc, msg: string): never {
  throw Invalid.at(loc, 'value_error', msg);
}

function assertHeader({ name, value }: WebhookHeader, loc: Loc, signed: boolean): void {
  const key = name.toLowerCase();
  if (!token.test(name)) {
    refuse([...loc, 'name'], 'Input should be the name of an HTTP header: letters, digits and hyphens');
  }
  if (connectionHeaders.has(key) || key.startsWith('proxy-')) {
    refuse([...loc, 'name'], `${key} is set by the connection itself: remove it`);
  }
  if (ofEveryObject.has(key)) {
    refuse([...loc, 'name'], `${key} is a reserved name: rename the header`);
  }
  if (signed && key.startsWith('webhook-')) {
    refuse(
      [...loc, 'name'],
      'The webhook-* headers carry the signature, since the action has a secret: rename the header',
    );
  }
  if (!fieldValue.test(value)) {
    refuse([...loc, 'value'], 'Input should be Latin-1 text without line breaks and control characters');
  }
}

/** Throws `Invalid` unless the headers can be sent exactly as they are (RFC 9110, section 5). */
function assertHeaders(headers: WebhookHeader[], loc: Loc, signed: boolean): void {
  const seen = new Set<string>();
  for (const [index, header] of headers.entries()) {
    assertHeader(header, [...loc, index], signed);
    const key = header.name.toLowerCase();
    if (seen.has(key)) refuse([...loc, index, 'name'], `${key} appears twice: send each header once`);
    seen.add(key);
  }
}

/** The bytes of a signing secret (Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes); null where malformed. */
export function secretBytes(secret: string): Buffer | null {
  const encoded = secretPattern.exec(secret)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  const exact = bytes.toString('base64').replace(/={1,2}$/, '') === encoded.replace(/={1,2}$/, '');
  return exact && bytes.length >= 24 && bytes.length <= 64 ? bytes : null;
}

/** Throws `Invalid` unless the parameters can be sent as they are; masks are replaced before. */
export function assertParameters({ headers, secret }: Sendable, loc: Loc): void {
  if (secret && !secretBytes(secret)) {
    refuse([...loc, 'secret'], 'Input should be whsec_ followed by the base64 of 24 to 64 random bytes');
  }
  assertHeaders(headers, [...loc, 'headers'], Boolean(secret));
}
