import { Injectable } from '@nestjs/common';
import { boundedRows, pageBytes } from '../../database/bounded-rows.statements.js';
import { Database } from '../../database/database.js';
import type { SealedColumn } from '../crypto/sealed-places.js';

/** A sealed value, and where it stands. */
export interface SealedRow {
  key: (string | number)[];
  /** Where its table is spread over servers: what leads to its own. */
  spread: string | null;
  sealed: string | Buffer;
}

/** A value that is to be replaced, unless somebody else has. */
export interface Replacement extends SealedRow {
  next: string | Buffer;
}

const rowsAtOnce = 200;

/** Reads and replaces the values of sealed columns, a page at a time, by the columns' declarations. */
@Injectable()
export class SealedValuesRepository {
  constructor(private readonly database: Database) {}

  /** The values after a key, or the first ones. */
  async page({ table, column, key, spreadBy }: SealedColumn, after: SealedRow['key'] | null): Promise<SealedRow[]> {
    const names = Object.keys(key);
    const values = Object.values(key).map((type, index) => `$${index + 1}::${type}`);
    const beyond = after ? `AND (${names.join(', ')}) > (${values.join(', ')})` : '';
    const rows = `SELECT ${names.join(', ')}, ${column} AS sealed, ${spreadBy ? `${spreadBy}::text` : 'NULL'} AS spread
      FROM ${table} -- of all organizations
     WHERE ${column} IS NOT NULL ${beyond} ORDER BY ${names.join(', ')} LIMIT ${rowsAtOnce}`;
    const order = names.map((name) => `e.${name}`).join(', ');
    const found = await this.database.rows<Record<string, never> & Pick<SealedRow, 'sealed' | 'spread'>>(
      boundedRows(rows, order, 'octet_length(e.sealed)', pageBytes),
      after ?? [],
    );
    return found.map((row) => ({ key: names.map((name) => row[name] ?? ''), sealed: row.sealed, spread: row.spread }));
  }

  /**
   * Replaces values that are still the same and that nobody else has locked; returns how many. It waits for no lock, so
   * that requests and this never wait for each other in a circle.
   */
  async replace(column: SealedColumn, rows: readonly Replacement[]): Promise<number> {
    if (rows.length === 0) return 0;
    const keyTypes = Object.entries(column.key);
    const type = column.isBytes ? 'bytea' : 'text';
    const arrays = [...keyTypes.map(([, of]) => of), type, type].map((of, index) => `$${index + 1}::${of}[]`);
    const names = keyTypes.map(([name]) => name).join(', ');
    const server = column.spreadBy ? `AND t.${column.spreadBy} = $${arrays.length + 1}::uuid` : '';
    const same = [...keyTypes.map(([name]) => `t.${name} = w.${name}`), `t.${column.column} = w.was`].join(' AND ');
    const text = `WITH wanted AS (SELECT * FROM unnest(${arrays.join(', ')}) AS w (${names}, was, next)),
      free AS (SELECT ${keyTypes.map(([name]) => `t.${name}`).join(', ')} FROM ${column.table} t, wanted w
                WHERE ${same} ${server} FOR NO KEY UPDATE OF t SKIP LOCKED)
      UPDATE ${column.table} AS t SET ${column.column} = w.next FROM wanted w JOIN free USING (${names})
       WHERE ${same} ${server}`;
    const values = [
      ...keyTypes.map((_, index) => rows.map(({ key }) => key[index])),
      rows.map(({ sealed }) => sealed),
      rows.map(({ next }) => next),
    ];
    return this.database.execute(text, column.spreadBy ? [...values, rows[0]?.spread] : values);
  }
}
