import { isUuid } from '../../common/validation/check-value.js';

/** A position of the last release's kind: by the transactions that a snapshot of the database contains. */
export interface SnapshotPosition {
  /** The snapshot whose events have all been delivered. */
  seen: string;
  /** The snapshot whose events were being delivered; null between two of them. */
  until: string | null;
  /** The transaction of the last event delivered. */
  arrived: string;
}

const separator = '_';
const snapshotPattern = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;
const largest = 2n ** 63n - 1n;

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

/** Reads the decoded text of a cursor; null where it is not one. */
export function readSnapshots(text: string): SnapshotPosition | null {
  const [seen = '', until, arrived = '', id = '', ...rest] = text.split(separator);
  if (!isSnapshot(seen) || rest.length > 0) return null;
  if (until === undefined) return { seen, until: null, arrived: '0' };
  return isSnapshot(until) && isTransaction(arrived) && isUuid(id) ? { seen, until, arrived } : null;
}
