import { Injectable } from '@nestjs/common';
import { Invalid } from '../../common/errors/invalid.js';
import { found, NotFound } from '../../common/errors/kinds.js';
import type { Paging } from '../../common/http/paging.js';
import { Changes } from '../../database/changes.js';
import { toProduct } from './catalogue.mapper.js';
import { CatalogueRepository } from './catalogue.repository.js';
import { productSortFields } from './catalogue.statements.js';
import type { Product, ProductColorFilter, ProductCreate, ProductSearch, ProductUpdate } from './catalogue.shapes.js';
import { assortment, productTopic, updatedProduct } from './product-topics.js';
import type { ProductEntity } from './product.entity.js';

/** The products that the shop sells. */
@Injectable()
export class CatalogueService {
  constructor(
    private readonly repository: CatalogueRepository,
    private readonly changes: Changes,
  ) {}

  /** A page of the catalogue, in the order of ids. */
  list({ skip, limit }: Paging): Promise<Product[]> {
    return this.repository.page(skip, limit);
  }

  /** One product; `NotFound` where there is none. */
  async get(id: number): Promise<Product> {
    return found(await this.repository.byId(id), 'Product');
  }

  /** The products whose name or description holds the text, best matches first: the exact name, then names, then descriptions. */
  search({ q, skip, limit }: ProductSearch): Promise<Product[]> {
    return this.repository.search(q, skip, limit);
  }

  /** The products of one colour, sorted; `Invalid` at `sort` for a field that is not listed. */
  filterByColor({ color, sort, skip, limit }: ProductColorFilter): Promise<Product[]> {
    const descending = sort.startsWith('-');
    const name = descending ? sort.slice(1) : sort;
    const field = productSortFields.find((one) => one === name);
    if (field === undefined) {
      const msg = `Input should be one of ${productSortFields.join(', ')}, with a leading "-" for descending order`;
      throw Invalid.at(['query', 'sort'], 'enum', msg, sort.slice(0, 100));
    }
    return this.repository.byColor({ color, sort: field, direction: descending ? 'DESC' : 'ASC', skip, limit });
  }

  /** Adds a product to the catalogue. */
  async create(product: ProductCreate): Promise<Product> {
    const created = toProduct(await this.repository.insert(toColumns(product)));
    this.changes.touch([assortment]);
    return created;
  }

  /** Changes what is given of a product; `NotFound` where there is none. */
  async update(id: number, changes: ProductUpdate): Promise<Product> {
    if (Object.keys(changes).length === 0) return this.get(id);
    const updated = found(await this.repository.update(id, toColumns(changes)), 'Product');
    this.changes.touch(updatedProduct(id, changes));
    return updated;
  }

  /** Takes a product out of the catalogue and of every cart; orders keep it. `NotFound` where there is none. */
  async remove(id: number): Promise<void> {
    if (!(await this.repository.remove(id))) throw new NotFound('Product not found');
    this.changes.touch([assortment, productTopic(id)]);
  }
}

function toColumns({ image_url, ...same }: ProductUpdate): Partial<ProductEntity> {
  return image_url === undefined ? same : { ...same, imageUrl: image_url };
}
