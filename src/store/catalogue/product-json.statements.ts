import { isoTimestamp } from '../../database/iso-timestamp.js';

/** SQL for what is shown in place of a product's own columns. */
interface ShownInstead {
  name?: string;
  price?: string;
  imageUrl?: string;
}

/** SQL that builds the `Product` of the API from a row of `products`, for the carts and orders that show it. */
export function productJson(row: string, { name, price, imageUrl }: ShownInstead = {}): string {
  return `json_build_object(
    'id', ${row}.id, 'name', ${name ?? `${row}.name`}, 'description', ${row}.description,
    'price', ${price ?? `${row}.price`}, 'stock', ${row}.stock, 'color', ${row}.color, 'material', ${row}.material,
    'size', ${row}.size, 'image_url', ${imageUrl ?? `${row}.image_url`},
    'created_at', ${isoTimestamp(`${row}.created_at`)})`;
}
