import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import type { AdminCategory, Subcategory } from './categories.dto.js';
import * as statements from './categories.statements.js';
import { CategoryEntity } from './category.entity.js';

/** A category in the tree. */
export interface CategoryNode extends Subcategory {
  id: number;
  parent_id: number | null;
}

/** A category as it is stored. */
export interface StoredCategory extends AdminCategory {
  id: number;
  has_children: boolean;
}

export type CategoryFields = Pick<CategoryEntity, 'name' | 'description' | 'imageUrl' | 'parentId' | 'position'>;

@Injectable()
export class CategoriesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(CategoryEntity) private readonly categories: Repository<CategoryEntity>,
  ) {}

  /** All categories, in their order. */
  all(): Promise<CategoryNode[]> {
    return this.database.rows<CategoryNode & Record<string, unknown>>(statements.tree);
  }

  /** The keys of listings in these categories, and in those below; none where there are no such categories. */
  async keysOf(slugs: readonly string[]): Promise<string[]> {
    return (await this.database.rows<{ key: string }>(statements.keys, [slugs])).map(({ key }) => key);
  }

  bySlug(slug: string): Promise<StoredCategory | null> {
    return this.database.row<StoredCategory & Record<string, unknown>>(statements.bySlug, [slug]);
  }

  /** Holds off all other changes of categories until the unit of work ends. */
  async lockAll(): Promise<void> {
    await this.database.execute(statements.lockAll);
  }

  async count(): Promise<number> {
    return (await this.database.one<{ count: number }>(statements.count)).count;
  }

  /** Adds a category and returns its slug. */
  async insert(slug: string | null, fields: CategoryFields): Promise<string> {
    const { name, description, imageUrl, parentId, position } = fields;
    const values = [slug, name, description, imageUrl, parentId, position];
    return (await this.database.one<{ slug: string }>(statements.insert, values)).slug;
  }

  async update(id: number, changes: Partial<CategoryFields> & { slug?: string }): Promise<void> {
    if (Object.keys(changes).length > 0) await this.categories.update({ id }, changes);
  }

  async hasMoreThan(id: number, most: number): Promise<boolean> {
    return (await this.database.one<{ more: boolean }>(statements.hasMoreThan, [id, most])).more;
  }

  /** Deletes a category; its products are no longer in it. */
  async remove(id: number): Promise<void> {
    await this.categories.delete({ id });
  }
}
