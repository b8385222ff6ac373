import { Invalid } from '../common/errors/invalid.js';
import { containing } from '../database/like-pattern.js';

/** Trigram indexes know pieces of three characters: what is shorter has everything looked through. */
const shortest = 3;

/** For the description of a field that is looked for so. */
export const searchLength = `at least ${shortest} characters`;

/** The LIKE pattern of a search by trigrams; an empty text asks for nothing. `Invalid` for one that is too short. */
export function searchPattern(search: string | undefined): string | undefined {
  if (search === undefined || search === '') return undefined;
  if (Array.from(search).length < shortest) {
    const msg = `String should have ${searchLength}`;
    const ctx = { min_length: shortest };
    throw new Invalid([{ loc: ['query', 'search'], msg, type: 'string_too_short', input: search, ctx }]);
  }
  return containing(search);
}
