/** How long the service repeats a stored response. */
export const keyLifetime = `interval '24 hours'`;

/** SQL that takes the slot of a user's Idempotency-Key until the transaction ends: false where another request has it. */
export function keySlot(userId: string, key: string): string {
  return `pg_try_advisory_xact_lock(hashtextextended('idempotency-key:' || ${userId}::text || ':' || ${key}, 0))`;
}

/** SQL that deletes ten expired keys where `condition` holds, so that the table needs no sweep of its own. */
export function sweepKeys(condition: string): string {
  return `
     DELETE FROM idempotency_keys
      WHERE (user_id, key) IN (
        SELECT user_id, key
          FROM idempotency_keys
         WHERE ${condition} AND created_at <= now() - ${keyLifetime}
         ORDER BY created_at
         LIMIT 10
           FOR UPDATE SKIP LOCKED)`;
}
