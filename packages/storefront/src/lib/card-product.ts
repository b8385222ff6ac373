import type { Product } from '@store-service/sdk';

/** What a list shows of a product. */
export type CardProduct = Pick<
  Product,
  'id' | 'slug' | 'name' | 'price' | 'stock' | 'image_url' | 'average_rating' | 'review_count'
>;

/** Leaves out what a list does not show, so that its page stays small. */
export const toCard = ({
  id,
  slug,
  name,
  price,
  stock,
  image_url,
  average_rating,
  review_count,
}: Product): CardProduct => ({ id, slug, name, price, stock, image_url, average_rating, review_count });
