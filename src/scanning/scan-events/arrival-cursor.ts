import { Invalid } from '../../common/errors/invalid.js';
import { isUuid } from '../../common/validation/check-value.js';

/** How far a client has followed the events of an organization, in the order of their arrival. */
export interface ArrivalPosition {
  /** The database snapshot whose events have all been delivered. */
  seen: string;
  /** The snapshot whose events are being delivered; null between two of them. */
  until: string | null;
  /** Transaction and id of the last event delivered; between two snapshots, a position before all that may follow. */
  arrived: string;
  id: string;
}

const separator = '_';
const snapshotPattern = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;
const largest = 2n ** 63n - 1n;
/** As long as the snapshots of many transactions make it. */
export const longestCursor = 8_000;
const nilId = '00000000-0000-0000-0000-000000000000';

/** Whether PostgreSQL accepts the text as a snapshot: the transactions under way lie in order between its bounds. */
function isSnapshot(text: string): boolean {
  const [, min = '', max = '', list = ''] = snapshotPattern.exec(text) ?? [];
  if (min === '') return false;
  const [from, to] = [BigInt(min), BigInt(max)];
  let last = from - 1n;
  for (const entry of list === '' ? [] : list.split(',')) {
    const transaction = BigInt(entry);
    if (transaction <= last || transaction >= to) return false;
    last = transaction;
  }
  return from > 0n && from <= to && to <= largest;
}

function isTransaction(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= largest;
}

/** Whether a snapshot contains what a transaction wrote, as `pg_visible_in_snapshot`. */
export function isVisible(transaction: string, snapshot: string): boolean {
  const [min = '', max = '', running = ''] = snapshot.split(':');
  const id = BigInt(transaction);
  if (id < BigInt(min)) return true;
  return id < BigInt(max) && !running.split(',').includes(transaction);
}

/** Whether a snapshot contains all that another one of the same database does. */
export function includesSnapshot(one: string, other: string): boolean {
  const [, max = '', running = ''] = one.split(':');
  const [, otherMax = '', otherRunning = ''] = other.split(':');
  if (max !== otherMax) return BigInt(max) > BigInt(otherMax);
  return running.length <= otherRunning.length;
}

/** The position after everything in a snapshot: transactions below its lower bound are all in it. */
export function afterSnapshot(seen: string): ArrivalPosition {
  return { seen, until: null, arrived: seen.slice(0, seen.indexOf(':')), id: nilId };
}

/** Encodes a position as a cursor. */
export function encodeArrival({ seen, until, arrived, id }: ArrivalPosition): string {
  const parts = until === null ? [seen] : [seen, until, arrived, id];
  return Buffer.from(parts.join(separator)).toString('base64url');
}

type Place = [string, string];
const afterOfQuery: Place = ['query', 'after'];

/** The refusal of a cursor; `why` says what to do. */
export function brokenArrival(
  why = 'Input should be the nextCursor of an earlier answer',
  place: Place = afterOfQuery,
): Invalid {
  return Invalid.at(place, 'value_error', why);
}

/** Decodes a cursor; throws `Invalid` at `place` for a broken one. */
export function decodeArrival(cursor: string, place: Place = afterOfQuery): ArrivalPosition {
  const [seen = '', until, arrived = '', id = '', ...rest] = Buffer.from(cursor, 'base64url')
    .toString('latin1')
    .split(separator);
  if (cursor.length > longestCursor || !isSnapshot(seen) || rest.length > 0) throw brokenArrival(undefined, place);
  if (until === undefined) return afterSnapshot(seen);
  if (!isSnapshot(until) || !isTransaction(arrived) || !isUuid(id)) throw brokenArrival(undefined, place);
  return { seen, until, arrived, id };
}
