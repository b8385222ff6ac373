import { Invalid } from '../../common/errors/invalid.js';
import { isUuid } from '../../common/validation/check-value.js';

/** How far the events of an organization have been told, in the order of their arrival. */
export interface ArrivalPosition {
  /** The snapshot of the database whose events have all been told. */
  seen: string;
  /** The snapshot whose events are being told; null between two of them. */
  until: string | null;
  /** The last event told of those: its transaction and id. Between two snapshots, what comes before all that may be told. */
  arrived: string;
  id: string;
}

const separator = '_';
const snapshotPattern = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;
const largest = 2n ** 63n - 1n;
const nilId = '00000000-0000-0000-0000-000000000000';

/** Whether PostgreSQL takes the text for a snapshot: the transactions under way lie in order between its bounds. */
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

/** The position after everything in a snapshot: transactions below its lower bound are all in it. */
export function afterSnapshot(seen: string): ArrivalPosition {
  return { seen, until: null, arrived: seen.slice(0, seen.indexOf(':')), id: nilId };
}

/** The text of a position. */
export function encodeArrival({ seen, until, arrived, id }: ArrivalPosition): string {
  const parts = until === null ? [seen] : [seen, until, arrived, id];
  return Buffer.from(parts.join(separator)).toString('base64url');
}

/** Refuses a cursor; `why` says what to do. */
export function brokenArrival(why = 'Input should be the nextCursor of an earlier answer'): Invalid {
  return Invalid.at(['query', 'after'], 'value_error', why);
}

/** The position that a text stands for; throws `Invalid` at `after` for a broken one. */
export function decodeArrival(cursor: string): ArrivalPosition {
  const [seen = '', until, arrived = '', id = '', ...rest] = Buffer.from(cursor, 'base64url')
    .toString('latin1')
    .split(separator);
  if (!isSnapshot(seen) || rest.length > 0) throw brokenArrival();
  if (until === undefined) return afterSnapshot(seen);
  if (!isSnapshot(until) || !isTransaction(arrived) || !isUuid(id)) throw brokenArrival();
  return { seen, until, arrived, id };
}
