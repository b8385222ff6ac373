import type { CacheTag } from '../../platform/changes/change-bus.js';
import type { Product, ProductDetail, ProductUpdate } from './catalogue.dto.js';

/** The set of products. */
export const assortment: CacheTag = 'assortment';
/** The fields of any product that searches and filters read. */
export const descriptions: CacheTag = 'descriptions';
/** The stock of any product. */
export const anyStock: CacheTag = 'any-stock';
/** Which of all products are in stock. */
export const inStock: CacheTag = 'in-stock';

/** Everything that a page of one product shows: its fields, its stock and the number of its orders. */
export function productCacheTag(id: number): CacheTag {
  return `product:${id}`;
}

/** The names of categories, which each product shows. */
export const categoryNames: CacheTag = 'category-names';

/** The ratings of any product: an account that goes takes its reviews with it. */
export const anyRating: CacheTag = 'any-rating';
/** Which of all products are rated best. */
export const bestRated: CacheTag = 'best-rated';

/** The tags that a review changes. */
export function ratedProduct(id: number): CacheTag[] {
  return [bestRated, productCacheTag(id)];
}

/** The members of a group. */
function groupCacheTag(group: string): CacheTag {
  return `product-group:${group}`;
}

/** The tags of the groups that a product left or entered. */
export function changedGroups(...products: (Product | null)[]): CacheTag[] {
  return products.flatMap((product) => (product?.group_id ? [groupCacheTag(product.group_id)] : []));
}

/** The tags of a list of products. */
export function shownProducts(products: readonly Product[]): CacheTag[] {
  return [categoryNames, anyRating, ...products.map(({ id }) => productCacheTag(id))];
}

/** The tags of the page of one product, which shows its variants too. */
export function productPage(product: ProductDetail): CacheTag[] {
  return [
    ...shownProducts([product]),
    ...product.variants.map(({ id }) => productCacheTag(id)),
    ...changedGroups(product),
  ];
}

/** The tags that a list sorted by this field has: a change that moves, adds or removes one of its products forgets one of them. */
export function placesSortedBy(field: unknown): CacheTag[] {
  return [assortment, descriptions, ...(String(field).includes('stock') ? [anyStock] : [])];
}

/** The tags of the place of each product in a public list, by the list's query as it was sent. */
export function placesOf(query: Record<string, unknown>): CacheTag[] {
  const { skip: _, limit: __, ...narrowing } = query;
  if (Object.keys(narrowing).length === 0) return [assortment];
  const ofStock = 'in_stock' in query ? [inStock] : [];
  return [assortment, descriptions, ...ofStock, ...(query['sort'] === 'rating' ? [bestRated] : [])];
}

/**
 * The tags that orders change for their products: the stock, and how often each was ordered. An order that leaves some of each
 * product changes nothing of what is in stock.
 */
export function orderedProducts(ids: readonly number[], leavesSome = false): CacheTag[] {
  if (ids.length === 0) return [];
  return [anyStock, ...(leavesSome ? [] : [inStock]), ...ids.map(productCacheTag)];
}

/** The tags that an update of these fields changes. */
export function updatedProduct(id: number, { stock, ...described }: ProductUpdate): CacheTag[] {
  const classes = [
    ...(stock === undefined ? [] : [anyStock, inStock]),
    ...(Object.keys(described).length === 0 ? [] : [descriptions]),
  ];
  return [...classes, productCacheTag(id)];
}
