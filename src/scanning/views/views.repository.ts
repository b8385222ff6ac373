import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { namePage, namePageValues } from '../name-search.statements.js';
import type { SearchPaging } from '../search-paging.js';
import { ViewEntity } from './view.entity.js';
import type { View, ViewUpdate } from './views.dto.js';

const columns = `id, name, shared, owner_id AS "ownerId", filter, sort, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

const page = namePage('issue_views', columns, 'AND (shared OR owner_id = $6)');

const byId = statement(
  'issue_views.by-id',
  `SELECT ${columns} FROM issue_views WHERE organization_id = $1 AND id = $2 AND (shared OR owner_id = $3)`,
);

/** Blocks concurrent changes until the unit of work ends. */
const byIdForUpdate = statement('issue_views.by-id-for-update', `${byId.text} FOR NO KEY UPDATE`);

const update = statement(
  'issue_views.update',
  `UPDATE issue_views SET name = coalesce($3, name), shared = coalesce($4, shared), filter = coalesce($5::jsonb, filter),
          sort = coalesce($6, sort), updated_at = now()
    WHERE organization_id = $1 AND id = $2
   RETURNING ${columns}`,
);

/** What is only somebody's own goes; what is the organization's stays without an owner. */
const removeOf = statement(
  'issue_views.remove-of',
  `WITH gone AS (
     DELETE FROM issue_views WHERE owner_id = $1 AND ($2::uuid IS NULL OR organization_id = $2) AND NOT shared)
   UPDATE issue_views SET owner_id = NULL WHERE owner_id = $1 AND ($2::uuid IS NULL OR organization_id = $2) AND shared`,
);

const count = statement('issue_views.count', countUpTo('issue_views WHERE organization_id = $1'));

@Injectable()
export class ViewsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(ViewEntity) private readonly views: Repository<ViewEntity>,
  ) {}

  /** The organization's views, and those of the user. */
  page(organizationId: string, userId: string | null, paging: SearchPaging): Promise<View[]> {
    return this.database.rows<View & object>(page, [...namePageValues(organizationId, paging), userId]);
  }

  byId(organizationId: string, userId: string | null, id: string): Promise<View | null> {
    return this.database.row<View & object>(byId, [organizationId, id, userId]);
  }

  byIdForUpdate(organizationId: string, userId: string | null, id: string): Promise<View | null> {
    return this.database.row<View & object>(byIdForUpdate, [organizationId, id, userId]);
  }

  insert(view: Omit<ViewEntity, 'createdAt' | 'updatedAt'>): Promise<ViewEntity> {
    return this.stockQuotas.within('views', view.organizationId, count, async () => {
      const row = this.views.create(view);
      await this.views.insert(row);
      return row;
    });
  }

  update(organizationId: string, id: string, { name, shared, filter, sort }: ViewUpdate): Promise<View | null> {
    const values = [name ?? null, shared ?? null, filter ? JSON.stringify(filter) : null, sort ?? null];
    return this.database.row<View & object>(update, [organizationId, id, ...values]);
  }

  async remove(organizationId: string, id: string): Promise<void> {
    await this.views.delete({ organizationId, id });
  }

  /** Ends what somebody had in an organization, or in all where that is null. */
  async removeOf(userId: string, organizationId: string | null): Promise<void> {
    await this.database.execute(removeOf, [userId, organizationId]);
  }
}
