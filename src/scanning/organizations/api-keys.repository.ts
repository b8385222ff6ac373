import { Injectable } from '@nestjs/common';
import type { OrganizationRole } from '../../common/auth/organization-caller.js';
import { Database, statement } from '../../database/database.js';
import type { ApiKey } from './api-keys.shapes.js';

const columns =
  'id, name, role, prefix, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", ' +
  'revoked_at AS "revokedAt"';

export interface NewApiKey {
  id: string;
  organizationId: string;
  name: string;
  role: OrganizationRole;
  prefix: string;
  keyHash: string;
  createdBy: string | null;
  expiresAt: Date | null;
}

const page = statement(
  'organizations.api-keys-page',
  `SELECT ${columns} FROM api_keys
    WHERE organization_id = $1 AND (created_at, id) < ($2, $3)
    ORDER BY created_at DESC, id DESC LIMIT $4`,
);

const insert = `
  INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash, created_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING ${columns}`;

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  page(organizationId: string, after: [Date | 'infinity', string], limit: number): Promise<ApiKey[]> {
    return this.database.rows<ApiKey>(page, [organizationId, ...after, limit]);
  }

  insert(key: NewApiKey): Promise<ApiKey> {
    const { id, organizationId, name, role, prefix, keyHash, createdBy, expiresAt } = key;
    const values = [id, organizationId, name, role, prefix, keyHash, createdBy, expiresAt];
    return this.database.one<ApiKey>(insert, values);
  }

  /** Revokes a key, unless it was revoked before; answers whether there is one. */
  async revoke(organizationId: string, id: string): Promise<boolean> {
    const sql = 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE organization_id = $1 AND id = $2';
    return (await this.database.execute(sql, [organizationId, id])) > 0;
  }
}
