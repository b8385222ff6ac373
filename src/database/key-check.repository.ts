import { Injectable } from '@nestjs/common';
import { Database } from './database.js';

/** The text that was sealed with the key of the data. */
@Injectable()
export class KeyCheckRepository {
  constructor(private readonly database: Database) {}

  /** Stores the text under `name` unless there is one already; returns the stored text. */
  async kept(name: string, sealed: string): Promise<string> {
    await this.database.execute(
      `INSERT INTO service_state (key, value) VALUES ($1, to_jsonb($2::text)) ON CONFLICT (key) DO NOTHING`,
      [name, sealed],
    );
    const read = `SELECT value #>> '{}' AS sealed FROM service_state WHERE key = $1`;
    return (await this.database.one<{ sealed: string }>(read, [name])).sealed;
  }
}
