import { StoreApiError } from '@store-service/sdk';
import { texts } from '../texts/texts.js';

/** A failure in words for people. */
export interface Problem {
  text: string;
  /** The id of the service's response in its log. */
  requestId?: string;
  status?: number;
  code?: string;
  /** What the address of the page names is not there: to ask again would not help. */
  isNowhere?: boolean;
  /** No answer came: nothing is known of what the service did. */
  isUnanswered?: boolean;
  /** How long to wait before the next attempt, if the service says so. */
  retryAfterSeconds?: number;
  /** The fault of each field sent, by name. */
  fields: Record<string, string>;
}

/** A refusal or failure of a request outside the SDK: for the session itself, and for uploads. */
export class ServiceError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.text);
  }
}

interface Fault {
  loc: (string | number)[];
  msg: string;
}

function fieldsOf(faults: Fault[]): Record<string, string> {
  return Object.fromEntries(faults.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]));
}

function sentenceOf(faults: Fault[]): string {
  const [first] = faults;
  if (!first) return texts.api.theServiceRefusedThis;
  const field = first.loc.slice(1).join('.');
  const rest = faults.length > 1 ? texts.api.andMore(faults.length - 1) : '';
  return `${field ? `${field}: ` : ''}${first.msg}${rest}`;
}

/** The problem described by a response of the service. */
export async function problemOfAnswer(response: Response): Promise<Problem> {
  return problemOfBody(response, await response.json().catch(() => null));
}

/** The same for a response whose body has already been read. */
export function problemOfBody(response: Response, body: unknown): Problem {
  const { detail, code } = (body ?? {}) as { detail?: string | Fault[]; code?: string };
  const requestId = response.headers.get('x-request-id');
  return {
    text: Array.isArray(detail) ? sentenceOf(detail) : (detail ?? texts.api.theServiceAnswered(response.status)),
    status: response.status,
    fields: Array.isArray(detail) ? fieldsOf(detail) : {},
    ...(requestId && { requestId }),
    ...(code && { code }),
  };
}

function problemOfRefusal({ detail, status, code, requestId, retryAfterSeconds, fields }: StoreApiError): Problem {
  const isOfAddress = ({ field, message }: (typeof fields)[number]) =>
    field.startsWith('path.') || message.includes('valid UUID');
  const isNowhere = status === 404 || (status === 422 && fields.length > 0 && fields.every(isOfAddress));
  const faults = fields.map(({ field, message }) => ({ loc: field.split('.'), msg: message }));
  return {
    text: faults.length > 0 ? sentenceOf(faults) : detail,
    status,
    fields: fieldsOf(faults),
    ...(isNowhere && { isNowhere }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(requestId && { requestId }),
    ...(code && { code }),
  };
}

/** The words for an error, whatever threw it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ServiceError) return error.problem;
  if (error instanceof StoreApiError) return problemOfRefusal(error);
  if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) {
    return { text: texts.api.theServiceCannotBeReached, isUnanswered: true, fields: {} };
  }
  return { text: error instanceof Error ? error.message : String(error), fields: {} };
}

/** The problem in one line, with the id that support needs. */
export function lineOf({ text, requestId }: Problem): string {
  return requestId ? texts.api.request(text, requestId) : text;
}

/** What the service would have confirmed, as a sentence; null for any other failure. */
export function askedToConfirm(error: unknown): string | null {
  const { code, text } = problemOf(error);
  return code === 'needs_confirmation' ? text : null;
}
