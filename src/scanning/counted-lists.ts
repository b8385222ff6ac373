import type { Page } from '../platform/http/cursor.js';
import { BooleanField, DateTimeField, IntegerField } from '../platform/validation/fields.js';
import { countedUpTo } from './counted-lists.statements.js';

/** A page, with the length of the whole list if the caller asked for it. */
export interface CountedPage<T> extends Page<T> {
  totalCount?: number;
}

/** The query's request for the length of the whole list. */
export const TotalField = () =>
  BooleanField({
    default: false,
    description: `Whether to count the whole list as well, up to ${countedUpTo}`,
  });

export const TotalCountField = () =>
  IntegerField({
    optional: true,
    min: 0,
    max: countedUpTo + 1,
    description: `With total=true: the length of the whole list; ${countedUpTo + 1} for more than ${countedUpTo}`,
    example: 3_248,
  });

export const SinceField = () => DateTimeField({ optional: true, description: 'Created at this time or later' });
export const UntilField = () => DateTimeField({ optional: true, description: 'Created before this time' });

export function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
