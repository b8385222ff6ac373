/** SQL of a product's average rating to two decimals; null without ratings. */
export function averageRating(row: string): string {
  return `round(${row}.rating_sum::numeric / nullif(${row}.review_count, 0), 2)`;
}

/** The pictures of a product: its own first, with the alternative text that is kept for it. */
const images = `
  CASE WHEN p.image_url IS NULL THEN '[]'::json ELSE (
    SELECT json_agg(json_build_object('url', image.url, 'alt', image.alt) ORDER BY image.position)
      FROM (SELECT 0 AS position, p.image_url AS url,
                   (SELECT alt FROM product_images WHERE product_id = p.id AND position = 0 AND url = p.image_url) AS alt
             UNION ALL
            SELECT position, url, alt FROM product_images WHERE product_id = p.id AND position > 0) AS image) END`;

const categories = `
  ARRAY(SELECT c.slug::text FROM product_categories pc JOIN categories c ON c.id = pc.category_id
         WHERE pc.product_id = p.id ORDER BY c.slug)`;

/** The columns of the API's `Product`, from a row `p` of products. */
export const productColumns = `
  p.id, p.name, p.description, p.price, p.stock, p.color, p.material, p.size, p.image_url, p.created_at,
  p.group_id, p.slug, p.sku, p.status, ${images} AS images, ${categories} AS categories,
  ${averageRating('p')} AS average_rating, p.review_count`;

/** The most variants of a group. */
export const mostVariants = 100;

const variants = `
  CASE WHEN p.group_id IS NULL THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(variant ORDER BY variant.id), '[]')
      FROM (SELECT v.id, v.slug, v.name, v.color, v.size, v.material, v.price, v.stock, v.image_url
              FROM product_listings l JOIN products v ON v.id = l.product_id
             WHERE l.group_id = p.group_id ORDER BY v.id LIMIT ${mostVariants}) AS variant) END`;

/** The same with the variants of its group: what a page of one product shows. */
export const detailColumns = `${productColumns}, ${variants} AS variants`;
