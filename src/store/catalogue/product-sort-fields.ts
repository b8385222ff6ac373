/** The fields by which the products of a color can be sorted: those of the interface description. */
export const productSortFields = [
  'id',
  'name',
  'description',
  'price',
  'stock',
  'color',
  'material',
  'size',
  'image_url',
  'created_at',
] as const;

export type ProductSortField = (typeof productSortFields)[number];
