import { keyInForce, keyUseIsStale } from '../../platform/auth/key-state.statements.js';
import { statement } from '../../database/database.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';

const columns = `
  k.id, k.name, k.scopes, k.prefix, u.username AS created_by, k.created_at, k.expires_at, k.last_used_at, k.revoked_at`;

export const page = statement(
  'keys.page',
  `SELECT ${columns} FROM shop_keys k LEFT JOIN users u ON u.id = k.created_by
    ORDER BY k.created_at DESC, k.id DESC OFFSET $1 LIMIT $2`,
);

const deadKeysKept = 1_000;
const forgottenAtOnce = 20;

/**
 * Writes a key while its maker, whose row stays locked, is an admin. Each also removes some of the keys that ended long
 * ago; the list keeps the newest of those.
 */
export const insert = statement(
  'keys.insert',
  `WITH old AS (
     DELETE FROM shop_keys WHERE id IN (
       SELECT id FROM shop_keys WHERE NOT (${keyInForce})
        ORDER BY created_at DESC, id DESC OFFSET ${deadKeysKept} LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED)
   ), u AS (
     SELECT id, username FROM users
      WHERE id = $7 AND role = 'admin' AND suspended_at IS NULL AND deleted_at IS NULL FOR SHARE
   ), k AS (
     INSERT INTO shop_keys (id, name, scopes, prefix, key_hash, expires_at, created_by)
     SELECT $1::uuid, $2::text, $3::text[], $4::text, $5::text, $6::timestamptz, id FROM u
     RETURNING *
   )
   SELECT ${columns} FROM k JOIN u ON u.id = k.created_by`,
);

/** Of the owner `shop`, which has all of them. */
export const count = statement('keys.count', countUpTo(`shop_keys WHERE $1::text = 'shop' AND ${keyInForce}`));

export const revoke = statement(
  'keys.revoke',
  `WITH k AS (SELECT id, name, created_by, revoked_at FROM shop_keys WHERE id = $1 FOR NO KEY UPDATE),
        revoked AS (UPDATE shop_keys SET revoked_at = now() FROM k WHERE shop_keys.id = k.id AND k.revoked_at IS NULL)
   SELECT id, name, created_by AS maker_id, revoked_at IS NULL AS was_in_force FROM k`,
);

export const byHash = statement(
  'keys.by-hash',
  `SELECT id, name, scopes, created_by AS "createdBy", ${keyUseIsStale} AS stale
     FROM shop_keys
    WHERE key_hash = $1 AND created_by IS NOT NULL AND ${keyInForce}`,
);

export const noteUse = statement(
  'keys.note-use',
  `UPDATE shop_keys SET last_used_at = now() WHERE id = $1 AND ${keyUseIsStale}`,
);
