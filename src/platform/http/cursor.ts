import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Invalid } from '../errors/invalid.js';
import { isUuid } from '../validation/check-value.js';
import { IntegerField, StringField } from '../validation/fields.js';

/** The paging of the scanning wing's lists: newest first, by an opaque cursor. */
export class CursorPaging {
  @IntegerField({ min: 1, max: 100, default: 50, description: 'The maximum number of entries' })
  size: number;
  @StringField({ optional: true, maxLength: 200, description: 'The nextCursor of the previous page' })
  cursor?: string;
}

/** Where a page ended: the creation time and id of its last entry. */
export interface CursorPosition {
  createdAt: Date;
  id: string;
}

/** One page of a list; `nextCursor` is null on the last one. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

const separator = '_';
const firstUuid = '00000000-0000-0000-0000-000000000000';
const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function encode({ createdAt, id }: CursorPosition): string {
  return Buffer.from(`${createdAt.getTime()}${separator}${id}`).toString('base64url');
}

function brokenCursor(cursor: string): Invalid {
  return Invalid.at(
    ['query', 'cursor'],
    'value_error',
    'Input should be the nextCursor of an earlier response',
    cursor,
  );
}

/** The position that a cursor names, or null without one; throws `Invalid` at `cursor` for a broken one. */
export function decodeCursor(cursor: string | undefined): CursorPosition | null {
  if (cursor === undefined) return null;
  const [time = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split(separator);
  const createdAt = new Date(/^\d{1,15}$/.test(time) ? Number(time) : NaN);
  if (!isUuid(id) || Number.isNaN(createdAt.getTime()) || rest.length > 0) {
    throw brokenCursor(cursor);
  }
  return { createdAt, id };
}

/**
 * The position that a page begins after, for SQL's `(created_at, id) < ($n, $m)`: the cursor's, or without one a
 * position newer than everything, so that one statement serves all pages. Throws `Invalid` as `decodeCursor` does.
 */
export function startOf(cursor: string | undefined): [createdAt: Date | 'infinity', id: string] {
  const position = decodeCursor(cursor);
  return position ? [position.createdAt, position.id] : ['infinity', lastUuid];
}

/** The time of mapping rows after which other requests go on: callers may store large rows. */
const sliceMs = 5;

/**
 * Makes a page of `rows`. There is a next page where `more` says so; without it, if there are more rows than `size`.
 */
export async function pageOf<Row extends CursorPosition, T>(
  rows: Row[],
  size: number,
  map: (row: Row) => T,
  more = rows.length > size,
): Promise<Page<T>> {
  const kept = rows.slice(0, size);
  const last = kept.at(-1);
  const data: T[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const row of kept) {
    if (performance.now() > sliceEnd) {
      await yieldToOthers();
      sliceEnd = performance.now() + sliceMs;
    }
    data.push(map(row));
  }
  return { data, nextCursor: more && last ? encode(last) : null };
}

/**
 * The id that a page in the order of ids begins after, for SQL's `id > $n`: the cursor's, or without one the least of
 * all. Throws `Invalid` at `cursor` for a broken one.
 */
export function afterId(cursor: string | undefined): string {
  if (cursor === undefined) return firstUuid;
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!isUuid(id)) throw brokenCursor(cursor);
  return id;
}

/** Makes a page in the order of ids. There is a next page if there are more rows than `size`. */
export function pageById<Row extends { id: string }>(rows: Row[], size: number): Page<Row> {
  const kept = rows.slice(0, size);
  const last = kept.at(-1);
  return { data: kept, nextCursor: rows.length > size && last ? Buffer.from(last.id).toString('base64url') : null };
}
