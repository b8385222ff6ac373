import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { KeyUses } from '../../platform/auth/key-uses.js';
import { type OrganizationCaller, OrganizationDirectory } from '../../platform/auth/organization-caller.js';
import { hashApiKey } from '../../platform/crypto/api-keys.js';
import { Forbidden, NotFound, RuleBroken } from '../../platform/errors/errors.js';
import { type Membership, OrganizationCallersRepository } from './organization-callers.repository.js';

/** Finds memberships and API keys. */
@Injectable()
export class OrganizationDirectoryService extends OrganizationDirectory implements OnModuleDestroy {
  private readonly uses = new KeyUses((id) => this.repository.noteUse(id));

  constructor(private readonly repository: OrganizationCallersRepository) {
    super();
  }

  onModuleDestroy(): Promise<void> {
    return this.uses.settled();
  }

  async forUser(user: CallerIdentity, organizationId: string | undefined): Promise<OrganizationCaller> {
    const memberships = await this.repository.membershipsOf(user.id);
    const membership = chosen(memberships, organizationId);
    return { ...membership, userId: user.id, apiKeyId: null, name: user.username };
  }

  async forKey(key: string): Promise<OrganizationCaller | null> {
    const row = await this.repository.keyByHash(hashApiKey(key));
    if (!row) return null;
    const { stale, ...caller } = row;
    if (stale) this.uses.note(caller.apiKeyId);
    return { ...caller, userId: null };
  }

  async present(callers: readonly OrganizationCaller[]): Promise<ReadonlySet<OrganizationCaller>> {
    if (callers.length === 0) return new Set();
    const known = new Set((await this.repository.inForce(callers)).map(keyOf));
    return new Set(callers.filter((caller) => known.has(keyOf(caller))));
  }
}

type Ids = Pick<OrganizationCaller, 'userId' | 'organizationId' | 'apiKeyId'>;

function keyOf({ userId, organizationId, apiKeyId }: Ids): string {
  return `${userId ?? ''} ${organizationId} ${apiKeyId ?? ''}`;
}

function chosen(memberships: Membership[], organizationId: string | undefined): Membership {
  if (organizationId !== undefined) {
    const named = memberships.find((one) => one.organizationId === organizationId);
    if (!named) throw new NotFound('Organization not found: GET /api/v1/organizations lists yours');
    return named;
  }
  const [only, ...more] = memberships;
  if (!only) {
    const sentence = 'You do not belong to an organization yet: create one with POST /api/v1/organizations';
    throw new Forbidden(sentence, 'no_organization');
  }
  if (more.length > 0) {
    const sentence = 'You belong to several organizations: name one in the header X-Organization-Id';
    throw new RuleBroken(sentence, 'organization_required');
  }
  return only;
}
