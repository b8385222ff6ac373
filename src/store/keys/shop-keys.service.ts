import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { beginningOfApiKey, hashApiKey, newApiKey } from '../../platform/crypto/api-keys.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Forbidden, found } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import type { AdminPaging } from '../../platform/http/paging.js';
import { ListTotals } from '../../platform/http/total-count.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SecurityMails } from '../account-mail/security-mails.js';
import { notices } from '../account-mail/security-notices.js';
import { ShopKeysRepository } from './shop-keys.repository.js';
import type { ShopKey, ShopKeyCreate, ShopKeyCreated } from './shop-keys.dto.js';

/**
 * The keys by which programs administer the shop. Unspecified: the keys of a maker who leaves or is no longer an admin.
 * They belong to the shop, whose other systems rely on them, and stay in force; the list shows who made them.
 */
@Injectable()
export class ShopKeysService {
  constructor(
    private readonly repository: ShopKeysRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly totals: ListTotals,
    private readonly audit: AuditLog,
    private readonly mails: SecurityMails,
  ) {}

  /** A page of the keys, newest first, revoked and expired ones among them. */
  async list(paging: AdminPaging): Promise<ShopKey[]> {
    const page = await this.repository.page(paging.skip, paging.limit);
    return this.totals.page(page, paging, { key: 'shop-keys', count: () => this.repository.count() });
  }

  /**
   * Makes a key and returns it, only this once. `Invalid` for an `expires_at` in the past, `QuotaExceeded` where the
   * quota of keys in force is full, `Forbidden` where the caller is no longer an admin.
   */
  create({ name, scopes, expires_at }: ShopKeyCreate, caller: CallerIdentity): Promise<ShopKeyCreated> {
    const expiresAt = expires_at ? new Date(expires_at) : null;
    if (expiresAt && expiresAt.getTime() <= Date.now()) {
      throw Invalid.at(['body', 'expires_at'], 'datetime_future', 'Input should be in the future', expires_at);
    }
    const key = newApiKey('shop');
    const secret = { prefix: beginningOfApiKey(key), keyHash: hashApiKey(key) };
    const row = { id: uuidV7(), name, scopes: [...new Set(scopes)], expiresAt, makerId: caller.id, ...secret };
    return this.unitOfWork.run(async () => {
      const made = await this.repository.insert(row);
      if (!made) throw new Forbidden('Only an admin can make keys, and you no longer are one', 'admin_only');
      const changes = changesOf(null, made, { shown: ['scopes', 'expires_at'] });
      await this.audit.record({ action: 'api_key.created', subject: made, changes });
      await this.mails.send(caller.id, notices.shopKeyMade(name));
      return Object.assign(made, { key });
    });
  }

  /** Revokes a key; a revoked one stays as it is. `NotFound` if there is none. */
  revoke(id: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const key = found(await this.repository.revoke(id), 'Key');
      if (!key.was_in_force) return;
      await this.audit.record({ action: 'api_key.revoked', subject: key });
      if (key.maker_id) await this.mails.send(key.maker_id, notices.shopKeyRevoked(key.name));
    });
  }
}
