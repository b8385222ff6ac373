import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { beginningOfApiKey, hashApiKey, newApiKey } from '../../platform/crypto/api-keys.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Forbidden, found } from '../../platform/errors/errors.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ApiKeyMails } from './api-key-mails.js';
import { ApiKeysRepository, type NewApiKey, type RevokedKey } from './api-keys.repository.js';
import type { ApiKey, ApiKeyCreate, ApiKeyCreated, ApiKeysRevoked } from './api-keys.dto.js';

/**
 * The keys by which programs call for an organization. Only admins make them, so a key can do no more than its maker
 * could. Unspecified: the keys of a maker who leaves or loses the role. They belong to the organization, whose
 * pipelines rely on them, and stay in force; the list shows their maker, and one call revokes all keys of a maker.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly mails: ApiKeyMails,
  ) {}

  /** A page of the keys, newest first, revoked ones among them. `Invalid` for a broken cursor. */
  async list({ organizationId }: OrganizationCaller, { size, cursor }: CursorPaging): Promise<Page<ApiKey>> {
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1);
    return pageOf(rows, size, (key) => key);
  }

  /**
   * Makes a key and returns it, only this once. `Invalid` for an `expiresAt` in the past, `QuotaExceeded` where the
   * quota of keys in force is full, `Forbidden` where the caller has just lost the right to make keys.
   */
  async create(caller: OrganizationCaller, { name, role, expiresAt }: ApiKeyCreate): Promise<ApiKeyCreated> {
    const expiry = expiresAt ? new Date(expiresAt) : null;
    if (expiry && expiry.getTime() <= Date.now()) {
      throw Invalid.at(['body', 'expiresAt'], 'datetime_future', 'Input should be in the future', expiresAt);
    }
    const key = newApiKey('organization');
    const stored = await this.unitOfWork.run(() => this.store(caller, { name, role, expiresAt: expiry }, key));
    return Object.assign(stored, { key });
  }

  /** Revokes all keys that a user made, a member or not, directly or by other keys; returns how many were in force. */
  revokeMadeBy({ organizationId }: OrganizationCaller, userId: string): Promise<ApiKeysRevoked> {
    return this.unitOfWork.run(async () => {
      const revoked = await this.repository.revokeMadeBy(organizationId, userId);
      await this.recordRevoked(organizationId, revoked);
      return { revoked: revoked.length };
    });
  }

  /** Revokes a key; a revoked one stays as it is. `NotFound` if there is none. */
  async revoke({ organizationId }: OrganizationCaller, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const key = found(await this.repository.revoke(organizationId, id), 'API key');
      if (key.wasInForce) await this.recordRevoked(organizationId, [key]);
    });
  }

  private async store(
    caller: OrganizationCaller,
    { name, role, expiresAt }: Pick<NewApiKey, 'name' | 'role' | 'expiresAt'>,
    key: string,
  ): Promise<ApiKey> {
    const { organizationId } = caller;
    const secret = { prefix: beginningOfApiKey(key), keyHash: hashApiKey(key) };
    const row = { id: uuidV7(), organizationId, name, role, expiresAt, maker: caller, ...secret };
    const stored = await this.repository.insert(row);
    if (!stored) {
      throw new Forbidden(
        'Only an admin of the organization can create keys, and you no longer are one',
        'role_too_low',
      );
    }
    const changes = changesOf(null, stored, { shown: ['role', 'expiresAt'] });
    await this.audit.record({ action: 'api_key.created', organizationId, subject: stored, changes });
    await this.mails.made(organizationId, stored);
    return stored;
  }

  private async recordRevoked(organizationId: string, keys: RevokedKey[]): Promise<void> {
    await this.audit.record(
      ...keys.map((subject) => ({ action: 'api_key.revoked', organizationId, subject }) as const),
    );
    await this.mails.revoked(organizationId, keys);
  }
}
