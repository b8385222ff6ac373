import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { found, NotFound } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { Changes } from '../../database/changes.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CatalogueRepository } from './catalogue.repository.js';
import type { Product, ProductCreate, ProductDetail, ProductUpdate } from './catalogue.dto.js';
import type { AdminProductCreate, AdminProductUpdate } from './admin-products.dto.js';
import { auditOfProduct } from './product-audit.js';
import { assortment, changedGroups, productCacheTag, updatedProduct } from './product-cache-tags.js';
import { mostVariants } from './product-columns.statements.js';
import { ProductDetailsRepository } from './product-details.repository.js';
import { ProductEvents } from './product-events.js';
import type { ProductEntity } from './product.entity.js';
import { groupFull, skuTaken, slugTaken } from './product-refusals.js';

type Fields = Partial<AdminProductUpdate>;

/** Adds, changes and removes products. */
@Injectable()
export class ProductEditingService {
  constructor(
    private readonly repository: CatalogueRepository,
    private readonly details: ProductDetailsRepository,
    private readonly changes: Changes,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly events: ProductEvents,
  ) {}

  /**
   * Adds a product. `Conflict` where its slug or sku is taken or its group is full, `Invalid` for a category that there is
   * not.
   */
  create(product: ProductCreate | AdminProductCreate): Promise<ProductDetail> {
    const fields: Fields = product;
    return this.unitOfWork.run(async () => {
      const id = await refuseViolations(this.repository.insert(toColumns(fields)), skuTaken);
      await this.writeDetails(id, fields);
      if (fields.slug !== undefined) await this.moveSlug(id, fields.slug);
      const created = found(await this.repository.byIdForAdmin(id), 'Product');
      await this.record('product.created', null, created);
      this.changes.invalidate([assortment, ...changedGroups(created)]);
      return created;
    });
  }

  /**
   * Changes what is given of a product; throws as `create` does, `NotFound` if there is none, and for a draft where the caller
   * does not see drafts, `ChangedMeanwhile` where it is not `ifMatch`.
   */
  update(
    id: number,
    changes: ProductUpdate | AdminProductUpdate,
    ifMatch: string | null,
    { seesDrafts }: { seesDrafts: boolean },
  ): Promise<ProductDetail> {
    const fields: Fields = changes;
    return this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Product');
      if (before.status === 'draft' && !seesDrafts) throw new NotFound('Product not found');
      assertUnchanged(ifMatch, before);
      if (Object.keys(fields).length === 0) return before;
      await refuseViolations(this.repository.update(id, toColumns(fields)), skuTaken);
      await this.writeDetails(id, fields);
      if (fields.slug !== undefined) await this.moveSlug(id, fields.slug);
      if (fields.status === 'draft' && before.status !== 'draft') await this.details.leaveCarts([id]);
      const updated = found(await this.repository.byIdForAdmin(id), 'Product');
      await this.record('product.updated', before, updated);
      const isListedAnew = before.status !== updated.status;
      const groups = changedGroups(before, updated);
      this.changes.invalidate([...updatedProduct(id, changes), ...groups, ...(isListedAnew ? [assortment] : [])]);
      return updated;
    });
  }

  /** Removes a product from the catalog and from every cart; orders keep it. `NotFound` if there is none. */
  async remove(id: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Product');
      await this.repository.remove(id);
      await this.record('product.deleted', before, null);
      this.changes.invalidate([assortment, productCacheTag(id)]);
    });
  }

  private async writeDetails(id: number, { images, image_url, categories, group_id }: Fields): Promise<void> {
    if (images)
      await this.details.setImages(
        id,
        images.map(({ url, alt = null }) => ({ url, alt })),
      );
    else if (image_url === null) await this.details.setImages(id, []);
    if (categories) await this.setCategories(id, [...new Set(categories)]);
    if (group_id && (await this.details.hasOverfullGroup([group_id], mostVariants))) throw groupFull();
  }

  private async setCategories(id: number, slugs: readonly string[]): Promise<void> {
    const ids = await this.details.categoryIds(slugs);
    const unknown = slugs.find((slug) => !ids.has(slug));
    if (unknown !== undefined) {
      throw Invalid.at(['body', 'categories'], 'value_error', `There is no category "${unknown}"`, unknown);
    }
    await this.details.setCategories(id, [...ids.values()]);
  }

  private async moveSlug(id: number, slug: string): Promise<void> {
    if (!(await this.details.takeSlug(id, slug))) throw slugTaken(slug);
    await this.repository.update(id, { slug });
  }

  private async record(action: AuditAction, before: ProductDetail | null, after: ProductDetail | null): Promise<void> {
    await this.audit.record(auditOfProduct(action, before, after));
    await this.events.record([{ before: withoutVariants(before), after: withoutVariants(after) }]);
  }
}

function withoutVariants(product: ProductDetail | null): Product | null {
  if (!product) return null;
  const { variants: _, ...own } = product;
  return own;
}

/** The columns of what is given. The first picture of a gallery is the product's own. */
function toColumns(fields: Fields): Partial<ProductEntity> {
  const { image_url, images, group_id: groupId, slug: _, categories: __, ...same } = fields;
  const imageUrl = images ? (images[0]?.url ?? null) : image_url;
  return {
    ...same,
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(groupId === undefined ? {} : { groupId }),
  };
}
