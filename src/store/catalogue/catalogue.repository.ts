import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { type Bounded, unbounded } from '../../database/bounded-rows.js';
import { Database, type Statement } from '../../database/database.js';
import * as statements from './catalogue.statements.js';
import type { AdminProductSort, Product, ProductDetail } from './catalogue.dto.js';
import { ProductEntity } from './product.entity.js';
import type { ProductSortField } from './product-sort-fields.js';
import type { SearchWords } from './search-words.js';

interface Count {
  count: number;
}

/** The counts of a search. */
interface Matches extends Count {
  /** The number of matches whose name has the words, among the first products of the shop. */
  near: number;
}

/** Pages deeper than this take a longer walk over their index. */
const deepSkip = 20_000;

/** A page of products. */
export interface ProductPage {
  products: Product[];
  /** Whether it ends before its limit, since its products are large. */
  endsEarly: boolean;
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
    @InjectRepository(ProductEntity) private readonly products: Repository<ProductEntity>,
  ) {}

  page(skip: number, limit: number): Promise<Product[]> {
    const values = [skip, limit];
    if (skip > deepSkip) return this.database.rows<Product>(statements.page, values);
    return this.database.shortRead<Product>(statements.page, values);
  }

  /** A page of all products in an order that an index has. */
  sortedPage(sort: AdminProductSort, skip: number, limit: number): Promise<ProductPage> {
    const isDescending = sort.startsWith('-');
    const field = sort.replace('-', '') as 'id' | 'name' | 'price' | 'stock';
    return this.boundedPage(statements.sortedPage(field, isDescending ? 'DESC' : 'ASC'), [skip, limit]);
  }

  count(): Promise<number> {
    return this.counted(this.database.one<Count>(statements.count));
  }

  countWithDrafts(): Promise<number> {
    return this.counted(this.database.one<Count>(statements.countWithDrafts));
  }

  /** A page of the products that have all the words and at most so many pieces left, the fewest first. */
  lowStock(most: number, words: SearchWords | null, skip: number, limit: number): Promise<ProductPage> {
    if (!words) return this.boundedPage(statements.lowStock, [skip, limit, most]);
    const values = [most, skip, limit, ...statements.valuesOf(words)];
    return this.boundedPage(statements.lowStockMatches(words), values);
  }

  countLowStock(most: number, words: SearchWords | null): Promise<number> {
    if (!words) return this.counted(this.database.one<Count>(statements.countLowStock, [most]));
    const values = [most, ...statements.valuesOf(words)];
    return this.counted(this.database.one<Count>(statements.countLowStockMatches(words), values));
  }

  /** A product that the shop shows. */
  byId(id: number): Promise<ProductDetail | null> {
    return this.database.shortReadOfRow<ProductDetail>(statements.byId, [id]);
  }

  /** A product that is not deleted, drafts too. */
  byIdForAdmin(id: number): Promise<ProductDetail | null> {
    return this.database.row<ProductDetail>(statements.byIdForAdmin, [id]);
  }

  /** The products that have all the words, best first; a product named `text` is the best. */
  search(words: SearchWords, skip: number, limit: number, sought: statements.Sought): Promise<Product[]> {
    const values = [words.text, skip, limit, ...statements.valuesOf(words)];
    return this.database.rows<Product>(statements.search(words, sought), values);
  }

  /**
   * Like `search`, where matches by name fill the page soon; null if they do not. It scans all products until they do,
   * so it suits words that are known to be in many names.
   */
  async searchNames({ text, words, more }: SearchWords, skip: number, limit: number): Promise<Product[] | null> {
    const sql = statements.searchNames[words.length];
    if (!sql || more.length > 0) return null;
    const page = await this.database.sharedRead<Product>(sql, [text, skip, limit, ...words]);
    return page && page.length === limit ? page : null;
  }

  /** Counts the products that have all the words, up to `most`, and the matches by name near the first product. */
  countMatches(words: SearchWords, most: number, near: number, sought: statements.Sought): Promise<Matches> {
    const values = [most, near, ...statements.valuesOf(words)];
    return this.database.one<Matches>(statements.countMatches(words, sought), values);
  }

  /** For each word that no product has: similar words of the shop, the most similar first. */
  async alikeWords(words: readonly string[], count: number): Promise<string[][]> {
    const { alike } = await this.database.one<{ alike: string[][] }>(statements.alikeWords(words.length), [
      count,
      ...words,
    ]);
    return alike;
  }

  byColor({ color, sort, direction, skip, limit }: ColorPage): Promise<ProductPage> {
    return this.boundedPage(statements.byColor(sort, direction), [color, skip, limit]);
  }

  countOfColor(color: string): Promise<number> {
    return this.counted(this.database.one<Count>(statements.countOfColor, [color]));
  }

  /** Adds a product and returns its id. */
  async insert(product: Partial<ProductEntity>): Promise<number> {
    return (await this.products.save(this.products.create(product), { transaction: false })).id;
  }

  /** A product that is not deleted, or null; locks it until the unit of work ends. */
  lock(id: number): Promise<ProductDetail | null> {
    return this.database.row<ProductDetail>(statements.lock, [id]);
  }

  /** Changes a product that is not deleted. */
  async update(id: number, changes: Partial<ProductEntity>): Promise<void> {
    if (Object.keys(changes).length > 0) await this.products.update({ id, deletedAt: IsNull() }, changes);
  }

  /** Takes a product out of the catalog and of every cart; returns whether there was one. */
  async remove(id: number): Promise<boolean> {
    return (await this.database.row(statements.remove, [id])) !== null;
  }

  private async boundedPage(sql: Statement | string, values: unknown[]): Promise<ProductPage> {
    const rows = await this.database.rows<Product & Bounded>(sql, values);
    return { products: rows.map((row) => unbounded(row)), endsEarly: rows.length < (rows[0]?.total ?? 0) };
  }

  private async counted(row: Promise<Count>): Promise<number> {
    return (await row).count;
  }
}
