import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { CountStatement } from './stock-quotas.statements.js';

const lock = statement('stock-quotas.lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

@Injectable()
export class StockQuotasRepository {
  constructor(private readonly database: Database) {}

  /** Blocks other units of work that count the same stock of this owner, until this one ends. */
  async lock(name: string, owner: string): Promise<void> {
    await this.database.execute(lock, [`quota:${name}:${owner}`]);
  }

  /** How much the owner holds, counted up to one beyond `most`. */
  async held(count: CountStatement, owner: string, most: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(count, [owner, most + 1]);
    return row.count;
  }
}
