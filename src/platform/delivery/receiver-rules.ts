import { Invalid } from '../errors/invalid.js';
import { connectionHeaders } from '../net/axios-exchange.js';
import { type ReceiverHeader, secretBytes } from './signing-secrets.js';

type Loc = (string | number)[];

interface Sendable {
  headers: ReceiverHeader[];
  secret: string | null;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Properties of every JavaScript object, which break or endanger receivers that read headers into objects. */
const ofEveryObject = new Set(
  ['prototype', ...Object.getOwnPropertyNames(Object.prototype)].map((name) => name.toLowerCase()),
);

function refuse(loc: Loc, msg: string): never {
  throw Invalid.at(loc, 'value_error', msg);
}

function assertHeader({ name, value }: ReceiverHeader, loc: Loc, signed: boolean): void {
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
function assertHeaders(headers: ReceiverHeader[], loc: Loc, signed: boolean): void {
  const seen = new Set<string>();
  for (const [index, header] of headers.entries()) {
    assertHeader(header, [...loc, index], signed);
    const key = header.name.toLowerCase();
    if (seen.has(key)) refuse([...loc, index, 'name'], `${key} appears twice: send each header once`);
    seen.add(key);
  }
}

/** Throws `Invalid` unless the parameters can be sent as they are; masks are replaced before. */
export function assertParameters({ headers, secret }: Sendable, loc: Loc): void {
  if (secret && !secretBytes(secret)) {
    refuse([...loc, 'secret'], 'Input should be whsec_ followed by the base64 of 24 to 64 random bytes');
  }
  assertHeaders(headers, [...loc, 'headers'], Boolean(secret));
}
