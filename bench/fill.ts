import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** A migrated, empty database to fill. */
export interface EmptyDatabase {
  client: Client;
  /** Another connection to it. */
  connect: () => Promise<Client>;
}

export const shoppers = 1_000;

/** Products of the shop that most rows use. */
export const shopProducts = 10_000;

/** A word that one product in a hundred has. */
export const rareWord = 'heliotrope';

const productsSql = `
INSERT INTO products (name, description, price, stock, color, material, size)
SELECT (ARRAY['Linen','Wool','Oak','Steel','Canvas','Copper','Cotton','Glass'])[1 + n % 8] || ' '
         || (ARRAY['shirt','lamp','mug','backpack','chair','blanket','kettle','notebook'])[1 + n / 8 % 8] || ' ' || n,
       'Number ' || n || ' of a long line of things that are made to last. '
         || CASE WHEN n % 100 = 0 THEN 'A ${rareWord} edition.' ELSE 'Comes in a plain box.' END,
       (n % 20000 + 99) / 100.0, 1000000000,
       (ARRAY['red','blue','green','black','white'])[1 + n % 5], 'linen', 'M'
  FROM generate_series(1, $1::int) AS n`;

const peopleSql = `
INSERT INTO users (id, username, email, password_hash)
SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'shopper' || n, 'shopper' || n || '@example.com', 'none'
  FROM generate_series(1, ${shoppers}) AS n;
INSERT INTO carts (user_id) SELECT id FROM users`;

const reviewsSql = `
INSERT INTO reviews (product_id, user_id, rating, title, content)
SELECT 1 + n % 1000, ('00000000-0000-7000-8000-' || lpad((1 + n / 40)::text, 12, '0'))::uuid, 1 + n % 5, 'Fine', 'As described.'
  FROM generate_series(0, ${shoppers * 40 - 1}) AS n ON CONFLICT DO NOTHING`;

/** The id of shopper `n`, from 1. */
export function shopperId(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** Fills a shop: its products, 1,000 shoppers with carts, 40,000 reviews of the first 1,000 products. */
export async function fill(client: Client, products: number): Promise<void> {
  await client.query(productsSql, [products]);
  await client.query(peopleSql);
  await client.query(reviewsSql);
  await client.query('VACUUM ANALYZE');
}

const ordersSql = `
INSERT INTO orders (user_id, status, reached, total_price, created_at)
SELECT ('00000000-0000-7000-8000-' || lpad((1 + n % ${shoppers})::text, 12, '0'))::uuid,
       (ARRAY['completed', 'shipped', 'paid', 'cancelled'])[1 + n % 4],
       (ARRAY['completed', 'shipped', 'paid', 'pending'])[1 + n % 4], n % 20000 / 100.0,
       now() - n * interval '350 days' / $1::int
  FROM generate_series(0, $1::int - 1) AS n`;

/** One line for each order; one in a thousand has the rare word. */
const linesSql = `
WITH product AS (INSERT INTO products (name, price, stock) VALUES ('Linen shirt', 1, 1) RETURNING id)
INSERT INTO order_items (order_id, product_id, quantity, price, product_name)
SELECT orders.id, product.id, 1, 1, CASE WHEN orders.id % 1000 = 7 THEN '${rareWord}' ELSE 'Linen shirt' END
  FROM orders, product`;

/** Fills a shop with orders of the last 350 days; shopper 1 is an admin. */
export async function fillSales(client: Client, orders: number): Promise<void> {
  await client.query(peopleSql);
  await client.query(`UPDATE users SET role = 'admin' WHERE id = '${shopperId(1)}'`);
  await client.query(ordersSql, [orders]);
  await client.query(linesSql);
  await client.query('SELECT index_orders(ARRAY(SELECT id FROM orders))');
  await client.query('TRUNCATE unindexed_orders');
  await client.query('VACUUM ANALYZE');
}

const restTries = 150;

/** Waits, some seconds at most, until the database runs no statement: one that nobody waits for any more takes from the next. */
export async function rest(client: Client): Promise<void> {
  for (let attempt = 1; attempt <= restTries; attempt++) {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    if (rows.length === 0) return;
    await sleep(100);
  }
}

const sweepTries = 5;

/** Deletes what a measurement of writes left behind, so that all start alike. */
export async function sweep(client: Client, quietMs: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await sleep(quietMs); // what the last measurement left in flight
    try {
      await client.query(
        'TRUNCATE order_items, orders, unindexed_orders, idempotency_keys, cart_items RESTART IDENTITY CASCADE',
      );
      await client.query('DELETE FROM graphile_worker._private_jobs WHERE priority > 0 AND locked_at IS NULL'); // quiet
      break;
    } catch (error) {
      if (attempt === sweepTries) throw error; // a request still in flight can block it
    }
  }
  await client.query('VACUUM ANALYZE products, carts, cart_items, orders, order_items');
}
