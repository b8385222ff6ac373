import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import * as statements from './catalogue.statements.js';
import type { ProductSortField } from './catalogue.statements.js';
import type { Product } from './catalogue.shapes.js';
import { ProductEntity } from './product.entity.js';
import type { SearchWords } from './search-words.js';

interface Count {
  count: number;
}

interface ColorPage {
  color: string;
  sort: ProductSortField;
  direction: 'ASC' | 'DESC';
  skip: number;
  limit: number;
}

@Injectable()
export class CatalogueRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  page(skip: number, limit: number): Promise<Product[]> {
    return this.database.rows<Product>(statements.page, [skip, limit]);
  }

  count(): Promise<number> {
    return this.counted(this.database.one<Count>(statements.count));
  }

  byId(id: number): Promise<Product | null> {
    return this.database.row<Product>(statements.byId, [id]);
  }

  /** The products that have all the words, best first; `text` is what the best one is called. */
  search({ text, words }: SearchWords, skip: number, limit: number): Promise<Product[]> {
    return this.database.rows<Product>(statements.search(words.length), [text, skip, limit, ...words]);
  }

  /** How many products have all the words; it counts no further than `most`. */
  countMatches({ words }: SearchWords, most: number): Promise<number> {
    return this.counted(this.database.one<Count>(statements.countMatches(words.length), [most, ...words]));
  }

  /** For each word that no product has: some that products have and that are like it, the likest first. */
  async alikeWords(words: readonly string[], count: number): Promise<string[][]> {
    const { alike } = await this.database.one<{ alike: string[][] }>(statements.alikeWords(words.length), [
      count,
      ...words,
    ]);
    return alike;
  }

  byColor({ color, sort, direction, skip, limit }: ColorPage): Promise<Product[]> {
    return this.database.rows<Product>(statements.byColor(sort, direction), [color, skip, limit]);
  }

  countOfColor(color: string): Promise<number> {
    return this.counted(this.database.one<Count>(statements.countOfColor, [color]));
  }

  insert(product: Partial<ProductEntity>): Promise<ProductEntity> {
    const products = this.unitOfWork.manager.getRepository(ProductEntity);
    return products.save(products.create(product), { transaction: false });
  }

  /** Changes a listed product and answers it, or null where there is none. */
  async update(id: number, changes: Partial<ProductEntity>): Promise<Product | null> {
    const result = await this.unitOfWork.manager
      .createQueryBuilder()
      .update(ProductEntity)
      .set(changes)
      .where('id = :id AND deleted_at IS NULL', { id })
      .returning('id, name, description, price, stock, color, material, size, image_url, created_at')
      .execute();
    return (result.raw as Product[])[0] ?? null;
  }

  /** Takes a product out of the catalogue and of every cart; answers whether there was one. */
  async remove(id: number): Promise<boolean> {
    const removed = await this.database.row(
      `WITH gone AS (UPDATE products SET deleted_at = now() WHERE id = $1 AND deleted_at IS NULL RETURNING id),
            lines AS (DELETE FROM cart_items WHERE product_id IN (SELECT id FROM gone))
       SELECT id FROM gone`,
      [id],
    );
    return removed !== null;
  }

  private async counted(row: Promise<Count>): Promise<number> {
    return (await row).count;
  }
}
