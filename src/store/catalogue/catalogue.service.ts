import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Invalid } from '../../platform/errors/invalid.js';
import { found } from '../../platform/errors/errors.js';
import { withHeader } from '../../platform/http/response-headers.js';
import type { Paging } from '../../platform/http/paging.js';
import { ListTotals, totalOf, withTotal } from '../../platform/http/total-count.js';
import { CatalogueRepository } from './catalogue.repository.js';
import type { Sought } from './catalogue.statements.js';
import type { ProductSortField } from './product-sort-fields.js';
import type {
  AdminProductFilter,
  AdminProductSort,
  Product,
  ProductColorFilter,
  ProductDetail,
} from './catalogue.dto.js';
import { CatalogueSearches } from './catalogue-searches.js';
import type { ProductList, ProductSearch } from './listings.dto.js';
import { ListingsService } from './listings.service.js';
import { ProductDetailsRepository } from './product-details.repository.js';
import { similarHeader } from './similar-header.js';
import { assortment, descriptions } from './product-cache-tags.js';
import { partsOf, replaced, type SearchWords, wordsOf } from './search-words.js';

/** The dashboard's bound of low stock. */
const mostLowStock = 10;

/** The number of similar words to try for a misspelled one. */
const alikeCount = 3;

/** The most matches of a search that are counted. */
const mostCounted = 10_000;

/** Scanning so many products takes two milliseconds. */
const nearProducts = 10_000;
const mostSearchesKnown = 2_000;

/** A search without filters. */
type Asked = Pick<ProductSearch, 'q' | 'similar' | 'skip' | 'limit'>;

/** Whether a list is asked for as the interface description has it: without filters, in its own order. */
function isPlain(asked: ProductList): boolean {
  const { category, color, size, material, min_price, max_price, in_stock, on_group, sort } = asked;
  const isNarrowed = [category, color, size, material, min_price, max_price].some((value) => value !== undefined);
  return sort === 'relevance' && !in_stock && !on_group && !isNarrowed;
}

/** The products that the shop sells. */
@Injectable()
export class CatalogueService {
  /** The number of names near the first product that have the words of a search, as last counted: only a hint. */
  private readonly namesNear = new LRUCache<string, number>({ max: mostSearchesKnown });

  constructor(
    private readonly repository: CatalogueRepository,
    private readonly details: ProductDetailsRepository,
    private readonly totals: ListTotals,
    private readonly searches: CatalogueSearches,
    private readonly listings: ListingsService,
  ) {}

  /** Forgets what searches counted. */
  forget(): void {
    this.namesNear.clear();
  }

  /** A page of what the shop shows, by id, unless the caller asks for another order or narrows it. */
  async list(asked: ProductList): Promise<Product[]> {
    if (!isPlain(asked)) return this.listings.list(asked);
    const paging = { skip: asked.skip, limit: asked.limit };
    const list = { key: 'products', cacheTags: [assortment], count: () => this.repository.count() };
    return this.totals.page(await this.repository.page(paging.skip, paging.limit), paging, list);
  }

  /** A page of all products, drafts too. */
  private async listAll(paging: Paging, sort: AdminProductSort): Promise<Product[]> {
    const { products, endsEarly } = await this.repository.sortedPage(sort, paging.skip, paging.limit);
    const count = () => this.repository.countWithDrafts();
    return this.totals.page(products, paging, { key: 'all products', cacheTags: [assortment], endsEarly, count });
  }

  /**
   * A page of products for the administration: all, the matches of a search, or those of low stock, fewest first.
   * `Invalid` for another order of the last two than their own.
   */
  async listForAdmin({ search, similar, low_stock, sort, skip, limit }: AdminProductFilter): Promise<Product[]> {
    if (sort !== 'id' && (low_stock || search !== undefined)) {
      const msg =
        'Input should be omitted with search, which lists the best matches first, and with low_stock, which lists ' +
        'the lowest stock first';
      throw Invalid.at(['query', 'sort'], 'value_error', msg, sort);
    }
    if (low_stock) return this.lowStock(search === undefined ? null : wordsOf(search), { skip, limit });
    if (search === undefined) return this.listAll({ skip, limit }, sort);
    return this.searches.admitted(() => this.found({ q: search, similar, skip, limit }, { withDrafts: true }));
  }

  private async lowStock(words: SearchWords | null, paging: Paging): Promise<Product[]> {
    if (words && isEmpty(words)) return withTotal([], 0);
    const { products, endsEarly } = await this.repository.lowStock(mostLowStock, words, paging.skip, paging.limit);
    const count = () => this.repository.countLowStock(mostLowStock, words);
    return this.totals.page(products, paging, { key: 'products low', endsEarly, count });
  }

  /** A product that the shop shows, with its variants; `NotFound` if there is none. */
  async get(id: number): Promise<ProductDetail> {
    return found(await this.repository.byId(id), 'Product');
  }

  /** A product that is not deleted, a draft too, with its variants; `NotFound` if there is none. */
  async getForAdmin(id: number): Promise<ProductDetail> {
    return found(await this.repository.byIdForAdmin(id), 'Product');
  }

  /** The product that has or had a slug, with its variants; `NotFound` if there is none. */
  async getBySlug(slug: string): Promise<ProductDetail> {
    return this.get(found(await this.details.idBySlug(slug), 'Product'));
  }

  /**
   * The products whose name or description has all words of the text, best matches first: the exact name, then names,
   * then descriptions. Where there is none and the caller asks for `similar`, those that have similar words, with the
   * header `X-Similar`. The total counts up to 10,000. `Unavailable` where too many searches wait.
   */
  async search(asked: ProductSearch): Promise<Product[]> {
    if (!isPlain(asked)) return this.listings.list(asked);
    return (await this.foundInNames(asked)) ?? this.searches.admitted(() => this.found(asked, { withDrafts: false }));
  }

  /** A page of matches by name alone, for words of earlier searches that are known to fill it soon. */
  private async foundInNames({ q, skip, limit }: Asked): Promise<Product[] | null> {
    const words = wordsOf(q);
    if (isEmpty(words)) return withTotal([], 0);
    if (skip + limit > (this.namesNear.get(keyOf(words)) ?? 0)) return null;
    const page = await this.repository.searchNames(words, skip, limit);
    if (!page) {
      this.namesNear.delete(keyOf(words)); // until they are counted again
      return null;
    }
    const count = () => this.searches.admitted(() => this.count(words, { withDrafts: false }));
    return this.totals.page(page, { skip, limit }, { ...listOf(words, { withDrafts: false }), count });
  }

  private async found({ q, similar, skip, limit }: Asked, sought: Sought): Promise<Product[]> {
    const asked = wordsOf(q);
    if (isEmpty(asked)) return withTotal([], 0);
    const matches = await this.matches(asked, { skip, limit }, sought);
    if (!similar || totalOf(matches) > 0) return matches;
    for await (const words of this.similarTo(asked)) {
      const page = await this.matches(words, { skip, limit }, sought);
      if (totalOf(page) > 0) return withHeader(page, similarHeader, 'true');
    }
    return matches;
  }

  private async matches(words: SearchWords, paging: Paging, sought: Sought): Promise<Product[]> {
    const page = await this.repository.search(words, paging.skip, paging.limit, sought);
    return this.totals.page(page, paging, { ...listOf(words, sought), count: () => this.count(words, sought) });
  }

  /** The products of one color, sorted by a field. */
  async filterByColor({ color, sort, skip, limit }: ProductColorFilter): Promise<Product[]> {
    const descending = sort.startsWith('-');
    const field = (descending ? sort.slice(1) : sort) as ProductSortField;
    const direction = descending ? 'DESC' : 'ASC';
    const { products, endsEarly } = await this.repository.byColor({ color, sort: field, direction, skip, limit });
    const count = () => this.repository.countOfColor(color);
    const list = { key: `color ${color.toLowerCase()}`, cacheTags: [assortment, descriptions], endsEarly, count };
    return this.totals.page(products, { skip, limit }, list);
  }

  private async count(words: SearchWords, sought: Sought): Promise<number> {
    const { count, near } = await this.repository.countMatches(words, mostCounted, nearProducts, sought);
    if (!sought.withDrafts) this.namesNear.set(keyOf(words), near);
    return count;
  }

  /** Other readings of a search, the likeliest first: the parts of its words, similar words of the shop. */
  private async *similarTo(asked: SearchWords): AsyncGenerator<SearchWords> {
    const parts = partsOf(asked);
    if (isEmpty(parts)) return;
    if (parts.text !== asked.text) yield parts;
    const alike = await this.repository.alikeWords(parts.words, alikeCount);
    for (let choice = 0; alike.some((words) => words.length > choice); choice++) yield replaced(parts, alike, choice);
  }
}

function isEmpty({ words }: SearchWords): boolean {
  return words.length === 0;
}

function keyOf({ words, more }: SearchWords): string {
  return `search ${JSON.stringify([...words, ...more])}`;
}

function listOf(words: SearchWords, { withDrafts }: Sought) {
  return { key: `${withDrafts ? 'all ' : ''}${keyOf(words)}`, cacheTags: [assortment, descriptions] };
}
