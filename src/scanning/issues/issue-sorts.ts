import { Invalid } from '../../platform/errors/invalid.js';
import { isUuid } from '../../platform/validation/check-value.js';
import type { IssueSort } from './issue-filter.dto.js';

/** A value by which a list is sorted: a number, or a time, where the infinite number stands for one without end. */
export type SortKey = Date | number;

interface Sort {
  /** What a page begins after where it is the first. */
  start: unknown[];
  keys: readonly ('number' | 'share' | 'time')[];
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const firstUuid = '00000000-0000-0000-0000-000000000000';

const sorts: Record<IssueSort, Sort> = {
  created: { start: ['infinity', lastUuid], keys: ['time'] },
  severity: { start: [1_000, 'infinity', lastUuid], keys: ['number', 'time'] },
  'last-seen': { start: ['infinity', lastUuid], keys: ['time'] },
  due: { start: ['-infinity', firstUuid], keys: ['time'] },
  epss: { start: [2, 'infinity', lastUuid], keys: ['share', 'time'] },
};

/** The cursor after an issue of a sorted list; one of another order is refused. */
export function encodeIssueCursor(sort: IssueSort, keys: readonly SortKey[], id: string): string {
  // JSON writes the infinite number as null.
  const texts = keys.map(Number);
  return Buffer.from(JSON.stringify([sort, ...texts, id])).toString('base64url');
}

/** Where a page of a sorted list begins, for SQL's row comparison. `Invalid` for the cursor of another order. */
export function startOfIssues(sort: IssueSort, cursor: string | undefined): unknown[] {
  const { start, keys } = sorts[sort];
  if (cursor === undefined) return start;
  const parts = partsOf(cursor);
  const id = parts.at(-1);
  const values = parts.slice(1, -1);
  const isOurs = parts[0] === sort && values.length === keys.length && typeof id === 'string' && isUuid(id);
  const read = values.map((value, at) => valueOf(keys[at], value));
  if (!isOurs || read.includes(undefined)) {
    const msg = 'Input should be the nextCursor of an earlier response with the same sort';
    throw Invalid.at(['query', 'cursor'], 'value_error', msg, cursor);
  }
  return [...read, id];
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Undefined for what is no such value. */
function valueOf(kind: Sort['keys'][number] | undefined, value: unknown): unknown {
  if (kind === 'share') return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
  if (kind === 'time' && value === null) return 'infinity';
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return undefined;
  if (kind === 'number') return Math.abs(value) <= 1_000 ? value : undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
