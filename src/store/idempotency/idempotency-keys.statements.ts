import { statement } from '../../database/database.js';

/** How long the service repeats a stored response. */
export const keyLifetime = `interval '24 hours'`;

/** SQL that takes the slot of a user's Idempotency-Key until the transaction ends: false if another request has it. */
export function keySlot(userId: string, key: string): string {
  return `pg_try_advisory_xact_lock(hashtextextended('idempotency-key:' || ${userId}::text || ':' || ${key}, 0))`;
}

export const takeSlot = statement('idempotency.take-slot', `SELECT ${keySlot('$1::uuid', '$2::text')} AS free`);

/** Deletes the key $2 of user $1 if it has expired. */
export const removeExpiredKey = statement(
  'idempotency.remove-expired',
  `DELETE FROM idempotency_keys WHERE user_id = $1 AND key = $2 AND created_at <= now() - ${keyLifetime}`,
);

/** Deletes some expired keys, the oldest first. */
export const sweepKeys = statement(
  'idempotency.sweep',
  `DELETE FROM idempotency_keys
    WHERE (user_id, key) IN (
      SELECT user_id, key
        FROM idempotency_keys
       WHERE created_at <= now() - ${keyLifetime}
       ORDER BY created_at
       LIMIT 1000
         FOR UPDATE SKIP LOCKED)`,
);
