import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

const firstBlockSeconds = 30;
const longestQuiet = `interval '1 day'`;
const deletedAtOnce = 20;

/** When a counter blocks its key, and for how long. */
export interface AttemptLimit {
  failures: number;
  /** The count restarts after a time without attempts. */
  quietSeconds: number;
  longestBlockSeconds: number;
}

/** The failures that the row will hold, this attempt included; after a quiet time the count restarts. */
const failures = `CASE WHEN counter.updated_at < now() - $4::integer * interval '1 second' THEN 1 ELSE counter.failures + 1 END`;

/**
 * Counts an attempt for $1, unless $1 or one of $2 is blocked. The attempt that brings the count to $3 blocks the key before
 * its secret is checked, so that parallel attempts are refused.
 */
const count = statement(
  'users.count-attempt',
  `INSERT INTO guess_counters AS counter (key, failures)
   SELECT $1, 1 WHERE NOT EXISTS (SELECT FROM guess_counters WHERE key = ANY ($2::text[]) AND blocked_until > now())
   ON CONFLICT (key) DO UPDATE
      SET failures = ${failures},
          blocked_until = CASE WHEN ${failures} >= $3
            THEN now() + least($5::integer, ${firstBlockSeconds} * 2 ^ least(${failures} - $3, 10))
                         * interval '1 second' END,
          updated_at = now()
    WHERE counter.blocked_until IS NULL OR counter.blocked_until <= now()
   RETURNING counter.failures`,
);

const secondsLeft = statement(
  'users.block-seconds-left',
  `SELECT extract(epoch FROM max(blocked_until) - now())::double precision AS seconds
     FROM guess_counters WHERE key = ANY ($1)`,
);

const giveBack = statement(
  'users.give-attempt-back',
  `UPDATE guess_counters SET failures = greatest(failures - 1, 0), blocked_until = NULL WHERE key = ANY ($1::text[])`,
);

const clear = statement('users.clear-attempts', `DELETE FROM guess_counters WHERE key = ANY ($1::text[])`);

const deleteOld = statement(
  'users.delete-old-attempts',
  `DELETE FROM guess_counters WHERE key IN (
     SELECT key FROM guess_counters WHERE updated_at < now() - ${longestQuiet}
      ORDER BY updated_at LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED)`,
);

@Injectable()
export class LoginAttemptsRepository {
  constructor(private readonly database: Database) {}

  /** Counts an attempt; returns how many have failed with it, or null while `key` or one of `otherKeys` is blocked. */
  async count(key: string, otherKeys: string[], limit: AttemptLimit): Promise<number | null> {
    const values = [key, otherKeys, limit.failures, limit.quietSeconds, limit.longestBlockSeconds];
    return (await this.database.row<{ failures: number }>(count, values))?.failures ?? null;
  }

  /** The seconds until none of the keys is blocked. */
  async secondsLeft(keys: string[]): Promise<number> {
    return (await this.database.row<{ seconds: number | null }>(secondsLeft, [keys]))?.seconds ?? 0;
  }

  async giveBack(keys: string[]): Promise<void> {
    await this.database.execute(giveBack, [keys]);
  }

  async clear(keys: string[]): Promise<void> {
    await this.database.execute(clear, [keys]);
  }

  /** Deletes some counters that have been quiet for long. */
  async deleteOld(): Promise<void> {
    await this.database.execute(deleteOld);
  }
}
