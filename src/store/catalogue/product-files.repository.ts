import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Product } from './catalogue.dto.js';
import type { ProductFields } from './product-csv.js';
import * as statements from './product-files.statements.js';

/** A product as a file has it, with its id. */
export type FileProduct = ProductFields & { id: number };

@Injectable()
export class ProductFilesRepository {
  constructor(private readonly database: Database) {}

  /** Up to so many products after an id, by id. */
  pageAfter(id: number, limit: number): Promise<Product[]> {
    return this.database.rows<Product>(statements.pageAfter, [id, limit]);
  }

  /** The listed ones of these products; locks them until the unit of work ends where the caller will write them. */
  listed(ids: readonly number[], { lock }: { lock: boolean }): Promise<Product[]> {
    return this.database.rows<Product>(lock ? statements.locked : statements.listed, [ids]);
  }

  /** Adds products and returns them in the given order. */
  insertAll(products: readonly ProductFields[]): Promise<Product[]> {
    return this.database.rows<Product>(statements.insertAll, [JSON.stringify(products)]);
  }

  async updateAll(products: readonly FileProduct[]): Promise<void> {
    await this.database.execute(statements.updateAll, [JSON.stringify(products)]);
  }

  /** Gives locked products other slugs; returns one that another product has or had, or null. */
  async moveSlugs(products: readonly { id: number; slug: string }[]): Promise<string | null> {
    const moved = await this.database.rows<{ slug: string }>(statements.moveSlugs, [JSON.stringify(products)]);
    const given = new Set(moved.map(({ slug }) => slug));
    return products.find(({ slug }) => !given.has(slug))?.slug ?? null;
  }

  /** Replaces the galleries of locked products, but for their own pictures. */
  async setGalleries(galleries: ReadonlyMap<number, readonly { url: string; alt: string | null }[]>): Promise<void> {
    const rows = [...galleries].flatMap(([id, images]) =>
      images.map((image, n) => ({ id, position: n + 1, ...image })),
    );
    await this.database.execute(statements.clearGalleries, [[...galleries.keys()]]);
    if (rows.length > 0) await this.database.execute(statements.addGalleries, [JSON.stringify(rows)]);
  }

  /** Puts locked products into these categories alone. */
  async setCategories(categories: ReadonlyMap<number, readonly number[]>): Promise<void> {
    const pairs = JSON.stringify([...categories].flatMap(([id, ids]) => ids.map((category) => ({ id, category }))));
    await this.database.execute(statements.leaveCategories, [[...categories.keys()], pairs]);
    await this.database.execute(statements.enterCategories, [pairs]);
  }

  /** Sets the prices and statuses of locked products. */
  async reprice(products: readonly Pick<Product, 'id' | 'price' | 'status'>[]): Promise<void> {
    await this.database.execute(statements.reprice, [JSON.stringify(products)]);
  }

  async describeAll(products: readonly FileProduct[]): Promise<void> {
    await this.database.execute(statements.describeAll, [JSON.stringify(products)]);
  }
}
