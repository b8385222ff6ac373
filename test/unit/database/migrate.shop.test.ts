import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source-options.js';
import { migrate } from '../../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** The last migration of the version before orders kept names and pictures. */
const before = 1_700_000_008_999;

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = new DataSource(dataSourceOptions({ url: database.url, poolSize: 2, statementTimeoutMs: 0 }));
  await dataSource.initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function newest(): Promise<number> {
  const [row] = await database.rows<{ timestamp: string }>('SELECT max(timestamp) AS timestamp FROM migrations');
  return Number(row?.timestamp);
}

/** The data of a shop of that version: a product of each kind, and an order with a coupon. */
async function fillAsBefore(): Promise<void> {
  const user = randomUUID();
  await database.rows(
    `INSERT INTO users (id, username, email, password_hash) VALUES ($1, 'maria', 'maria@example.com', 'none')`,
    [user],
  );
  await database.rows(
    `INSERT INTO products (name, description, price, stock, image_url, deleted_at) VALUES
       ('Écru  shirt', 'Of LINEN', 10, 5, '/uploads/product/a.webp', NULL),
       ('Gone lamp', NULL, 10, 5, NULL, now())`,
  );
  await database.rows(
    `WITH coupon AS (INSERT INTO coupons (code, discount_percent, max_uses) VALUES ('OLD-10', 10, 5) RETURNING id),
          placed AS (
            INSERT INTO orders (user_id, status, total_price, discount, coupon_id)
            SELECT $1, 'shipped', 18, 2, id FROM coupon RETURNING id)
     INSERT INTO order_items (order_id, product_id, quantity, price)
     SELECT placed.id, products.id, 1, 10 FROM placed, products`,
    [user],
  );
}

describe('The upgrade of a shop with orders and products', () => {
  beforeAll(async () => {
    while ((await newest()) > before) await dataSource.undoLastMigration();
    await fillAsBefore();
    await migrate(database.url);
  });

  it('gives each line the name and picture of its product, and the order its coupon', async () => {
    expect(await database.rows('SELECT product_name, product_image_url FROM order_items ORDER BY product_id')).toEqual([
      { product_name: 'Écru  shirt', product_image_url: '/uploads/product/a.webp' },
      { product_name: 'Gone lamp', product_image_url: null },
    ]);
    expect(await database.rows('SELECT status, reached, coupon_code FROM orders')).toEqual([
      { status: 'shipped', reached: 'pending', coupon_code: 'OLD-10' },
    ]);
  });

  it('has the search find the products that are not deleted', async () => {
    expect(await database.rows('SELECT name_key, text_key FROM product_search')).toEqual([
      { name_key: 'ecru shirt', text_key: 'ecru  shirt\nof linen' },
    ]);
    expect(await database.rows('SELECT word FROM product_words ORDER BY word')).toEqual([
      { word: 'ecru' },
      { word: 'linen' },
      { word: 'shirt' },
    ]);
  });

  it('lets a node of the old version go on writing', async () => {
    await database.rows(`UPDATE orders SET status = 'delivered'`);
    await database.rows(
      `WITH kettle AS (INSERT INTO products (name, price, stock) VALUES ('New kettle', 1, 1) RETURNING id)
       INSERT INTO order_items (order_id, product_id, quantity, price) SELECT orders.id, kettle.id, 1, 10 FROM orders, kettle`,
    );
    expect(await database.rows('SELECT product_name FROM order_items ORDER BY id DESC LIMIT 1')).toEqual([
      { product_name: null },
    ]);
    expect(await database.rows(`SELECT name_key FROM product_search WHERE name_key = 'new kettle'`)).toHaveLength(1);
  });

  it('can be reverted, and run again', async () => {
    await database.rows(`UPDATE orders SET status = 'on hold', reached = 'shipped'`);
    while ((await newest()) > before) await dataSource.undoLastMigration();
    expect(await database.rows('SELECT status FROM orders')).toEqual([{ status: 'shipped' }]);
    await migrate(database.url);
    expect(await database.rows('SELECT name_key FROM product_search ORDER BY name_key')).toHaveLength(2);
  });

  it('leaves nothing when interrupted just before it is recorded, and is completed by the next run', async () => {
    const last = await newest();
    await dataSource.undoLastMigration();
    const undone = await newest();
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE migrations IN SHARE MODE');
    const migrating = migrate(database.url).then(
      () => 'migrated',
      () => 'interrupted',
    );
    const stopWaiting = () =>
      database.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'INSERT INTO "migrations"%'`,
      );
    while ((await stopWaiting()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await migrating).toBe('interrupted');
    await holder.rollbackTransaction();
    await holder.release();
    expect(await newest()).toBe(undone);
    await migrate(database.url);
    expect(await newest()).toBe(last);
  });
});
