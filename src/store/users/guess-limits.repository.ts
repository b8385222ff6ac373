import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

const firstBlockSeconds = 30;
const longestBlockSeconds = 900;
const quiet = `interval '1 hour'`;
const forgottenAtOnce = 20;

/** How many wrong ones the row will hold, this one included; a quiet hour starts anew. */
const failures = `CASE WHEN counter.updated_at < now() - ${quiet} THEN 1 ELSE counter.failures + 1 END`;

/**
 * Counts one for $1, unless it or $2 is blocked. Whoever brings the count to $3 blocks it at once, before it is known
 * whether he is right: parallel guesses find it blocked.
 */
const take = statement(
  'users.take-guess',
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
  'users.guess-seconds-left',
  `SELECT extract(epoch FROM max(blocked_until) - now())::double precision AS seconds
     FROM guess_counters WHERE key = ANY ($1)`,
);

const takeBack = statement(
  'users.take-guess-back',
  `UPDATE guess_counters SET failures = greatest(failures - 1, 0), blocked_until = NULL WHERE key = $1`,
);

const clear = statement('users.clear-guesses', `DELETE FROM guess_counters WHERE key = $1`);

const forgetOld = statement(
  'users.forget-old-guesses',
  `DELETE FROM guess_counters WHERE key IN (
     SELECT key FROM guess_counters WHERE updated_at < now() - ${quiet}
      ORDER BY updated_at LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED)`,
);

@Injectable()
export class GuessLimitsRepository {
  constructor(private readonly database: Database) {}

  /** Counts a guess; answers whether it may be made. `limit` wrong ones block the key, `otherKey` may block it too. */
  async take(key: string, otherKey: string | null, limit: number): Promise<boolean> {
    return (await this.database.execute(take, [key, otherKey, limit])) > 0;
  }

  /** How long the longest block of the keys lasts yet. */
  async secondsLeft(keys: string[]): Promise<number> {
    return (await this.database.row<{ seconds: number | null }>(secondsLeft, [keys]))?.seconds ?? 0;
  }

  async takeBack(key: string): Promise<void> {
    await this.database.execute(takeBack, [key]);
  }

  async clear(key: string): Promise<void> {
    await this.database.execute(clear, [key]);
  }

  /** Deletes some of the counters that have been quiet for long. */
  async forgetOld(): Promise<void> {
    await this.database.execute(forgetOld);
  }
}
