import type { Product, ProductDetail } from '@store-service/sdk';
import { api } from '../../api/service.js';
import { asCount, asMoney } from '../../parts/format.js';
import { asWords } from '../../parts/words.js';
import { askVersion, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';
import { texts } from '../../texts/texts.js';

const fields: readonly EditedField<Product>[] = [
  { key: 'name', label: texts.common.name },
  { key: 'price', label: texts.products.price, text: (price) => asMoney(Number(price)) },
  { key: 'stock', label: texts.products.stock, text: (stock) => asCount(Number(stock)) },
  { key: 'description', label: texts.common.description },
  { key: 'color', label: texts.products.color },
  { key: 'material', label: texts.products.material },
  { key: 'size', label: texts.common.size },
  {
    key: 'images',
    label: texts.products.pictures,
    text: (images) => texts.products.pictureCount((images as unknown[]).length),
  },
  { key: 'status', label: texts.common.status, text: (status) => asWords(status as string) },
  { key: 'sku', label: texts.products.articleNumber },
  { key: 'slug', label: texts.products.webAddress },
  { key: 'categories', label: texts.products.categories, text: (slugs) => (slugs as string[]).join(', ') },
  { key: 'group_id', label: texts.products.groupOfVariants },
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
