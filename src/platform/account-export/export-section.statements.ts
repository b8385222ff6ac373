import { type Statement, statement } from '../../database/database.js';
import { rowJson } from '../../database/row-json.statements.js';

/** A part of what is held about an account: rows of a kind, read a page at a time. */
export interface ExportSection {
  /** Its name in the export. */
  readonly name: string;
  /** The columns that name the account, as `table.column`. */
  readonly columns: readonly string[];
  /** Up to `exportedAtOnce` rows of the account $1 after the time $2 and the id $3, each with those two and its JSON. */
  readonly page: Statement;
  /** Less than every id. */
  readonly firstId: number | string;
}

interface SectionParts {
  columns: string[];
  /** The FROM and WHERE of the account $1. */
  rows: string;
  /** The columns by which the rows are read, of which no two rows have the same. */
  at: string;
  id: string;
  ids?: 'uuid' | 'integer' | 'text';
  /** The columns of the JSON. */
  fields: string;
}

const firstIds = { uuid: '00000000-0000-0000-0000-000000000000', integer: 0, text: '' };

/** The most rows of a page: a hundred orders of five hundred lines are some megabytes. */
export const exportedAtOnce = 100;

export function exportSection(
  name: string,
  { columns, rows, at, id, ids = 'uuid', fields }: SectionParts,
): ExportSection {
  const page = statement(
    `account-export.${name}`,
    `SELECT ${at} AS at, ${id} AS id, ${rowJson(fields)}::text AS body
       FROM ${rows} AND (${at}, ${id}) > ($2::timestamptz, $3::${ids})
      ORDER BY ${at}, ${id} LIMIT ${exportedAtOnce}`,
  );
  return { name, columns, page, firstId: firstIds[ids] };
}
