import type { ErrorBody, ErrorCode, HTTPValidationError } from './generated/types.gen.js';

/** A problem with one field of a request. */
export interface FieldError {
  /** The field, such as `body.email`. */
  field: string;
  message: string;
  type: string;
}

interface Refusal {
  status: number;
  detail: string;
  code?: ErrorCode | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  fields?: FieldError[];
}

/** A refusal of the service. Tell refusals apart by `code`; a 422 has `fields` instead. */
export class StoreApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** A sentence that says what is wrong and what to do. */
  readonly detail: string;
  /** The `x-request-id` of the response, which is also in the service's log. */
  readonly requestId: string | undefined;
  /** How long to wait before the next attempt, if the service says so. */
  readonly retryAfterSeconds: number | undefined;
  readonly fields: FieldError[];

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.name = 'StoreApiError';
    this.status = refusal.status;
    this.code = refusal.code;
    this.detail = refusal.detail;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.fields = refusal.fields ?? [];
  }
}

/** The seconds of a Retry-After header (RFC 9110, section 10.2.3). The service sends seconds, a proxy may send a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const given = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(given)) return Number(given);
  const until = Date.parse(given);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}

function isBody(error: unknown): error is Partial<ErrorBody> | HTTPValidationError {
  return typeof error === 'object' && error !== null && 'detail' in error;
}

/** The error in a response; ignores a body that is not the service's, such as a proxy's page. */
export function errorOf(error: unknown, response: Response): StoreApiError {
  const body = isBody(error) ? error : {};
  const fields = Array.isArray(body.detail)
    ? body.detail.map(({ loc, msg, type }) => ({ field: loc.join('.'), message: msg, type }))
    : [];
  const inWords = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new StoreApiError({
    status: response.status,
    detail: typeof body.detail === 'string' ? body.detail : inWords || `The service answered ${response.status}`,
    code: 'code' in body ? body.code : undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(response),
    fields,
  });
}
