import { Injectable, type OnModuleDestroy } from '@nestjs/common';
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

interface KeyRow extends Omit<OrganizationCaller, 'userId'> {
  apiKeyId: string;
  /** Whether its last use was noted more than a minute ago. */
  stale: boolean;
}

const membershipsOfUser = statement(
  'organizations.memberships-of-user',
  `SELECT organization_id AS "organizationId", role FROM organization_members WHERE user_id = $1`,
);

const isStale = `(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

const memberByKey = statement(
  'organizations.member-by-key',
  `SELECT id AS "apiKeyId", organization_id AS "organizationId", role, name, ${isStale} AS stale
     FROM api_keys
    WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
);

const noteUse = statement(
  'organizations.note-key-use',
  `UPDATE api_keys SET last_used_at = now() WHERE id = $1 AND ${isStale}`,
);

/** Knows who belongs to which organization, by user or by API key. */
@Injectable()
export class Organizations extends OrganizationDirectory implements OnModuleDestroy {
  private readonly noting = new Map<string, Promise<void>>();

  constructor(private readonly database: Database) {
    super();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.noting.values());
  }

  async forUser(user: CallerIdentity, organizationId: string | undefined): Promise<OrganizationCaller> {
    const memberships = await this.database.rows<Membership>(membershipsOfUser, [user.id]);
    const membership = chosen(memberships, organizationId);
    return { ...membership, userId: user.id, apiKeyId: null, name: user.username };
  }

  async forKey(key: string): Promise<OrganizationCaller | null> {
    const row = await this.database.row<KeyRow>(memberByKey, [hashApiKey(key)]);
    if (!row) return null;
    const { stale, ...member } = row;
    if (stale) this.noteUse(member.apiKeyId);
    return { ...member, userId: null };
  }

  /** Beside the request, which does not wait for it; a use that cannot be noted costs nobody anything. */
  private noteUse(apiKeyId: string): void {
    if (this.noting.has(apiKeyId)) return;
    const noted = this.database
      .execute(noteUse, [apiKeyId])
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => this.noting.delete(apiKeyId));
    this.noting.set(apiKeyId, noted);
  }
}

function chosen(memberships: Membership[], organizationId: string | undefined): Membership {
  if (organizationId !== undefined) {
    const named = memberships.find((one) => one.organizationId === organizationId);
    if (!named) throw new NotFound('Organization not found: GET /api/v1/organizations lists yours');
    return named;
  }
  const [only, ...more] = memberships;
  if (!only) {
    const sentence = 'You belong to no organization yet: make one with POST /api/v1/organizations';
    throw new Forbidden(sentence, 'no_organization');
  }
  if (more.length > 0) {
    const sentence = 'You belong to several organizations: name one in the header X-Organization-Id';
    throw new RuleBroken(sentence, 'organization_required');
  }
  return only;
}
