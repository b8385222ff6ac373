import { Invalid } from '../platform/errors/invalid.js';
import { containing } from '../database/like-pattern.js';

/** Trigram indexes hold sequences of three characters: a shorter text would scan every row. */
const shortest = 3;

/** For the descriptions of search fields. */
export const searchLength = `at least ${shortest} characters`;

/** The LIKE pattern of a search by trigrams, undefined for an empty text. `Invalid` for one that is too short. */
export function searchPattern(search: string | undefined): string | undefined {
  if (search === undefined || search === '') return undefined;
  if (Array.from(search).length < shortest) {
    const msg = `String should have ${searchLength}`;
    const ctx = { min_length: shortest };
    throw new Invalid([{ loc: ['query', 'search'], msg, type: 'string_too_short', input: search, ctx }]);
  }
  return containing(search);
}
