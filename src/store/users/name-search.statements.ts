import { containing } from '../../database/like-pattern.js';

/** The shortest text that is searched for: at the beginning of words, and anywhere within a username or e-mail. */
const least = { atBeginning: 2, within: 3 };

/** The value of a search for people, in the forms that its conditions take. */
export function searchedPeople(text: string): (string | null)[] {
  return [
    text.length < least.within ? null : containing(text.toLowerCase()),
    text.length < least.atBeginning ? null : text,
  ];
}

/** SQL of whether words of a text begin with those that are searched for, without case and accents. */
export const hasWords = (text: string, searched: string): string =>
  `name_words(${text}) @@ name_query((${searched}::text[])[2])`;

const account = `username || ' ' || email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')`;

/**
 * SQL of the ids of the accounts of somebody who is searched for, by username, e-mail, first and last name. It is a query of its
 * own: else the planner may go through all accounts in the order of the list, and evaluate the words of each.
 */
export const searchedAccounts = (searched: string): string => `
  SELECT id FROM users
   WHERE deleted_at IS NULL
     AND ((lower(username) || ' ' || lower(email)) LIKE (${searched}::text[])[1] OR ${hasWords(account, searched)})`;
