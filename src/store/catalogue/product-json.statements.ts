import { isoTimestamp } from '../../database/iso-timestamp.js';
import { averageRating } from './product-columns.statements.js';
import { rowJson } from '../../database/row-json.statements.js';

/** SQL of values that replace a product's own columns where it is shown. */
interface ShownInstead {
  name?: string;
  price?: string;
  imageUrl?: string;
}

// Unspecified: how much of a product's description a line of a cart or an order repeats; so much that 500 lines stay small.
const describedInLine = 2_000;

/** SQL that builds the `Product` of the API from a row of `products`, for carts and orders. */
export function productJson(row: string, { name, price, imageUrl }: ShownInstead = {}): string {
  return rowJson(`${row}.id, ${name ?? `${row}.name`} AS name, left(${row}.description, ${describedInLine}) AS description, ${price ?? `${row}.price`} AS price,
    ${row}.stock, ${row}.color, ${row}.material, ${row}.size, ${imageUrl ?? `${row}.image_url`} AS image_url,
    ${isoTimestamp(`${row}.created_at`)} AS created_at, ${row}.group_id, ${row}.slug, ${row}.sku, ${row}.status,
    ${averageRating(row)} AS average_rating, ${row}.review_count`);
}
