import { Injectable } from '@nestjs/common';
import { Database } from './database.js';

/** The text that was sealed with the key of the data. */
@Injectable()
export class KeyCheckRepository {
  constructor(private readonly database: Database) {}

  /** The stored texts, by the names under which they stand. */
  async all(beginning: string): Promise<Map<string, string>> {
    const rows = await this.database.rows<{ key: string; sealed: string }>(
      `SELECT key, value #>> '{}' AS sealed FROM service_state WHERE starts_with(key, $1) ORDER BY key`,
      [beginning],
    );
    return new Map(rows.map(({ key, sealed }) => [key, sealed]));
  }

  /** Stores the text under `name` unless there is one already. */
  async keep(name: string, sealed: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO service_state (key, value) VALUES ($1, to_jsonb($2::text)) ON CONFLICT (key) DO NOTHING`,
      [name, sealed],
    );
  }

  /** Stores the text under `name`, and removes those whose names begin with it, in one statement. */
  async settle(name: string, sealed: string): Promise<void> {
    await this.database.execute(
      `WITH others AS (DELETE FROM service_state WHERE starts_with(key, $1 || ':'))
       INSERT INTO service_state (key, value) VALUES ($1, to_jsonb($2::text))
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
      [name, sealed],
    );
  }

  /**
   * Since when the present key of JWT_SECRET is the first of its list, by the mark that nodes leave at their start; now,
   * where another was.
   */
  async signsSince(mark: string): Promise<Date> {
    const { since } = await this.database.one<{ since: Date }>(
      `INSERT INTO service_state AS known (key, value) VALUES ('signing_key', to_jsonb($1::text))
       ON CONFLICT (key) DO UPDATE SET value = excluded.value,
         updated_at = CASE WHEN known.value = excluded.value THEN known.updated_at ELSE now() END
       RETURNING updated_at AS since`,
      [mark],
    );
    return since;
  }
}
