import { Injectable, type OnModuleInit } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { ListTotals } from '../../platform/http/total-count.js';
import { AccountRemovals } from '../../platform/removal-steps.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ShopViewsRepository } from './shop-views.repository.js';
import type { ShopView, ShopViewCreate, ShopViewFilter } from './shop-views.dto.js';

const taken = () =>
  new Conflict('There is already a view of this list with this name: choose another name', 'view_exists');
const nameTaken = { shop_views_shared_name_key: taken, shop_views_own_name_key: taken };

/** The saved views of the lists of the administration. */
@Injectable()
export class ShopViewsService implements OnModuleInit {
  constructor(
    private readonly repository: ShopViewsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly totals: ListTotals,
    private readonly audit: AuditLog,
    private readonly accounts: AccountRemovals,
  ) {}

  onModuleInit(): void {
    this.accounts.add(({ userId }) => this.repository.removeOf(userId));
  }

  /** A page of the views that the admin sees, newest first. */
  async list(userId: string, filter: ShopViewFilter): Promise<ShopView[]> {
    const rows = await this.repository.page(userId, filter);
    const count = () => this.repository.countOfSeen(userId, filter.list);
    return this.totals.page(rows, filter, { key: `shop-views ${userId} ${filter.list}`, count });
  }

  /** Saves a view; `Conflict` if there is one of this name, `QuotaExceeded` where the quota is full. */
  create({ id: ownerId, username }: CallerIdentity, view: ShopViewCreate): Promise<ShopView> {
    const { list, name, shared, query } = view;
    return this.unitOfWork.run(async () => {
      const write = this.repository.insert({ id: uuidV7(), ownerId, list, name, shared, query });
      const { id, createdAt } = await refuseViolations(write, nameTaken);
      const made = { id, list, name, shared, query, created_by: username, created_at: createdAt };
      const changes = changesOf<ShopView>(null, made, { shown: ['list', 'shared', 'query'] });
      await this.audit.record({ action: 'view.created', subject: { id, name }, changes });
      return made;
    });
  }

  /** Deletes a view; `NotFound` if the admin sees none. */
  remove(userId: string, id: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const subject = found(await this.repository.remove(userId, id), 'View');
      await this.audit.record({ action: 'view.deleted', subject });
    });
  }
}
