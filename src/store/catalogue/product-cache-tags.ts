import type { CacheTag } from '../../platform/changes/change-bus.js';
import type { Product, ProductUpdate } from './catalogue.dto.js';

/** The set of products. */
export const assortment: CacheTag = 'assortment';
/** The fields of any product that searches and filters read. */
export const descriptions: CacheTag = 'descriptions';
/** The stock of any product. */
export const anyStock: CacheTag = 'any-stock';

/** Everything that a page of one product shows: its fields, its stock and the number of its orders. */
export function productCacheTag(id: number): CacheTag {
  return `product:${id}`;
}

/** The tags of a list of products. */
export function shownProducts(products: readonly Product[]): CacheTag[] {
  return products.map(({ id }) => productCacheTag(id));
}

/** The tags of which products a list sorted by this field holds, and in which order. */
export function placesSortedBy(field: unknown): CacheTag[] {
  return [assortment, descriptions, ...(String(field).includes('stock') ? [anyStock] : [])];
}

/** The tags that orders change for their products: the stock, and how often each was ordered. */
export function orderedProducts(ids: readonly number[]): CacheTag[] {
  return ids.length === 0 ? [] : [anyStock, ...ids.map(productCacheTag)];
}

/** The tags that an update of these fields changes. */
export function updatedProduct(id: number, { stock, ...described }: ProductUpdate): CacheTag[] {
  const classes = [
    ...(stock === undefined ? [] : [anyStock]),
    ...(Object.keys(described).length === 0 ? [] : [descriptions]),
  ];
  return [...classes, productCacheTag(id)];
}
