import { Injectable } from '@nestjs/common';
import { found } from '../../platform/errors/errors.js';
import { withTotal } from '../../platform/http/total-count.js';
import { CatalogueRepository } from './catalogue.repository.js';
import type { Product, RelatedProducts } from './catalogue.dto.js';
import { CategoriesRepository } from './categories.repository.js';
import { CatalogueSearches } from './catalogue-searches.js';
import type { FacetsQuery, ListSort, ProductFacets, ProductFilter, ProductList } from './listings.dto.js';
import { ListingsRepository } from './listings.repository.js';
import type { ListingFilter } from './listings.statements.js';
import { wordsOf } from './search-words.js';

const relatedCount = 8;

const nothing = {
  total: 0,
  categories: [],
  colors: [],
  sizes: [],
  materials: [],
  price: { min: null, max: null },
  in_stock: 0,
};

/** The public lists where they are filtered or sorted, what they can be narrowed to, and related products. */
@Injectable()
export class ListingsService {
  constructor(
    private readonly repository: ListingsRepository,
    private readonly catalogue: CatalogueRepository,
    private readonly categories: CategoriesRepository,
    private readonly searches: CatalogueSearches,
  ) {}

  /** A page of the products that the filters leave, and that have the words of `q`; the total counts up to 10,000. */
  async list(asked: ProductList & { q?: string }): Promise<Product[]> {
    const filter = await this.filterOf(asked);
    if (!filter) return withTotal([], 0);
    return this.page(filter, asked.sort, asked.skip, asked.limit);
  }

  /** What the filters leave, counted by the values that narrow it further: of the first 10,000. */
  async facets(asked: FacetsQuery): Promise<ProductFacets> {
    const filter = await this.filterOf(asked);
    return filter ? this.searches.admitted(() => this.repository.facets(filter)) : nothing;
  }

  /**
   * Products of the same categories, of other groups, one a group, the best rated first; the newest ones for a product without
   * a category. `NotFound` if there is no such product.
   */
  async related(id: number): Promise<RelatedProducts> {
    const { categories = [], group_id: group } = found(await this.catalogue.byId(id), 'Product');
    const any = categories.length === 0 ? null : await this.categories.keysOf(categories);
    const prices = { minPrice: undefined, maxPrice: undefined };
    const filter = { all: [], any, ...prices, onGroup: true, words: null, besides: { id, group } };
    return { products: await this.page(filter, any === null ? 'newest' : 'rating', 0, relatedCount) };
  }

  private async page(filter: ListingFilter, sort: ListSort, skip: number, limit: number): Promise<Product[]> {
    const page = () => this.repository.page(filter, sort, skip, limit);
    const { products, total } = await this.searches.admitted(page);
    return withTotal(products, Math.max(total, products.length === 0 ? 0 : skip + products.length));
  }

  /** The filter as the listings know it; null where nothing can match. */
  private async filterOf(asked: ProductFilter & { q?: string }): Promise<ListingFilter | null> {
    const { category, color, size, material, min_price: minPrice, max_price: maxPrice, in_stock, on_group } = asked;
    const values = Object.entries({ color, size, material }).filter(([, value]) => value !== undefined);
    const all = values.map(([field, value = '']) => `${field}:${value.toLowerCase()}`);
    if (in_stock) all.push('stock');
    const any = category === undefined ? null : await this.categories.keysOf([category]);
    if (any?.length === 0) return null;
    const words = asked.q === undefined ? null : wordsOf(asked.q);
    if (words?.words.length === 0) return null;
    return { all, any, minPrice, maxPrice, onGroup: on_group, words };
  }
}
