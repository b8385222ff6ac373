import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

export interface DatabaseFacts {
  version: string;
  now: Date;
}

@Injectable()
export class OperationRepository {
  constructor(private readonly database: Database) {}

  /** The version and the clock of the database. */
  async facts(): Promise<DatabaseFacts> {
    const sql = `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`;
    const row = await this.database.row<DatabaseFacts & Record<string, unknown>>(sql);
    if (!row) throw new Error('The database sent no row');
    return row;
  }
}
