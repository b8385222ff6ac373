import type { Quota } from '../../config/quotas.js';
import type { CodeOf, ErrorCode, ErrorKind } from './error-codes.js';

/** A refusal with a sentence for the user and a snake_case code for programs. */
export abstract class Refusal extends Error {
  abstract readonly kind: ErrorKind;

  constructor(
    message: string,
    readonly code: ErrorCode,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** No caller, or invalid credentials. */
export class Unauthenticated extends Refusal {
  readonly kind = 'unauthenticated';
  constructor(
    message = 'Sign in first: send a valid access token as "Authorization: Bearer <token>"',
    code: CodeOf<'unauthenticated'> = 'unauthenticated',
    /** The fault of the sent token, if there was one (RFC 6750, section 3; RFC 9470). */
    readonly challenge: { error?: 'invalid_token' | 'insufficient_user_authentication'; maxAgeSeconds?: number } = {},
  ) {
    super(message, code);
  }
}

/** The caller is known and may not do this. */
export class Forbidden extends Refusal {
  readonly kind = 'forbidden';
  constructor(message: string, code: CodeOf<'forbidden'> = 'forbidden') {
    super(message, code);
  }
}

function quotaSentence({ name, limit, counts, remedy }: Quota): string {
  return (
    `The limit of ${limit} ${counts} is reached: ${remedy}. The operator of the service can change it ` +
    `(QUOTAS, ${name})`
  );
}

/** The caller has reached a limit of stored things, and can delete some. For a rate see `RateExceeded`. */
export class QuotaExceeded extends Refusal {
  readonly kind = 'quota_exceeded';
  constructor(
    readonly quota: Quota,
    code: CodeOf<'quota_exceeded'> = 'quota_exceeded',
  ) {
    super(quotaSentence(quota), code);
  }
}

/** The thing named does not exist, or not for this caller. */
export class NotFound extends Refusal {
  readonly kind = 'not_found';
  constructor(message: string, code: CodeOf<'not_found'> = 'not_found') {
    super(message, code);
  }
}

/**
 * The path exists but does not support this method; `allowed` becomes the `Allow` header (RFC 9110, section 15.5.6).
 */
export class MethodNotAllowed extends Refusal {
  readonly kind = 'method_not_allowed';
  constructor(
    message: string,
    readonly allowed: readonly string[],
    code: CodeOf<'method_not_allowed'> = 'method_not_allowed',
  ) {
    super(message, code);
  }
}

/** The request did not arrive completely within the time limit of the operation. */
export class RequestTimeout extends Refusal {
  readonly kind = 'request_timeout';
  constructor(message: string, code: CodeOf<'request_timeout'> = 'request_timeout') {
    super(message, code);
  }
}

/** The request conflicts with stored data: a duplicate, too little stock, an impossible transition. */
export class Conflict extends Refusal {
  readonly kind = 'conflict';
  constructor(message: string, code: CodeOf<'conflict'> = 'conflict') {
    super(message, code);
  }
}

/** Somebody else changed the resource since the caller read it. */
export class ChangedMeanwhile extends Refusal {
  readonly kind = 'precondition_failed';
  constructor(
    message = 'It was changed since you read it: read it again, and send your change with the new ETag',
    code: CodeOf<'precondition_failed'> = 'changed_meanwhile',
  ) {
    super(message, code);
  }
}

/** Well-formed, but against a rule of the shop: an empty cart, an unusable coupon. */
export class RuleBroken extends Refusal {
  readonly kind = 'rule_broken';
  constructor(message: string, code: CodeOf<'rule_broken'> = 'rule_broken') {
    super(message, code);
  }
}

/** The body is larger than this operation accepts. */
export class PayloadTooLarge extends Refusal {
  readonly kind = 'payload_too_large';
  constructor(message: string, code: CodeOf<'payload_too_large'> = 'payload_too_large') {
    super(message, code);
  }
}

/** The body is of a type that this operation does not accept. */
export class UnsupportedMediaType extends Refusal {
  readonly kind = 'unsupported_media_type';
  constructor(message: string, code: CodeOf<'unsupported_media_type'> = 'unsupported_media_type') {
    super(message, code);
  }
}

/** Too many attempts; `retryAfterSeconds` becomes the `Retry-After` header. */
export class TooManyRequests extends Refusal {
  readonly kind = 'too_many_requests';
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    code: CodeOf<'too_many_requests'> = 'too_many_requests',
  ) {
    super(message, code);
  }
}

/** The caller has reached a limit of acts in a time or of work at once: a 429 that names the quota. */
export class RateExceeded extends TooManyRequests {
  constructor(
    readonly quota: Quota,
    retryAfterSeconds: number,
    code: CodeOf<'too_many_requests'> = 'rate_exceeded',
  ) {
    super(quotaSentence(quota), retryAfterSeconds, code);
  }
}

/** Another server did not deliver. */
export class UpstreamFailed extends Refusal {
  readonly kind = 'upstream_failed';
  constructor(message: string, code: CodeOf<'upstream_failed'> = 'upstream_failed') {
    super(message, code);
  }
}

/** The service cannot answer now, but can later; `retryAfterSeconds` becomes the `Retry-After` header. */
export class Unavailable extends Refusal {
  readonly kind = 'unavailable';
  constructor(
    message: string,
    code: CodeOf<'unavailable'> = 'unavailable',
    readonly retryAfterSeconds?: number,
  ) {
    super(message, code);
  }
}

/** Returns `thing`, or throws `NotFound` with the sentence "<name> not found". */
export function found<T>(thing: T | null | undefined, name: string): T {
  if (thing === null || thing === undefined) throw new NotFound(`${name} not found`);
  return thing;
}
