import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

const forgottenAtOnce = 20;
const over = `counter.window_ends_at <= now()`;

/**
 * Adds $2 to the counter of $1 unless that makes more than $3 in a window of $4 seconds, which begins with the first
 * use. Each new counter removes some whose window is over.
 */
const take = statement(
  'rates.take',
  `WITH old AS (
     DELETE FROM rate_counters WHERE key IN (
       SELECT key FROM rate_counters WHERE window_ends_at <= now() AND key <> $1
        ORDER BY window_ends_at LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED))
   INSERT INTO rate_counters AS counter (key, used, window_ends_at)
   SELECT $1, $2::bigint, now() + $4::double precision * interval '1 second' WHERE $2::bigint <= $3::bigint
   ON CONFLICT (key) DO UPDATE
      SET used = CASE WHEN ${over} THEN excluded.used ELSE counter.used + excluded.used END,
          window_ends_at = CASE WHEN ${over} THEN excluded.window_ends_at ELSE counter.window_ends_at END
    WHERE ${over} OR counter.used + excluded.used <= $3
   RETURNING extract(epoch FROM window_ends_at - now())::double precision AS seconds`,
);

const giveBack = statement(
  'rates.give-back',
  `UPDATE rate_counters SET used = greatest(used - $2::bigint, 0) WHERE key = $1 AND window_ends_at > now()`,
);

const secondsLeft = statement(
  'rates.seconds-left',
  `SELECT extract(epoch FROM window_ends_at - now())::double precision AS seconds FROM rate_counters WHERE key = $1`,
);

@Injectable()
export class RatesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts `amount` for the key and returns the seconds left of its window; null, counting nothing, if it has no room.
   */
  async take(key: string, amount: number, limit: number, windowSeconds: number): Promise<number | null> {
    const taken = await this.database.row<{ seconds: number }>(take, [key, amount, limit, windowSeconds]);
    return taken?.seconds ?? null;
  }

  async giveBack(key: string, amount: number): Promise<void> {
    await this.database.execute(giveBack, [key, amount]);
  }

  /** The seconds left of the key's window. */
  async secondsLeft(key: string): Promise<number> {
    return (await this.database.row<{ seconds: number }>(secondsLeft, [key]))?.seconds ?? 0;
  }
}
