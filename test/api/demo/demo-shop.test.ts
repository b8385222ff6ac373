import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoProducts, demoShopper, people } from '@store-service/demo';
import { Passwords } from '../../../src/platform/crypto/passwords.js';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { demoOrders } from '../../../src/demo/shop/orders.js';
import { ShopDemoService } from '../../../src/demo/shop/shop-demo.service.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import type { TestDatabase } from '../../support/test-database.js';

const now = new Date('2026-03-01T12:34:56.789Z');

/** Loads the shop in one unit of work, as the service does. */
function load({ nest }: TestApp): Promise<Map<string, string>> {
  return nest.get(UnitOfWork).run(() => nest.get(ShopDemoService).load(now));
}

describe('The demo shop on an empty database', () => {
  let app: TestApp;
  let database: TestDatabase;
  let userIds: Map<string, string>;
  let statements: string[];

  beforeAll(async () => {
    app = await startTestApp();
    ({ database } = app);
    statements = await statementsOf(async () => (userIds = await load(app)));
  });
  afterAll(() => app.close());

  it('takes a statement or two for each of its tables, besides those of its pictures', () => {
    const own = statements.filter((one) => !/uploads|TRANSACTION|COMMIT/i.test(one));
    expect(own.length).toBeLessThanOrEqual(28);
  });

  it('returns the ids of the users by their usernames', async () => {
    const rows = await database.rows<{ id: string; username: string }>('SELECT id, username FROM users');
    expect(userIds).toEqual(new Map(rows.map(({ id, username }) => [username, id])));
    expect([...userIds.keys()]).toEqual(people.map(({ username }) => username));
  });

  it('writes the products in the order of the demo, with their prices', async () => {
    const rows = await database.rows('SELECT name, price::text, stock, color, image_url FROM products ORDER BY id');
    expect(rows.map(({ name, price, stock, color }) => [name, price, stock, color])).toEqual(
      demoProducts.map(({ name, priceCents, stock, color }) => [name, (priceCents / 100).toFixed(2), stock, color]),
    );
    for (const { image_url: url } of rows) expect(url).toMatch(/^\/uploads\/product\/demo-.+\.webp$/);
  });

  it('gives every user a cart', async () => {
    const rows = await database.rows('SELECT FROM users LEFT JOIN carts ON user_id = users.id WHERE carts.id IS NULL');
    expect(rows).toHaveLength(0);
  });

  it('gives every user a portrait and the shopper a filled cart', async () => {
    expect(await database.rows('SELECT FROM users WHERE avatar_url IS NULL')).toHaveLength(0);
    const lines = await database.rows(
      `SELECT FROM cart_items JOIN carts ON carts.id = cart_id JOIN users ON users.id = user_id WHERE username = $1`,
      [demoShopper.username],
    );
    expect(lines.length).toBeGreaterThanOrEqual(2);
  });

  it('lets only the shopper sign in with the documented password', async () => {
    const rows = await database.rows<{ username: string; password_hash: string }>(
      'SELECT username, password_hash FROM users',
    );
    const passwords = app.nest.get(Passwords);
    const fits = await Promise.all(
      rows.map((row) =>
        passwords.enqueue({ queue: 'login' }, ({ matches }) => matches(row.password_hash, demoShopper.password)),
      ),
    );
    expect(rows.filter((_, index) => fits[index]).map(({ username }) => username)).toEqual([demoShopper.username]);
  });

  it('writes totals of the lines, less the discount, plus shipping', async () => {
    const wrong = await database.rows(`
      SELECT orders.id FROM orders JOIN order_items ON order_id = orders.id LEFT JOIN coupons ON coupons.id = coupon_id
      GROUP BY orders.id, coupons.id
      HAVING total_price <> sum(price * quantity) - discount + coalesce(shipping_cost, 0)
          OR discount <> round(sum(price * quantity) * coalesce(discount_percent, 0) / 100, 2)`);
    expect(wrong).toEqual([]);
  });

  it('writes every order with all of its lines', async () => {
    const rows = await database.rows<{ at: Date; lines: number }>(`
      SELECT orders.created_at AS at, count(order_items.id)::int AS lines
      FROM orders LEFT JOIN order_items ON order_id = orders.id GROUP BY orders.id ORDER BY orders.id`);
    expect(rows).toEqual(demoOrders(now).map(({ createdAt, lines }) => ({ at: createdAt, lines: lines.length })));
  });

  it('counts for each coupon the orders that used it and are not cancelled', async () => {
    const wrong = await database.rows(`
      SELECT code FROM coupons LEFT JOIN orders ON coupon_id = coupons.id AND status <> 'cancelled'
      GROUP BY coupons.id HAVING current_uses <> count(orders.id) OR current_uses > max_uses`);
    expect(wrong).toEqual([]);
  });

  it('leaves the shipping fields all null or all set', async () => {
    const kinds = await database.rows(`
      SELECT DISTINCT num_nonnulls(shipping_first_name, shipping_last_name, shipping_address, shipping_city, shipping_zip,
        shipping_country, shipping_method, shipping_cost, estimated_delivery) AS filled FROM orders ORDER BY filled`);
    expect(kinds).toEqual([{ filled: 0 }, { filled: 9 }]);
  });

  it('writes the testimonials of users and of guests', async () => {
    const [counts] = await database.rows(`
      SELECT count(user_id)::int AS users, count(guest_name)::int AS guests FROM testimonials`);
    expect(counts).toEqual({ users: 7, guests: 4 });
  });

  it("answers some reviews and testimonials in the shop's name, after they were written", async () => {
    const answered = await database.rows<{ reviews: number; testimonials: number; wrong: number }>(`
      SELECT (SELECT count(answer)::int FROM reviews) AS reviews,
        (SELECT count(answer)::int FROM testimonials) AS testimonials,
        (SELECT count(*)::int FROM (SELECT created_at, answered_at FROM reviews UNION ALL
          SELECT created_at, answered_at FROM testimonials) AS texts WHERE answered_at < created_at) AS wrong`);
    expect(answered).toEqual([{ reviews: 3, testimonials: 1, wrong: 0 }]);
  });
});

describe('The demo shop on a database where its names are taken', () => {
  let app: TestApp;
  let database: TestDatabase;

  beforeAll(async () => {
    app = await startTestApp();
    ({ database } = app);
    await database.rows(`
      INSERT INTO users (id, username, email, password_hash)
      VALUES (gen_random_uuid(), 'Demo', 'Grace.Kim@example.com', 'none')`);
    await database.rows(`INSERT INTO coupons (code, discount_percent, max_uses) VALUES ('WELCOME10', 50, 5)`);
    await database.rows(`INSERT INTO products (name, price, stock) VALUES ('Stoneware Mug', 1, 1)`);
    await load(app);
  });
  afterAll(() => app.close());

  it('gives the demo users other names', async () => {
    expect(await database.rows('SELECT FROM users')).toHaveLength(people.length + 1);
    expect(await database.rows(`SELECT FROM users WHERE username ~ '^demo-[0-9a-f]{6}$'`)).toHaveLength(1);
    expect(await database.rows(`SELECT FROM users WHERE email LIKE 'grace.kim-______@example.com'`)).toHaveLength(1);
  });

  it('leaves the existing coupon alone and makes one of its own', async () => {
    const uses = await database.rows(`SELECT code, current_uses FROM coupons WHERE code LIKE 'WELCOME10%' ORDER BY id`);
    expect(uses).toHaveLength(2);
    expect(uses[0]).toEqual({ code: 'WELCOME10', current_uses: 0 });
    expect(uses[1]?.['current_uses']).toBeGreaterThan(0);
  });

  it('sells none of the existing products', async () => {
    const sold = await database.rows(`
      SELECT FROM products JOIN order_items ON product_id = products.id WHERE products.price = 1`);
    expect(sold).toHaveLength(0);
  });
});
