import type { ErrorKind } from './error-codes.js';

/** The HTTP status of each kind of refusal. No other place knows both. */
export const statusOfKind: Record<ErrorKind, number> = {
  unauthenticated: 401,
  forbidden: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  rule_broken: 400,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  upstream_failed: 502,
  unavailable: 503,
};
