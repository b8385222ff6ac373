import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Product } from './catalogue.shapes.js';
import { ProductEntity } from './product.entity.js';

const productColumns =
  'p.id, p.name, p.description, p.price, p.stock, p.color, p.material, p.size, p.image_url, p.created_at';

/** The page is counted off on the index of listed ids alone; only its own rows are read. */
const page = statement(
  'catalogue.page',
  `SELECT ${productColumns}
     FROM (SELECT id FROM products WHERE deleted_at IS NULL ORDER BY id OFFSET $1 LIMIT $2) AS listed
     JOIN products p USING (id)
    ORDER BY p.id`,
);

const byId = statement(
  'catalogue.by-id',
  `SELECT ${productColumns} FROM products p WHERE p.id = $1 AND p.deleted_at IS NULL`,
);

/** $1 is the text as a LIKE pattern with its own wildcards escaped, $2 the text itself. */
const search = statement(
  'catalogue.search',
  `SELECT ${productColumns}
     FROM products p
    WHERE p.deleted_at IS NULL AND (p.name ILIKE $1 OR p.description ILIKE $1)
    ORDER BY CASE WHEN lower(p.name) = lower($2) THEN 0 WHEN p.name ILIKE $1 THEN 1 ELSE 2 END, p.id
   OFFSET $3 LIMIT $4`,
);

const sortColumns = { name: 'lower(p.name)', price: 'p.price', created_at: 'p.created_at', stock: 'p.stock' } as const;
export type ProductSortField = keyof typeof sortColumns;
export const productSortFields = Object.keys(sortColumns) as ProductSortField[];

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
    return this.database.rows<Product>(search, [`%${escapeLike(text)}%`, text, skip, limit]);
  }

  byColor(color: string, sort: ProductSortField, direction: 'ASC' | 'DESC'): Promise<Product[]> {
    return this.database.rows<Product>(
      `SELECT ${productColumns} FROM products p
        WHERE p.deleted_at IS NULL AND lower(p.color) = lower($1)
        ORDER BY ${sortColumns[sort]} ${direction}, p.id`,
      [color],
    );
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
