import { Injectable } from '@nestjs/common';
import type { OrganizationCaller, KeyRole } from '../../platform/auth/organization-caller.js';
import { keyInForce } from '../../platform/auth/key-state.statements.js';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { adminRight } from './admin-right.statements.js';
import type { ApiKey } from './api-keys.dto.js';

/**
 * The columns of `k`, with its maker: without a role after leaving the organization, without a name after deleting the
 * account.
 */
const columns = `
  k.id, k.name, k.role, k.prefix, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
  k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt",
  CASE WHEN k.created_by IS NOT NULL
       THEN json_build_object('userId', k.created_by, 'username', u.username, 'role', m.role) END AS "createdBy"`;
const makers = `
  LEFT JOIN users u ON u.id = k.created_by
  LEFT JOIN organization_members m ON m.organization_id = k.organization_id AND m.user_id = k.created_by`;

export interface NewApiKey {
  id: string;
  organizationId: string;
  name: string;
  role: KeyRole;
  prefix: string;
  keyHash: string;
  expiresAt: Date | null;
  /** A user, or an API key; then its maker counts as the maker of the new key too. */
  maker: Pick<OrganizationCaller, 'userId' | 'apiKeyId'>;
}

const page = statement(
  'organizations.api-keys-page',
  `SELECT ${columns} FROM api_keys k ${makers}
    WHERE k.organization_id = $1 AND (k.created_at, k.id) < ($2, $3)
    ORDER BY k.created_at DESC, k.id DESC LIMIT $4`,
);

const deadKeysKept = 1_000;
const forgottenAtOnce = 20;

/**
 * Writes a key while its maker may make keys. Each insert also deletes some keys that ended long ago; the list keeps
 * the newest of those.
 */
const insert = `
  WITH old AS (
    DELETE FROM api_keys WHERE id IN (
      SELECT id FROM api_keys WHERE organization_id = $2 AND NOT (${keyInForce})
       ORDER BY created_at DESC, id DESC OFFSET ${deadKeysKept} LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED)
  ), ${adminRight('$2', '$8', '$9')}, k AS (
    INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash, expires_at, created_by)
    SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::timestamptz, maker FROM allowed
    RETURNING *
  )
  SELECT ${columns} FROM k ${makers}`;

const revokeMadeBy = `
  UPDATE api_keys SET revoked_at = now() WHERE organization_id = $1 AND created_by = $2 AND ${keyInForce}
  RETURNING id, name, created_by AS "makerId"`;

const revoke = `
  WITH k AS (SELECT id, name, created_by, revoked_at FROM api_keys WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE),
       revoked AS (UPDATE api_keys SET revoked_at = now() FROM k WHERE api_keys.id = k.id AND k.revoked_at IS NULL)
  SELECT id, name, created_by AS "makerId", revoked_at IS NULL AS "wasInForce" FROM k`;

export interface RevokedKey {
  id: string;
  name: string;
  /** Null once the account is gone. */
  makerId: string | null;
}

const count = statement(
  'organizations.api-keys.count',
  countUpTo(`api_keys WHERE organization_id = $1 AND ${keyInForce}`),
);

@Injectable()
export class ApiKeysRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
  ) {}

  page(organizationId: string, after: [Date | 'infinity', string], limit: number): Promise<ApiKey[]> {
    return this.database.rows<ApiKey>(page, [organizationId, ...after, limit]);
  }

  /** Writes a key; null if its maker may no longer make any, `QuotaExceeded` where the quota is full. */
  insert(key: NewApiKey): Promise<ApiKey | null> {
    const { id, organizationId, name, role, prefix, keyHash, expiresAt, maker } = key;
    const values = [id, organizationId, name, role, prefix, keyHash, expiresAt, maker.userId, maker.apiKeyId];
    return this.stockQuotas.within(
      'apiKeys',
      organizationId,
      count,
      () => this.database.row<ApiKey>(insert, values),
      (made) => made !== null,
    );
  }

  /** The name of an organization, for mails about its keys. */
  async organizationName(id: string): Promise<string> {
    return (await this.database.one<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [id])).name;
  }

  /** Revokes all keys in force that a user made, directly or by another key; returns them. */
  async revokeMadeBy(organizationId: string, userId: string): Promise<RevokedKey[]> {
    const revoked: RevokedKey[] = [];
    // Repeats until none is left: a key that waits for this one may be making another.
    for (;;) {
      const more = await this.database.rows<RevokedKey>(revokeMadeBy, [organizationId, userId]);
      if (more.length === 0) return revoked;
      revoked.push(...more);
    }
  }

  /** Revokes a key, unless it is already revoked; null if there is none. */
  revoke(organizationId: string, id: string): Promise<(RevokedKey & { wasInForce: boolean }) | null> {
    return this.database.row(revoke, [organizationId, id]);
  }
}
