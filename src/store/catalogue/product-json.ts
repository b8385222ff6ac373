import { isoTimestamp } from '../../database/iso-timestamp.js';

/** SQL that builds the document's Product from a row of `products`, for the carts and orders that show it. */
export function productJson(row: string): string {
  return `json_build_object(
    'id', ${row}.id, 'name', ${row}.name, 'description', ${row}.description, 'price', ${row}.price,
    'stock', ${row}.stock, 'color', ${row}.color, 'material', ${row}.material, 'size', ${row}.size,
    'image_url', ${row}.image_url, 'created_at', ${isoTimestamp(`${row}.created_at`)})`;
}
