import { isLost, type HistoryEntry, type RequestEntry } from '../history.js';
import { fieldsOf, headerOf, type Fields } from './values.js';

/** A request of the history, taken apart. */
export interface Call {
  entry: RequestEntry;
  n: number;
  /** Its first moment in the history: what ended at an earlier `n` ended before it was sent. */
  from: number;
  method: string;
  /** Without `/api/v1`, the query and a slash at the end: `/orders/17/cancel`. */
  path: string;
  query: URLSearchParams;
  body: Fields;
  /** Undefined where the caller did not learn it. */
  status: number | undefined;
  answer: Fields;
  /** The answer as it came: a list, for example. */
  raw: unknown;
  sentAt: number;
  endedAt: number;
  /** The bearer token or key that was sent. */
  token: string | undefined;
  idempotencyKey: string | undefined;
}

export function callsOf(history: readonly HistoryEntry[]): Call[] {
  return history.filter((entry) => entry.kind === 'request').map(callOf);
}

function callOf(entry: RequestEntry): Call {
  const address = new URL(entry.path, 'http://model.invalid');
  const raw = isLost(entry.answer) ? undefined : entry.answer.body;
  return {
    entry,
    n: entry.n,
    from: entry.sentN - 0.5,
    method: entry.method.toUpperCase(),
    path: address.pathname.replace(/^\/api\/v1(?=\/|$)/, '').replace(/(?<=.)\/$/, ''),
    query: address.searchParams,
    body: fieldsOf(entry.body),
    status: isLost(entry.answer) ? undefined : entry.answer.status,
    answer: fieldsOf(raw),
    raw,
    sentAt: Date.parse(entry.sentAt),
    endedAt: Date.parse(entry.at),
    token:
      /^(?:Bearer|Key) (.+)$/i.exec(headerOf(entry.headers, 'authorization') ?? '')?.[1] ??
      headerOf(entry.headers, 'x-api-key'),
    idempotencyKey: headerOf(entry.headers, 'idempotency-key'),
  };
}

/** The parts of a call's path that `*` stands for, or undefined where the call is another one. */
export function match(call: Call, method: string, pattern: string): string[] | undefined {
  if (call.method !== method) return undefined;
  const parts = call.path.split('/');
  const wanted = pattern.split('/');
  if (parts.length !== wanted.length || !wanted.every((part, i) => part === '*' || part === parts[i])) return undefined;
  return parts.filter((_, i) => wanted[i] === '*').map(decodeURIComponent);
}

export function isDone(call: Call): boolean {
  return call.status !== undefined && call.status >= 200 && call.status < 300;
}

/**
 * Whether a call may have taken effect though it was not answered with success: its answer was lost, or said that
 * something broke on the way.
 */
export function isUncertain(call: Call): boolean {
  return call.status === undefined || call.status >= 500;
}

/** Whether a call was answered with what its caller did wrong, and so took no effect. */
export function isRefused(call: Call): boolean {
  return call.status !== undefined && call.status >= 400 && call.status < 500;
}

/** Whether the one had ended before the other was sent. */
export function precedes(first: Call, second: Call): boolean {
  return first.n < second.from;
}

/** Whether a call repeats an earlier one with its Idempotency-Key, so that its answer may be the earlier one's. */
export function repeats(call: Call, earlier: Call): boolean {
  return (
    call.idempotencyKey !== undefined &&
    call.idempotencyKey === earlier.idempotencyKey &&
    call.n !== earlier.n &&
    call.path === earlier.path &&
    call.entry.client === earlier.entry.client
  );
}
