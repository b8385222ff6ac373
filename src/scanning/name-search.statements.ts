import { startOf } from '../platform/http/cursor.js';
import { type Statement, statement } from '../database/database.js';
import { containing } from '../database/like-pattern.js';
import type { SearchPaging } from './search-paging.js';

/**
 * A page of an organization's rows, newest first, searched by name. It takes the values of `namePageValues`, followed by those
 * of a further condition.
 */
export function namePage(table: string, columns: string, condition = ''): Statement {
  return statement(
    `${table}.page`,
    `SELECT ${columns} FROM ${table}
      WHERE organization_id = $1 AND (created_at, id) < ($2, $3) AND ($4::text IS NULL OR name ILIKE $4) ${condition}
      ORDER BY created_at DESC, id DESC LIMIT $5`,
  );
}

/** One row more than the page has, to tell whether there is a next one. Throws `Invalid` for a broken cursor. */
export function namePageValues(organizationId: string, { size, cursor, search }: SearchPaging): unknown[] {
  return [organizationId, ...startOf(cursor), search === undefined ? null : containing(search), size + 1];
}
