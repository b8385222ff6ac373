import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Product } from './catalogue.dto.js';
import type { ProductFields } from './product-csv.js';
import * as statements from './product-files.statements.js';

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

  async updateAll(products: readonly Product[]): Promise<void> {
    await this.database.execute(statements.updateAll, [JSON.stringify(products)]);
  }

  async describeAll(products: readonly Product[]): Promise<void> {
    await this.database.execute(statements.describeAll, [JSON.stringify(products)]);
  }
}
