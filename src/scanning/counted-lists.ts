import type { Page } from '../common/http/cursor.js';
import { BooleanField, DateTimeField, IntegerField } from '../common/validation/fields.js';

/** How far a list is counted: beyond it, that there are more is all that people want to know. */
const countedUpTo = 10_000;

/** A page with the length of the whole list, where it was asked for. */
export interface CountedPage<T> extends Page<T> {
  totalCount?: number;
}

/** The query's wish for the length of the whole list. */
export const TotalField = () =>
  BooleanField({
    default: false,
    description: `Whether to count the whole list too, up to ${countedUpTo}, whatever the page`,
  });

export const TotalCountField = () =>
  IntegerField({
    optional: true,
    min: 0,
    max: countedUpTo + 1,
    description: `With total=true: how many there are in all; ${countedUpTo + 1} for more than ${countedUpTo}`,
    example: 3_248,
  });

export const SinceField = () => DateTimeField({ optional: true, description: 'Made at this time or later' });
export const UntilField = () => DateTimeField({ optional: true, description: 'Made before this time' });

/** SQL of the number of rows, as `totalCount`, counted no further than a list is. */
export function boundedCount(from: string): string {
  return `SELECT count(*)::integer AS "totalCount" FROM (SELECT FROM ${from} LIMIT ${countedUpTo + 1}) AS counted`;
}

/** The conditions on when a row was made, as `listed` filters. */
export const madeBetween = (row: string) => ({
  since: (time: string) => `${row}.created_at >= ${time}`,
  until: (time: string) => `${row}.created_at < ${time}`,
});

export function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
