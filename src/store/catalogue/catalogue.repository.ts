import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { byColor, byId, page, type ProductSortField, search } from './catalogue.statements.js';
import type { Product } from './catalogue.shapes.js';
import { ProductEntity } from './product.entity.js';

interface ColorPage {
  color: string;
  sort: ProductSortField;
  direction: 'ASC' | 'DESC';
  skip: number;
  limit: number;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

@Injectable()
export class CatalogueRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  page(skip: number, limit: number): Promise<Product[]> {
    return this.database.rows<Product>(page, [skip, limit]);
  }

  byId(id: number): Promise<Product | null> {
    return this.database.row<Product>(byId, [id]);
  }

  search(text: string, skip: number, limit: number): Promise<Product[]> {
    return this.database.rows<Product>(search, [text, `%${escapeLike(text)}%`, skip, limit]);
  }

  byColor({ color, sort, direction, skip, limit }: ColorPage): Promise<Product[]> {
    return this.database.rows<Product>(byColor(sort, direction), [color, skip, limit]);
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
}
