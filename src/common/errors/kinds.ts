/** The kinds of refusal that services throw. Which HTTP status each becomes stands in one table: `status-table.ts`. */
export type ErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'rule_broken'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'upstream_failed'
  | 'unavailable';

/** A refusal with a sentence for the user and a snake_case code for programs. */
export abstract class Refusal extends Error {
  abstract readonly kind: ErrorKind;

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** No caller, or one whose proof does not hold. */
export class Unauthenticated extends Refusal {
  readonly kind = 'unauthenticated';
  constructor(
    message = 'Sign in first: send a valid access token as "Authorization: Bearer <token>"',
    code = 'unauthenticated',
  ) {
    super(message, code);
  }
}

/** The caller is known and may not do this. */
export class Forbidden extends Refusal {
  readonly kind = 'forbidden';
  constructor(message: string, code = 'forbidden') {
    super(message, code);
  }
}

/** The thing named does not exist, or not for this caller. */
export class NotFound extends Refusal {
  readonly kind = 'not_found';
  constructor(message: string, code = 'not_found') {
    super(message, code);
  }
}

/** The thing named is there and does not take this method; `allowed` become the `Allow` header (RFC 9110, section 15.5.6). */
export class MethodNotAllowed extends Refusal {
  readonly kind = 'method_not_allowed';
  constructor(
    message: string,
    readonly allowed: readonly string[],
    code = 'method_not_allowed',
  ) {
    super(message, code);
  }
}

/** The request clashes with what is stored: a duplicate, too little stock, an impossible transition. */
export class Conflict extends Refusal {
  readonly kind = 'conflict';
  constructor(message: string, code = 'conflict') {
    super(message, code);
  }
}

/** Well-formed, but against a rule of the shop: an empty cart, an unusable coupon. */
export class RuleBroken extends Refusal {
  readonly kind = 'rule_broken';
  constructor(message: string, code = 'rule_broken') {
    super(message, code);
  }
}

/** The body is larger than this operation takes. */
export class PayloadTooLarge extends Refusal {
  readonly kind = 'payload_too_large';
  constructor(message: string, code = 'payload_too_large') {
    super(message, code);
  }
}

/** The body is of a type that this operation does not take. */
export class UnsupportedMediaType extends Refusal {
  readonly kind = 'unsupported_media_type';
  constructor(message: string, code = 'unsupported_media_type') {
    super(message, code);
  }
}

/** Too many attempts; `retryAfterSeconds` becomes the `Retry-After` header. */
export class TooManyRequests extends Refusal {
  readonly kind = 'too_many_requests';
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    code = 'too_many_requests',
  ) {
    super(message, code);
  }
}

/** Something elsewhere on the network could not be had. */
export class UpstreamFailed extends Refusal {
  readonly kind = 'upstream_failed';
  constructor(message: string, code = 'upstream_failed') {
    super(message, code);
  }
}

/** The service cannot answer now and will be able to later; the database is away, say. */
export class Unavailable extends Refusal {
  readonly kind = 'unavailable';
  constructor(message: string, code = 'unavailable') {
    super(message, code);
  }
}

/** Returns `thing`, or throws `NotFound` with the sentence "<name> not found". */
export function found<T>(thing: T | null | undefined, name: string): T {
  if (thing === null || thing === undefined) throw new NotFound(`${name} not found`);
  return thing;
}
