import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Product } from './catalogue.dto.js';
import type { ListSort, ProductFacets } from './listings.dto.js';
import { facets, type ListingFilter, listingsPage } from './listings.statements.js';

/** A page of listings; the total counts up to 10,000. */
interface ListingsPage {
  products: Product[];
  total: number;
}

@Injectable()
export class ListingsRepository {
  constructor(private readonly database: Database) {}

  async page(filter: ListingFilter, sort: ListSort, skip: number, limit: number): Promise<ListingsPage> {
    const { sql, values } = listingsPage(filter, sort, skip, limit);
    const rows = await this.database.rows<Product & { total: number }>(sql, values);
    const products = rows.flatMap((row) => {
      const { total: _, ...product } = row;
      return product.id === null ? [] : [product];
    });
    return { products, total: rows[0]?.total ?? 0 };
  }

  facets(filter: ListingFilter): Promise<ProductFacets> {
    const { sql, values } = facets(filter);
    return this.database.one<ProductFacets & Record<string, unknown>>(sql, values);
  }
}
