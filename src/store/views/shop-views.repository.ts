import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { ShopViewEntity } from './shop-view.entity.js';
import type { ShopView, ShopViewFilter, ViewedList } from './shop-views.dto.js';

/** The views that the user $1 sees, of the list $2 if it is not null. */
const seen = `shop_views v WHERE (v.shared OR v.owner_id = $1) AND ($2::text IS NULL OR v.list = $2)`;

const page = statement(
  'shop-views.page',
  `SELECT v.id, v.list, v.name, v.shared, v.query, v.created_at,
          (SELECT u.username FROM users u WHERE u.id = v.owner_id) AS created_by
     FROM ${seen} ORDER BY v.created_at DESC, v.id DESC OFFSET $3 LIMIT $4`,
);

const countOfSeen = statement('shop-views.count-of-seen', `SELECT count(*)::integer AS count FROM ${seen}`);

const remove = statement(
  'shop-views.remove',
  'DELETE FROM shop_views WHERE id = $1 AND (shared OR owner_id = $2) RETURNING id, name',
);

/** What is only somebody's own goes; what is shared stays without an owner. */
const removeOf = statement(
  'shop-views.remove-of',
  `WITH gone AS (DELETE FROM shop_views WHERE owner_id = $1 AND NOT shared)
   UPDATE shop_views SET owner_id = NULL WHERE owner_id = $1 AND shared`,
);

/** Of the owner `shop`, which has all of them. */
const count = statement('shop-views.count', countUpTo(`shop_views WHERE $1::text = 'shop'`));

@Injectable()
export class ShopViewsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(ShopViewEntity) private readonly views: Repository<ShopViewEntity>,
  ) {}

  page(userId: string, { list, skip, limit }: ShopViewFilter): Promise<ShopView[]> {
    return this.database.rows<ShopView & object>(page, [userId, list ?? null, skip, limit]);
  }

  async countOfSeen(userId: string, list: ViewedList | undefined): Promise<number> {
    const row = await this.database.row<{ count: number }>(countOfSeen, [userId, list ?? null]);
    return row?.count ?? 0;
  }

  insert(view: Omit<ShopViewEntity, 'createdAt'>): Promise<ShopViewEntity> {
    return this.stockQuotas.within('shopViews', 'shop', count, async () => {
      const row = this.views.create(view);
      await this.views.insert(row);
      return row;
    });
  }

  /** Removes a view that the user sees; null if there is none. */
  remove(userId: string, id: string): Promise<{ id: string; name: string } | null> {
    return this.database.row<{ id: string; name: string }>(remove, [id, userId]);
  }

  async removeOf(userId: string): Promise<void> {
    await this.database.execute(removeOf, [userId]);
  }
}
