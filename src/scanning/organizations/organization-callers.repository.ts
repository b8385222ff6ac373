import { Injectable } from '@nestjs/common';
import type { OrganizationCaller, OrganizationRole } from '../../platform/auth/organization-caller.js';
import { keyInForce, keyUseIsStale } from '../../platform/auth/key-state.statements.js';
import { Database, statement } from '../../database/database.js';

export interface Membership {
  organizationId: string;
  role: OrganizationRole;
}

type CallerIds = 'userId' | 'organizationId' | 'apiKeyId';

export interface KeyInForce extends Omit<OrganizationCaller, 'userId'> {
  apiKeyId: string;
  /** Whether its last recorded use is more than a minute ago. */
  stale: boolean;
}

const membershipsOfUser = statement(
  'organizations.memberships-of-user',
  `SELECT organization_id AS "organizationId", role FROM organization_members WHERE user_id = $1`,
);

const keyByHash = statement(
  'organizations.key-by-hash',
  `SELECT id AS "apiKeyId", organization_id AS "organizationId", role, name, ${keyUseIsStale} AS stale
     FROM api_keys
    WHERE key_hash = $1 AND ${keyInForce}`,
);

/** The memberships of users ($1, in $2) and the keys ($3) that are in force. */
const inForce = statement(
  'organizations.callers-in-force',
  `SELECT user_id AS "userId", organization_id AS "organizationId", NULL AS "apiKeyId" FROM organization_members
    WHERE (user_id, organization_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
   UNION ALL
   SELECT NULL, organization_id, id FROM api_keys
    WHERE id = ANY($3::uuid[]) AND ${keyInForce}`,
);

const noteUse = statement(
  'organizations.note-key-use',
  `UPDATE api_keys SET last_used_at = now() WHERE id = $1 AND ${keyUseIsStale}`,
);

/** Reads the rights of a request's caller, for every request to the scanning wing. */
@Injectable()
export class OrganizationCallersRepository {
  constructor(private readonly database: Database) {}

  membershipsOf(userId: string): Promise<Membership[]> {
    return this.database.rows<Membership>(membershipsOfUser, [userId]);
  }

  keyByHash(hash: string): Promise<KeyInForce | null> {
    return this.database.row<KeyInForce>(keyByHash, [hash]);
  }

  /** The ones of these users and keys who may call in the name of the organization. */
  inForce(callers: readonly OrganizationCaller[]): Promise<Pick<OrganizationCaller, CallerIds>[]> {
    const users = callers.filter(({ userId }) => userId !== null);
    const keys = callers.flatMap(({ apiKeyId }) => apiKeyId ?? []);
    return this.database.rows<Pick<OrganizationCaller, CallerIds>>(inForce, [
      users.map(({ userId }) => userId),
      users.map(({ organizationId }) => organizationId),
      keys,
    ]);
  }

  async noteUse(apiKeyId: string): Promise<void> {
    await this.database.execute(noteUse, [apiKeyId]);
  }
}
