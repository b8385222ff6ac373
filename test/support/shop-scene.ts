import { ChangeBus } from '../../src/platform/changes/change-bus.js';
import type { ShopSettings } from '../../src/store/shop/shop.dto.js';
import { type InsertedUser, insertAdmin, insertUser } from './accounts.js';
import type { TestApp } from './test-app.js';

/** A small shop, the same each time: three products, reviews and testimonials, an order of the first, a cart with one more. */
export interface ShopScene {
  admin: InsertedUser;
  /** The author of all reviews and testimonials. */
  author: InsertedUser;
  buyer: InsertedUser;
  /** A red lamp. */
  lamp: number;
  /** A blue kettle. */
  kettle: number;
  lampReview: number;
  testimonial: number;
  /** The buyer's order of one lamp, pending. */
  order: number;
}

/** The pages that show the scene, of every route whose responses may be kept. */
export function pagesOf({ lamp, kettle, testimonial }: ShopScene) {
  return {
    shop: '/api/v1/shop',
    users: '/api/v1/users/?limit=100',
    list: '/api/v1/products/?limit=100',
    'search lamp': '/api/v1/products/search/?q=lamp',
    'search kettle': '/api/v1/products/search/?q=kettle',
    red: '/api/v1/products/filter/by-color?color=red',
    'red by stock': '/api/v1/products/filter/by-color?color=red&sort=-stock',
    'fewest red': '/api/v1/products/filter/by-color?color=red&sort=stock&limit=1',
    blue: '/api/v1/products/filter/by-color?color=blue',
    'red in stock': '/api/v1/products/?color=red&in_stock=true&sort=rating',
    facets: '/api/v1/products/facets?color=red',
    categories: '/api/v1/categories',
    lamp: `/api/v1/products/${lamp}`,
    'lamp by slug': '/api/v1/products/by-slug/oak-lamp',
    'lamp related': `/api/v1/products/${lamp}/related`,
    kettle: `/api/v1/products/${kettle}`,
    testimonials: '/api/v1/testimonials/',
    testimonial: `/api/v1/testimonials/${testimonial}`,
    'lamp reviews': `/api/v1/reviews/product/${lamp}`,
    'kettle reviews': `/api/v1/reviews/product/${kettle}`,
    'lamp stats': `/api/v1/reviews/product/${lamp}/stats`,
    'kettle stats': `/api/v1/reviews/product/${kettle}/stats`,
  };
}

export type PageName = keyof ReturnType<typeof pagesOf>;

const tables = 'order_items, orders, cart_items, carts, reviews, testimonials, products, users';

async function idOf(app: TestApp, sql: string, values: unknown[]): Promise<number> {
  const [row] = await app.database.rows<{ id: number }>(sql, values);
  if (!row) throw new Error(`No row of ${sql}`);
  return row.id;
}

/** Sets the scene, replacing whatever the shop had. */
export async function setScene(app: TestApp): Promise<ShopScene> {
  await app.database.rows(`TRUNCATE ${tables} CASCADE`);
  const admin = await insertAdmin(app);
  const author = await insertUser(app, { first_name: 'Ada' });
  const buyer = await insertUser(app);
  const product = `INSERT INTO products (name, price, stock, color) VALUES ($1, 20, $2, $3) RETURNING id`;
  const lamp = await idOf(app, product, ['Oak lamp', 50, 'red']);
  const kettle = await idOf(app, product, ['Steel kettle', 50, 'blue']);
  await idOf(app, product, ['Oak chair', 49, 'red']); // has the fewest, until one lamp is sold
  const review = 'INSERT INTO reviews (product_id, user_id, rating) VALUES ($1, $2, 4) RETURNING id';
  const lampReview = await idOf(app, review, [lamp, author.id]);
  await idOf(app, review, [kettle, author.id]);
  const testimonial = await idOf(
    app,
    `INSERT INTO testimonials (user_id, content, rating) VALUES ($1, 'Well made', 5) RETURNING id`,
    [author.id],
  );
  const order = await idOf(app, 'INSERT INTO orders (user_id, total_price) VALUES ($1, 20) RETURNING id', [buyer.id]);
  await idOf(
    app,
    `INSERT INTO order_items (order_id, product_id, quantity, price, product_name) VALUES ($1, $2, 1, 20, 'Oak lamp') RETURNING id`,
    [order, lamp],
  );
  await idOf(
    app,
    `INSERT INTO cart_items (cart_id, product_id, quantity)
     SELECT id, $2, 1 FROM carts WHERE user_id = $1 RETURNING id`,
    [buyer.id, lamp],
  );
  app.nest.get(ChangeBus).missed();
  return { admin, author, buyer, lamp, kettle, lampReview, testimonial, order };
}

/** Changes the shipping methods, as an admin does. */
export async function changeShipping(app: TestApp, { admin }: ShopScene): Promise<{ status: number }> {
  const { body } = await app.api.get<ShopSettings>('/api/v1/admin/shop', { token: admin.token });
  const shipping_methods = body.shipping_methods.map((method) => Object.assign({}, method, { cost: method.cost + 1 }));
  return app.api.patch('/api/v1/admin/shop', { token: admin.token, json: { shipping_methods } });
}
