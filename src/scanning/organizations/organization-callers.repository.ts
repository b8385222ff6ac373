import { Injectable } from '@nestjs/common';
import type { OrganizationCaller, OrganizationRole } from '../../common/auth/organization-caller.js';
import { Database, statement } from '../../database/database.js';

export interface Membership {
  organizationId: string;
  role: OrganizationRole;
}

export interface KeyInForce extends Omit<OrganizationCaller, 'userId'> {
  apiKeyId: string;
  /** Whether its last use was noted more than a minute ago. */
  stale: boolean;
}

const membershipsOfUser = statement(
  'organizations.memberships-of-user',
  `SELECT organization_id AS "organizationId", role FROM organization_members WHERE user_id = $1`,
);

const isStale = `(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

const keyByHash = statement(
  'organizations.key-by-hash',
  `SELECT id AS "apiKeyId", organization_id AS "organizationId", role, name, ${isStale} AS stale
     FROM api_keys
    WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
);

const noteUse = statement(
  'organizations.note-key-use',
  `UPDATE api_keys SET last_used_at = now() WHERE id = $1 AND ${isStale}`,
);

/** What a request's caller may do: read for every request to the scanning wing. */
@Injectable()
export class OrganizationCallersRepository {
  constructor(private readonly database: Database) {}

  membershipsOf(userId: string): Promise<Membership[]> {
    return this.database.rows<Membership>(membershipsOfUser, [userId]);
  }

  keyByHash(hash: string): Promise<KeyInForce | null> {
    return this.database.row<KeyInForce>(keyByHash, [hash]);
  }

  async noteUse(apiKeyId: string): Promise<void> {
    await this.database.execute(noteUse, [apiKeyId]);
  }
}
