import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { Requester } from '../../platform/auth/caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { IdempotentRequestsService } from '../idempotency/idempotent-requests.service.js';
import type { Product } from './catalogue.dto.js';
import { auditOfProduct } from './product-audit.js';
import type { PriceChange, ProductBulkChange, ProductBulkResult } from './product-bulk.dto.js';
import { anyStock, assortment, changedGroups, descriptions, inStock, productCacheTag } from './product-cache-tags.js';
import { ProductDetailsRepository } from './product-details.repository.js';
import { ProductEvents } from './product-events.js';
import { ProductFilesRepository } from './product-files.repository.js';

const mostCategories = 10;
const maxPrice = 9_999_999.99;

/** Changes many products at once. */
@Injectable()
export class ProductBulkService {
  constructor(
    private readonly repository: ProductFilesRepository,
    private readonly details: ProductDetailsRepository,
    private readonly requests: IdempotentRequestsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
    private readonly audit: AuditLog,
    private readonly events: ProductEvents,
  ) {}

  /**
   * Changes all of the products that there are, or none. `Invalid` for a price beyond its bounds, a category that there is not, and
   * where nothing is asked for.
   */
  change(asked: ProductBulkChange, by: Requester, key: string | null): Promise<ProductBulkResult> {
    assertAsked(asked);
    return this.unitOfWork.run(() => this.requests.once({ by, key, asks: asked }, () => this.write(asked)));
  }

  private async write(asked: ProductBulkChange): Promise<ProductBulkResult> {
    const { status, add_categories: entered = [], remove_categories: left = [] } = asked;
    const ids = [...new Set(asked.ids)];
    const before = await this.repository.listed(ids, { lock: true });
    const categories = await this.categoryIds({ add_categories: entered, remove_categories: left });
    const priced = before.map((product) => ({
      id: product.id,
      price: changedPrice(product.price, asked.price),
      status: status ?? product.status,
    }));
    const beyond = priced.find(({ price }) => price < 0 || price > maxPrice);
    if (beyond) {
      const msg = `The price of product ${beyond.id} would be ${beyond.price}: prices are from 0 to ${maxPrice}`;
      throw Invalid.at(['body', 'price'], 'value_error', msg);
    }
    const known = before.map(({ id }) => id);
    await this.repository.reprice(priced);
    const idsOf = (slugs: readonly string[]) => slugs.flatMap((slug) => categories.get(slug) ?? []);
    if (left.length > 0) await this.details.leaveTogether(known, idsOf(left));
    if (entered.length > 0) {
      const overfull = await this.details.enterTogether(known, idsOf(entered), mostCategories);
      if (overfull !== null) {
        const msg = `Product ${overfull} would be in more than ${mostCategories} categories: let it leave some`;
        throw Invalid.at(['body', 'add_categories'], 'value_error', msg);
      }
    }
    const drafted = before.filter((product) => status === 'draft' && product.status !== 'draft').map(({ id }) => id);
    if (drafted.length > 0) await this.details.leaveCarts(drafted);
    const changed = await this.record(before);
    const missing = ids.filter((id) => !known.includes(id));
    return { changed, unchanged: before.length - changed, missing };
  }

  /** Tells what changed; returns of how many products. */
  private async record(before: readonly Product[]): Promise<number> {
    const after = await this.repository.listed(
      before.map(({ id }) => id),
      { lock: false },
    );
    const earlier = new Map(before.map((product) => [product.id, product]));
    const changed = after.flatMap((product) => {
      const was = earlier.get(product.id);
      return was && JSON.stringify(was) !== JSON.stringify(product) ? [{ before: was, after: product }] : [];
    });
    if (changed.length === 0) return 0;
    await this.audit.record(...changed.map((one) => auditOfProduct('product.updated', one.before, one.after)));
    await this.events.record(changed);
    const groups = changedGroups(...changed.map((one) => one.after));
    const tags = changed.map((one) => productCacheTag(one.after.id));
    this.changes.invalidate([assortment, descriptions, anyStock, inStock, ...groups, ...tags]);
    return changed.length;
  }

  private async categoryIds(
    asked: Record<'add_categories' | 'remove_categories', string[]>,
  ): Promise<Map<string, number>> {
    const all = Object.values(asked).flat();
    if (all.length === 0) return new Map();
    const ids = await this.details.categoryIds(all);
    for (const [field, slugs] of Object.entries(asked)) {
      const unknown = slugs.find((slug) => !ids.has(slug));
      if (unknown === undefined) continue;
      throw Invalid.at(['body', field], 'value_error', `There is no category "${unknown}"`, unknown);
    }
    return ids;
  }
}

function assertAsked({
  price,
  status,
  add_categories: entered = [],
  remove_categories: left = [],
}: ProductBulkChange): void {
  if (price && (price.percent === undefined) === (price.amount === undefined)) {
    throw Invalid.at(['body', 'price'], 'value_error', 'Input should have either percent or amount');
  }
  if (!price && status === undefined && entered.length + left.length === 0) {
    const msg = 'Input should have at least one of price, status, add_categories and remove_categories';
    throw Invalid.at(['body'], 'value_error', msg);
  }
}

/** A price in whole cents, rounded half up. */
function changedPrice(price: number, change: PriceChange | undefined): number {
  const cents = Math.round(price * 100);
  if (change?.amount !== undefined) return (cents + Math.round(change.amount * 100)) / 100;
  // In integers: hundredths of a percent of cents.
  if (change?.percent !== undefined)
    return Math.round((cents * (10_000 + Math.round(change.percent * 100))) / 10_000) / 100;
  return price;
}
