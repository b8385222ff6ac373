import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { found, Unavailable } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { withHeader } from '../../platform/http/response-headers.js';
import type { Paging } from '../../platform/http/paging.js';
import { ListTotals, totalOf, withTotal } from '../../platform/http/total-count.js';
import { Settings } from '../../config/settings.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { toProduct } from './catalogue.mapper.js';
import { CatalogueRepository } from './catalogue.repository.js';
import type {
  AdminProductFilter,
  AdminProductSort,
  Product,
  ProductColorFilter,
  ProductCreate,
  ProductSearch,
  ProductUpdate,
} from './catalogue.dto.js';
import { similarHeader } from './similar-header.js';
import { assortment, descriptions, productCacheTag, updatedProduct } from './product-cache-tags.js';
import { auditOfProduct } from './product-audit.js';
import { ProductEvents } from './product-events.js';
import type { ProductEntity } from './product.entity.js';
import { partsOf, replaced, type SearchWords, wordsOf } from './search-words.js';

/** The dashboard's bound of low stock. */
const mostLowStock = 10;

/** Larger pages are an admin's, and are bounded in bytes. */
const mostOfPublicPage = 100;

/** The number of similar words to try for a misspelled one. */
const alikeCount = 3;

/** The most matches of a search that are counted. */
const mostCounted = 10_000;

/** Scanning so many products takes two milliseconds. */
const nearProducts = 10_000;
const mostSearchesKnown = 2_000;

const searchBounds = { waiting: 500, waitMs: 10_000 };
const comeBackSeconds = 5;

/** The products that the shop sells. */
@Injectable()
export class CatalogueService {
  /**
   * Fewer than half of the connections, for all searches: appends of events may take half, and logins need the rest.
   */
  private readonly searching: FairSemaphore;
  /** The number of names near the first product that have the words of a search, as last counted: only a hint. */
  private readonly namesNear = new LRUCache<string, number>({ max: mostSearchesKnown });

  constructor(
    private readonly repository: CatalogueRepository,
    private readonly changes: Changes,
    private readonly totals: ListTotals,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly events: ProductEvents,
    { databasePoolSize }: Settings,
  ) {
    const atOnce = Math.max(1, Math.ceil(databasePoolSize / 2) - 1);
    this.searching = new FairSemaphore({ ...searchBounds, atOnce });
  }

  /** A page of the catalog, by id where the caller asks for no other order. */
  async list(paging: Paging, sort: AdminProductSort = 'id'): Promise<Product[]> {
    const { skip, limit } = paging;
    const list = { key: 'products', cacheTags: [assortment], count: () => this.repository.count() };
    if (sort === 'id' && limit <= mostOfPublicPage) {
      return this.totals.page(await this.repository.page(skip, limit), paging, list);
    }
    const { products, endsEarly } = await this.repository.sortedPage(sort, skip, limit);
    return this.totals.page(products, paging, { ...list, endsEarly });
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
    return search === undefined ? this.list({ skip, limit }, sort) : this.search({ q: search, similar, skip, limit });
  }

  private async lowStock(words: SearchWords | null, paging: Paging): Promise<Product[]> {
    if (words && isEmpty(words)) return withTotal([], 0);
    const { products, endsEarly } = await this.repository.lowStock(mostLowStock, words, paging.skip, paging.limit);
    const count = () => this.repository.countLowStock(mostLowStock, words);
    return this.totals.page(products, paging, { key: 'products low', endsEarly, count });
  }

  /** One product; `NotFound` if there is none. */
  async get(id: number): Promise<Product> {
    return found(await this.repository.byId(id), 'Product');
  }

  /**
   * The products whose name or description has all words of the text, best matches first: the exact name, then names,
   * then descriptions. Where there is none and the caller asks for `similar`, those that have similar words, with the
   * header `X-Similar`. The total counts up to 10,000. `Unavailable` where too many searches wait.
   */
  async search(asked: ProductSearch): Promise<Product[]> {
    return (await this.foundInNames(asked)) ?? this.admitted(() => this.found(asked));
  }

  private admitted<T>(work: () => Promise<T>): Promise<T> {
    const sentence = 'Too many searches are waiting: try again in a few seconds';
    return this.searching.run(work, {
      isForCaller: true,
      refusal: () => new Unavailable(sentence, 'busy', comeBackSeconds),
    });
  }

  /** A page of matches by name alone, for words of earlier searches that are known to fill it soon. */
  private async foundInNames({ q, skip, limit }: ProductSearch): Promise<Product[] | null> {
    const words = wordsOf(q);
    if (isEmpty(words)) return withTotal([], 0);
    if (skip + limit > (this.namesNear.get(keyOf(words)) ?? 0)) return null;
    const page = await this.repository.searchNames(words, skip, limit);
    if (!page) {
      this.namesNear.delete(keyOf(words)); // until they are counted again
      return null;
    }
    const count = () => this.admitted(() => this.count(words));
    return this.totals.page(page, { skip, limit }, { ...listOf(words), count });
  }

  private async found({ q, similar, skip, limit }: ProductSearch): Promise<Product[]> {
    const asked = wordsOf(q);
    const matches = await this.matches(asked, { skip, limit });
    if (!similar || totalOf(matches) > 0) return matches;
    for await (const words of this.similarTo(asked)) {
      const page = await this.matches(words, { skip, limit });
      if (totalOf(page) > 0) return withHeader(page, similarHeader, 'true');
    }
    return matches;
  }

  private async matches(words: SearchWords, paging: Paging): Promise<Product[]> {
    const page = await this.repository.search(words, paging.skip, paging.limit);
    return this.totals.page(page, paging, { ...listOf(words), count: () => this.count(words) });
  }

  /** The products of one color, sorted by a field. */
  async filterByColor({ color, sort, skip, limit }: ProductColorFilter): Promise<Product[]> {
    const descending = sort.startsWith('-');
    const field = (descending ? sort.slice(1) : sort) as keyof Product;
    const direction = descending ? 'DESC' : 'ASC';
    const { products, endsEarly } = await this.repository.byColor({ color, sort: field, direction, skip, limit });
    const count = () => this.repository.countOfColor(color);
    const list = { key: `color ${color.toLowerCase()}`, cacheTags: [assortment, descriptions], endsEarly, count };
    return this.totals.page(products, { skip, limit }, list);
  }

  private async count(words: SearchWords): Promise<number> {
    const { count, near } = await this.repository.countMatches(words, mostCounted, nearProducts);
    this.namesNear.set(keyOf(words), near);
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

  /** Adds a product to the catalogue. */
  async create(product: ProductCreate): Promise<Product> {
    return this.unitOfWork.run(async () => {
      const created = toProduct(await this.repository.insert(toColumns(product)));
      await this.record('product.created', null, created);
      this.changes.invalidate([assortment]);
      return created;
    });
  }

  /**
   * Changes what is given of a product; `NotFound` if there is none, `ChangedMeanwhile` where it is not `ifMatch`.
   */
  async update(id: number, changes: ProductUpdate, ifMatch: string | null): Promise<Product> {
    return this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Product');
      assertUnchanged(ifMatch, before);
      if (Object.keys(changes).length === 0) return before;
      const updated = found(await this.repository.update(id, toColumns(changes)), 'Product');
      await this.record('product.updated', before, updated);
      this.changes.invalidate(updatedProduct(id, changes));
      return updated;
    });
  }

  /** Removes a product from the catalog and from every cart; orders keep it. `NotFound` if there is none. */
  async remove(id: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Product');
      await this.repository.remove(id);
      await this.record('product.deleted', before, null);
      this.changes.invalidate([assortment, productCacheTag(id)]);
    });
  }

  private async record(action: AuditAction, before: Product | null, after: Product | null): Promise<void> {
    await this.audit.record(auditOfProduct(action, before, after));
    await this.events.record([{ before, after }]);
  }
}

function isEmpty({ words }: SearchWords): boolean {
  return words.length === 0;
}

function keyOf({ words, more }: SearchWords): string {
  return `search ${JSON.stringify([...words, ...more])}`;
}

function listOf(words: SearchWords) {
  return { key: keyOf(words), cacheTags: [assortment, descriptions] };
}

function toColumns({ image_url, ...same }: ProductUpdate): Partial<ProductEntity> {
  return image_url === undefined ? same : { ...same, imageUrl: image_url };
}
