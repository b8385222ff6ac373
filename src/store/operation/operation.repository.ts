import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

export interface DatabaseFacts {
  version: string;
  now: Date;
  /** Whether the connection crosses a network as it is, without TLS. */
  inTheOpen: boolean;
}

@Injectable()
export class OperationRepository {
  constructor(private readonly database: Database) {}

  /** The version and the clock of the database, and how this connection reaches it. */
  async facts(): Promise<DatabaseFacts> {
    const sql = `
      SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
             inet_server_addr() IS DISTINCT FROM inet_client_addr()
               AND NOT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), true) AS "inTheOpen"`;
    const row = await this.database.row<DatabaseFacts & Record<string, unknown>>(sql);
    if (!row) throw new Error('The database sent no row');
    return row;
  }
}
