import type { Client } from 'pg';
import type { Arena } from '../arena.js';
import { headersOf } from '../contestants.js';
import { ask } from '../load.js';
import { benchPaths } from '../paths.js';
import { appendPath, eventsOfRequest } from '../scanning/append-row.js';
import { ClusterNode } from './cluster.js';
import { filledShop } from './shop-cluster.js';

const appends = 40;
/** Of a shopper: two additions to the cart, and the order. */
const requestsOfOrder = 3;
const orders = 2_000;

/** Of a table, or of all partitions of one. */
const sizeOf = (table: string): string => `
  SELECT sum(pg_total_relation_size(relid))::float8 AS bytes
    FROM (SELECT '${table}'::regclass AS relid UNION SELECT relid FROM pg_partition_tree('${table}')) AS tables`;

async function figure(client: Client, sql: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(sql);
  return rows[0]?.bytes ?? 0;
}

const written = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes";

/** Bytes of tables with their indexes, and of the log, that `work` adds for each of `count`. */
async function added(client: Client, tables: string[], count: number, work: () => Promise<unknown>): Promise<string> {
  const sizes = async (): Promise<number> => {
    const each = [];
    for (const table of tables) each.push(await figure(client, sizeOf(table)));
    return each.reduce((sum, bytes) => sum + bytes, 0);
  };
  const [before, log] = [await sizes(), await figure(client, written)];
  await work();
  const [bytes, logged] = [(await sizes()) - before, (await figure(client, written)) - log];
  return `${Math.round(bytes / count)} bytes on disk with indexes, ${Math.round(logged / count)} bytes of log`;
}

/** What an event, an order and a product take on disk, and in the log that standbys and backups read. */
export async function rowSizes(arena: Arena): Promise<string[]> {
  const client = await filledShop(arena);
  const node = await ClusterNode.on(arena.urlOf('shop'), arena.folder, {});
  await node.start();
  try {
    const asked = { baseUrl: node.baseUrl, ...headersOf('service') };
    const append = (requests: number) => ask(appendPath, asked, { requests });
    await append(appends / 10);
    const event = await added(client, ['scan_events', 'scan_event_counts'], appends * eventsOfRequest, () =>
      append(appends),
    );
    const checkout = () => ask(benchPaths.checkout, asked, { requests: orders * requestsOfOrder });
    await checkout();
    const order = await added(client, ['orders', 'order_items'], orders, checkout);
    const products = await figure(client, sizeOf('products'));
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::integer AS count FROM products');
    const product = Math.round(products / (rows[0]?.count ?? 1));
    return [
      `an event: ${event}`,
      `an order of two lines: ${order}`,
      `a product: ${product} bytes on disk with indexes`,
    ];
  } finally {
    await node.stop('SIGINT');
  }
}
