import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

const firstBlockSeconds = 30;
const longestBlockSeconds = 900;
const quiet = `interval '1 hour'`;
const deletedAtOnce = 20;

/** The failures that the row will hold, this attempt included; after a quiet hour the count restarts. */
const failures = `CASE WHEN counter.updated_at < now() - ${quiet} THEN 1 ELSE counter.failures + 1 END`;

/**
 * Counts an attempt for $1, unless $1 or $2 is blocked. The attempt that brings the count to $3 blocks the key before
 * its secret is checked, so that parallel attempts are refused.
 */
const count = statement(
  'users.count-attempt',
  `INSERT INTO guess_counters AS counter (key, failures)
   SELECT $1, 1 WHERE NOT EXISTS (SELECT FROM guess_counters WHERE key = $2 AND blocked_until > now())
   ON CONFLICT (key) DO UPDATE
      SET failures = ${failures},
          blocked_until = CASE WHEN ${failures} >= $3
            THEN now() + least(${longestBlockSeconds}, ${firstBlockSeconds} * 2 ^ least(${failures} - $3, 10))
                         * interval '1 second' END,
          updated_at = now()
    WHERE counter.blocked_until IS NULL OR counter.blocked_until <= now()
   RETURNING key`,
);

const secondsLeft = statement(
  'users.block-seconds-left',
  `SELECT extract(epoch FROM max(blocked_until) - now())::double precision AS seconds
     FROM guess_counters WHERE key = ANY ($1)`,
);

const giveBack = statement(
  'users.give-attempt-back',
  `UPDATE guess_counters SET failures = greatest(failures - 1, 0), blocked_until = NULL WHERE key = $1`,
);

const clear = statement('users.clear-attempts', `DELETE FROM guess_counters WHERE key = $1`);

const deleteOld = statement(
  'users.delete-old-attempts',
  `DELETE FROM guess_counters WHERE key IN (
     SELECT key FROM guess_counters WHERE updated_at < now() - ${quiet}
      ORDER BY updated_at LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED)`,
);

@Injectable()
export class LoginAttemptsRepository {
  constructor(private readonly database: Database) {}

  /** Counts an attempt; returns false while `key` or `otherKey` is blocked. The attempt number `limit` blocks `key`. */
  async count(key: string, otherKey: string | null, limit: number): Promise<boolean> {
    return (await this.database.execute(count, [key, otherKey, limit])) > 0;
  }

  /** The seconds until none of the keys is blocked. */
  async secondsLeft(keys: string[]): Promise<number> {
    return (await this.database.row<{ seconds: number | null }>(secondsLeft, [keys]))?.seconds ?? 0;
  }

  async giveBack(key: string): Promise<void> {
    await this.database.execute(giveBack, [key]);
  }

  async clear(key: string): Promise<void> {
    await this.database.execute(clear, [key]);
  }

  /** Deletes some counters that have been quiet for long. */
  async deleteOld(): Promise<void> {
    await this.database.execute(deleteOld);
  }
}
