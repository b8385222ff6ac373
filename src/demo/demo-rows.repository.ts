import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** Writes rows of the demo: all rows of a table by one statement. */
@Injectable()
export class DemoRowsRepository {
  constructor(private readonly database: Database) {}

  /** Inserts rows in their order, all with the columns of the first. */
  async insert(table: string, rows: readonly object[]): Promise<void> {
    await this.database.execute(insertInto(table, rows), [JSON.stringify(rows)]);
  }

  /** Inserts rows likewise, and returns their ids by the value of this column, which no two of them share. */
  async insertKeyed(table: string, rows: readonly object[], column: string): Promise<Map<string, number>> {
    const sql = `${insertInto(table, rows)} RETURNING id, ${column} AS key`;
    const stored = await this.database.rows<{ id: number; key: string | Date }>(sql, [JSON.stringify(rows)]);
    return new Map(stored.map(({ id, key }) => [key instanceof Date ? key.toISOString() : key, id]));
  }
}

/** The rows are one parameter, however many they are: JSON, read as the table's own types. */
function insertInto(table: string, rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`;
}
