import { Injectable } from '@nestjs/common';
import { type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { Changes } from '../../database/changes.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import {
  CategoriesRepository,
  type CategoryFields,
  type CategoryNode,
  type StoredCategory,
} from './categories.repository.js';
import type { AdminCategory, Categories, CategoryCreate, CategoryUpdate, Subcategory } from './categories.dto.js';
import { categoryNames, descriptions } from './product-cache-tags.js';

/** The most categories of the shop. */
const mostCategories = 500;
/** A category with more products is emptied before it is deleted: each of them is listed anew. */
const mostProducts = 10_000;

const slugTaken = {
  categories_slug_key: () =>
    new Conflict('There is already a category with this slug: choose another one', 'slug_taken'),
};

const audited = {
  shown: ['slug', 'name', 'description', 'image_url', 'parent', 'position'],
} satisfies AuditedFields<AdminCategory>;

function shown(stored: StoredCategory): AdminCategory {
  const { id: _, has_children: __, ...category } = stored;
  return category;
}

function shownNode(node: CategoryNode): Subcategory {
  const { id: _, parent_id: __, ...category } = node;
  return category;
}

/** The categories of products, in two levels. */
@Injectable()
export class CategoriesService {
  constructor(
    private readonly repository: CategoriesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly changes: Changes,
  ) {}

  /** All categories as a tree. */
  async tree(): Promise<Categories> {
    const all = await this.repository.all();
    const below = (parent: number | null) => all.filter(({ parent_id }) => parent_id === parent);
    return {
      categories: below(null).map((node) =>
        Object.assign(shownNode(node), { children: below(node.id).map(shownNode) }),
      ),
    };
  }

  /** One category; `NotFound` if there is none. */
  async get(slug: string): Promise<AdminCategory> {
    return shown(found(await this.repository.bySlug(slug), 'Category'));
  }

  /** Makes a category. `Conflict` where its slug is taken or there are too many, `Invalid` for a parent that cannot be one. */
  create({
    slug,
    name,
    description = null,
    image_url = null,
    parent,
    position,
  }: CategoryCreate): Promise<AdminCategory> {
    return this.unitOfWork.run(async () => {
      await this.repository.lockAll();
      if ((await this.repository.count()) >= mostCategories) {
        throw new Conflict(`The shop has ${mostCategories} categories: delete one first`, 'too_many_categories');
      }
      const parentId = await this.parentId(parent ?? null);
      const fields = { name, description, imageUrl: image_url, parentId, position };
      const made = await refuseViolations(this.repository.insert(slug ?? null, fields), slugTaken);
      const category = await this.get(made);
      await this.record('category.created', null, category);
      return category;
    });
  }

  /** Changes a category; throws as `create` does, `NotFound` if there is none, `ChangedMeanwhile` where it is not `ifMatch`. */
  update(slug: string, changes: CategoryUpdate, ifMatch: string | null): Promise<AdminCategory> {
    return this.unitOfWork.run(async () => {
      await this.repository.lockAll();
      const before = found(await this.repository.bySlug(slug), 'Category');
      assertUnchanged(ifMatch, shown(before));
      const columns = await this.columnsOf(before, changes);
      await refuseViolations(this.repository.update(before.id, columns), slugTaken);
      const after = await this.get(changes.slug ?? slug);
      await this.record('category.updated', shown(before), after);
      return after;
    });
  }

  /** Deletes a category, and takes its products out of it. `Conflict` where others are below it, or it has too many products. */
  remove(slug: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.repository.lockAll();
      const category = found(await this.repository.bySlug(slug), 'Category');
      if (category.has_children)
        throw new Conflict('Other categories are below this one: move or delete them first', 'category_in_use');
      if (await this.repository.hasMoreThan(category.id, mostProducts)) {
        throw new Conflict(
          `The category has more than ${mostProducts} products: take some out of it first`,
          'category_in_use',
        );
      }
      await this.repository.remove(category.id);
      await this.record('category.deleted', shown(category), null);
    });
  }

  private async columnsOf(
    before: StoredCategory,
    { image_url: imageUrl, parent, ...same }: CategoryUpdate,
  ): Promise<Partial<CategoryFields>> {
    if (parent !== undefined && parent !== null && before.has_children) {
      throw Invalid.at(['body', 'parent'], 'value_error', 'Input should be null: other categories are below this one');
    }
    if (parent !== undefined && parent === before.slug) {
      throw Invalid.at(['body', 'parent'], 'value_error', 'Input should be another category');
    }
    return {
      ...same,
      ...(imageUrl === undefined ? {} : { imageUrl }),
      ...(parent === undefined ? {} : { parentId: await this.parentId(parent) }),
    };
  }

  private async parentId(slug: string | null): Promise<number | null> {
    if (slug === null) return null;
    const parent = await this.repository.bySlug(slug);
    const fault = (msg: string) => Invalid.at(['body', 'parent'], 'value_error', msg, slug);
    if (!parent) throw fault('There is no such category');
    if (parent.parent !== null) throw fault('Input should be a category that is below no other');
    return parent.id;
  }

  private async record(
    action: 'category.created' | 'category.updated' | 'category.deleted',
    before: AdminCategory | null,
    after: AdminCategory | null,
  ): Promise<void> {
    const { slug: id, name } = (after ?? before) as AdminCategory;
    await this.audit.record({ action, subject: { id, name }, changes: changesOf(before, after, audited) });
    this.changes.invalidate([categoryNames, descriptions]);
  }
}
