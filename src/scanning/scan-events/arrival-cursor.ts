import { Invalid } from '../../platform/errors/invalid.js';

/** The position of a client that follows an organization's events, in the order of their arrival. */
export interface ArrivalPosition {
  /** Identifies the sequence of the numbers: a restored backup begins another one. */
  epoch: string;
  /** The batch of the last delivered event; the next one where that was its last. */
  number: number;
  /** The last delivered event; null before all events of the batch. */
  id: string;
}

const version = 1;
const bytes = 33;
/** The length of a cursor, which is base64url. */
export const cursorLength = (bytes / 3) * 4;
const nilId = '00000000-0000-0000-0000-000000000000';

/** The position after all events of a batch. */
export function afterBatch(epoch: string, number: number): ArrivalPosition {
  return { epoch, number: number + 1, id: nilId };
}

/** Whether a position of the same epoch comes after another one. */
export function isAfter(one: ArrivalPosition, other: ArrivalPosition): boolean {
  return one.number === other.number ? one.id > other.id : one.number > other.number;
}

/** Encodes a position as a cursor. */
export function encodeArrival({ epoch, number, id }: ArrivalPosition): string {
  const cursor = Buffer.alloc(bytes, version);
  cursor.write(epoch, 1, 'hex');
  cursor.writeBigUInt64BE(BigInt(number), 9);
  cursor.write(id.replaceAll('-', ''), 17, 'hex');
  return cursor.toString('base64url');
}

type Place = [string, string];
const afterOfQuery: Place = ['query', 'after'];

/** The refusal of a cursor; `why` says how to proceed. */
export function brokenArrival(
  why = 'Input should be the nextCursor of an earlier response',
  place: Place = afterOfQuery,
): Invalid {
  return Invalid.at(place, 'value_error', why);
}

/** Decodes a cursor; throws `Invalid` at `place` for a broken one. */
export function decodeArrival(cursor: string, place: Place = afterOfQuery): ArrivalPosition {
  const read = Buffer.from(cursor, 'base64url');
  if (read[0] !== version || read.length !== bytes || cursor.length !== cursorLength) {
    throw brokenArrival(undefined, place);
  }
  const number = Number(read.readBigUInt64BE(9));
  if (!Number.isSafeInteger(number)) throw brokenArrival(undefined, place);
  const id = read.toString('hex', 17).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { epoch: read.toString('hex', 1, 9), number, id };
}
