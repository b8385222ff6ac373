import type { Cart } from '../../src/store/cart/cart.dto.js';
import type { InsertedUser } from './accounts.js';
import type { TestApp } from './test-app.js';

export interface ProductChoices {
  name?: string;
  price?: number;
  stock?: number;
}

export interface CouponChoices {
  percent?: number;
  maxUses?: number;
  currentUses?: number;
  expiresAt?: Date | null;
  isActive?: boolean;
  isPublic?: boolean;
}

/** Writes a product straight into the database and returns its id. */
export async function insertProduct(
  app: TestApp,
  { name = 'Linen shirt', price = 49.9, stock = 100 }: ProductChoices = {},
): Promise<number> {
  const [product] = await app.database.rows<{ id: number }>(
    'INSERT INTO products (name, price, stock) VALUES ($1, $2, $3) RETURNING id',
    [name, price, stock],
  );
  return product?.id ?? 0;
}

/** Writes `count` products of the same price and stock and returns their ids, lowest first. */
export async function insertProducts(app: TestApp, count: number, stock = 100): Promise<number[]> {
  const products = await app.database.rows<{ id: number }>(
    `INSERT INTO products (name, price, stock) SELECT 'Product ' || n, 1.25, $2 FROM generate_series(1, $1) AS n RETURNING id`,
    [count, stock],
  );
  return products.map(({ id }) => id).sort((one, other) => one - other);
}

/** Writes a coupon straight into the database and returns its id. */
export async function insertCoupon(app: TestApp, code: string, choices: CouponChoices = {}): Promise<number> {
  const { percent = 10, maxUses = 100, currentUses = 0, expiresAt = null, isActive = true, isPublic = true } = choices;
  // That of a test's first try, where the test is tried once more.
  await app.database.rows("UPDATE coupons SET code = 'EARLIER-' || id WHERE upper(code) = upper($1)", [code]);
  const [coupon] = await app.database.rows<{ id: number }>(
    `INSERT INTO coupons (code, discount_percent, max_uses, current_uses, expires_at, is_active, is_public)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [code, percent, maxUses, currentUses, expiresAt, isActive, isPublic],
  );
  return coupon?.id ?? 0;
}

/** Adds some quantity of a product to a user's cart, over HTTP. */
export async function addToCart(app: TestApp, user: InsertedUser, productId: number, quantity = 1): Promise<Cart> {
  const json = { product_id: productId, quantity };
  const { status, body } = await app.api.post<Cart>('/api/v1/cart/add', { token: user.token, json });
  if (status !== 200) throw new Error(`Adding to the cart answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Puts one of each product into a user's cart, straight in the database. */
export async function fillCart(app: TestApp, user: InsertedUser, productIds: number[], quantity = 1): Promise<void> {
  await app.database.rows(
    `INSERT INTO cart_items (cart_id, product_id, quantity)
     SELECT carts.id, product_id, $3 FROM carts, unnest($2::int[]) AS product_id WHERE user_id = $1`,
    [user.id, productIds, quantity],
  );
}

export async function stockOf(app: TestApp, productId: number): Promise<number | undefined> {
  const rows = await app.database.rows<{ stock: number }>('SELECT stock FROM products WHERE id = $1', [productId]);
  return rows[0]?.stock;
}

export async function usesOf(app: TestApp, couponId: number): Promise<number | undefined> {
  const rows = await app.database.rows<{ current_uses: number }>('SELECT current_uses FROM coupons WHERE id = $1', [
    couponId,
  ]);
  return rows[0]?.current_uses;
}
