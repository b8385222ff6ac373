import type { Statement } from '../../database/database.js';

/** A statement of `countUpTo`. */
export type CountStatement = Statement;

/** SQL that counts the rows of the owner $1, up to $2. */
export function countUpTo(rowsOfOwner: string): string {
  return `SELECT count(*)::integer AS count FROM (SELECT FROM ${rowsOfOwner} LIMIT $2) AS held`;
}
