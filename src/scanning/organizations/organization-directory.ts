import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../common/auth/caller.js';
import {
  type OrganizationCaller,
  OrganizationDirectory,
  type OrganizationRole,
} from '../../common/auth/organization-caller.js';
import { Forbidden, NotFound, RuleBroken } from '../../common/errors/kinds.js';
import { Database, statement } from '../../database/database.js';
import { hashApiKey } from './api-key.js';

interface Membership {
  organizationId: string;
  role: OrganizationRole;
}

const membershipsOfUser = statement(
  'organizations.memberships-of-user',
  `SELECT organization_id AS "organizationId", role FROM organization_members WHERE user_id = $1`,
);

const memberByKey = statement(
  'organizations.member-by-key',
  `SELECT id AS "apiKeyId", organization_id AS "organizationId", role, name, NULL AS "userId"
     FROM api_keys
    WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
);

/** Knows who belongs to which organization, by user or by API key. */
@Injectable()
export class Organizations extends OrganizationDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  async forUser(user: CallerIdentity, organizationId: string | undefined): Promise<OrganizationCaller> {
    const memberships = await this.database.rows<Membership>(membershipsOfUser, [user.id]);
    const membership = chosen(memberships, organizationId?.toLowerCase());
    return { ...membership, userId: user.id, apiKeyId: null, name: user.username };
  }

  forKey(key: string): Promise<OrganizationCaller | null> {
    return this.database.row<OrganizationCaller>(memberByKey, [hashApiKey(key)]);
  }
}

function chosen(memberships: Membership[], organizationId: string | undefined): Membership {
  if (organizationId !== undefined) {
    const named = memberships.find((one) => one.organizationId === organizationId);
    if (!named) throw new NotFound('Organization not found: X-Organization-Id must name one of yours');
    return named;
  }
  const [only, ...more] = memberships;
  if (!only)
    throw new Forbidden(
      'You belong to no organization yet: make one with POST /api/v1/organizations',
      'no_organization',
    );
  if (more.length > 0) {
    throw new RuleBroken(
      'You belong to several organizations: name one in the header X-Organization-Id',
      'organization_required',
    );
  }
  return only;
}
