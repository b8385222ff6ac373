import type { Product, ProductDetail } from '@store-service/sdk';
import { api } from '../../api/service.js';
import { asCount, asMoney, counted } from '../../parts/format.js';
import { asWords } from '../../parts/words.js';
import { askVersion, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';

const fields: readonly EditedField<Product>[] = [
  { key: 'name', label: 'Name' },
  { key: 'price', label: 'Price', text: (price) => asMoney(Number(price)) },
  { key: 'stock', label: 'Stock', text: (stock) => asCount(Number(stock)) },
  { key: 'description', label: 'Description' },
  { key: 'color', label: 'Color' },
  { key: 'material', label: 'Material' },
  { key: 'size', label: 'Size' },
  { key: 'images', label: 'Pictures', text: (images) => counted((images as unknown[]).length, 'picture') },
  { key: 'status', label: 'Status', text: (status) => asWords(status as string) },
  { key: 'sku', label: 'Article number' },
  { key: 'slug', label: 'Web address' },
  { key: 'categories', label: 'Categories', text: (slugs) => (slugs as string[]).join(', ') },
  { key: 'group_id', label: 'Group of variants' },
];

export const readProduct = (id: number): Promise<Version<ProductDetail>> =>
  askVersion(api.adminProducts.get({ path: { product_id: id } }));

/** Saves changes to a product over the version that the user saw, perhaps only in part. */
export function saveProduct(
  before: Version<Product>,
  changes: Partial<Product>,
  seen: readonly (keyof Product)[] = fields.map(({ key }) => key),
) {
  const { id, name } = before.value;
  return saveEdit({
    name,
    fields: fields.filter(({ key }) => seen.includes(key)),
    before,
    changes,
    read: () => readProduct(id),
    write: (etag) =>
      askVersion(api.adminProducts.update({ path: { product_id: id }, body: changes, headers: { 'If-Match': etag } })),
  });
}
