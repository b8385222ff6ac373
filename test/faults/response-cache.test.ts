import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../src/store/catalogue/catalogue.dto.js';
import { insertUser } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { placeOrder } from '../support/checkout.js';
import { fillCart, insertProduct, stockOf } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const readersOfANode = 100;
const writers = 20;
const loadMs = 10_000;
/** On a busy machine the load lasts until each writer has had enough responses, or this long. */
const longestLoadMs = 50_000;
const writesOfEach = 3;
/** How stale a value may be on a node that did not write it. */
const staleMs = 2_000;

let app: TestApp;
let nodes: ApiClient[];
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '64' } });
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());

/**
 * One product that only one writer changes, on one node: each write names it after the next version, so that the name
 * shows how old a response is.
 */
class Versioned {
  /** When the writer got the response for each version. */
  private readonly answered: [version: number, at: number][] = [];
  private written = 0;

  constructor(
    readonly id: number,
    readonly node: number,
  ) {}

  async write(): Promise<void> {
    this.written += 1;
    const version = this.written;
    const json = { name: `Version ${version}` };
    const { status } = await nodes[this.node]!.put(`/api/v1/products/${this.id}`, { json });
    // A write on a cut connection may have been done or not: no response has promised it.
    if (status === 200) this.answered.push([version, performance.now()]);
    else expect(status).toBe(503);
  }

  /** The oldest version that a node may show in response to a request made at this time. */
  oldestFor(node: number, askedAt: number): number {
    const known = node === this.node ? askedAt : askedAt - staleMs;
    return this.answered.findLast(([, at]) => at <= known)?.[0] ?? 0;
  }

  get answeredCount(): number {
    return this.answered.length;
  }
}

interface Watch {
  products: Versioned[];
  startedAt: number;
  reads: number;
  /** Reads that showed an older version than they may. */
  stale: string[];
}

const versionOf = ({ name }: Product) => Number(/\d+/.exec(name)?.[0]);

function isOver({ products, startedAt }: Watch): boolean {
  const passed = performance.now() - startedAt;
  const enough = products.every(({ answeredCount }) => answeredCount >= writesOfEach);
  return passed > longestLoadMs || (passed > loadMs && enough);
}

/** Requests products from a node in all kinds of pages, one after another, and checks the age of each. */
async function readOn(node: number, nth: number, watch: Watch): Promise<void> {
  for (let round = nth; !isOver(watch); round++) {
    const one = watch.products[round % watch.products.length]!;
    const pages = [
      `/api/v1/products/${one.id}`,
      '/api/v1/products/?limit=100',
      '/api/v1/products/search/?q=version&limit=100',
      '/api/v1/products/filter/by-color?color=grey',
    ];
    const page = pages[round % pages.length]!;
    const askedAt = performance.now();
    const response = await fetch(nodes[node]!.baseUrl + page);
    const body = (await response.json()) as Product | Product[];
    if (response.status === 503) continue;
    watch.reads += 1;
    for (const product of [body].flat()) {
      const watched = watch.products.find(({ id }) => id === product.id);
      const oldest = watched?.oldestFor(node, askedAt) ?? 0;
      if (versionOf(product) < oldest) watch.stale.push(`node ${node} ${page}: ${product.name}, not ${oldest}`);
    }
  }
}

async function writeOn(product: Versioned, watch: Watch): Promise<void> {
  while (!isOver(watch)) {
    await product.write();
    await sleep(20 + Math.random() * 60);
  }
}

/**
 * Ends every connection of the nodes, including those on which they receive changes, again and again; not for longer than the
 * load takes on a machine with nothing else to do, or a busy one would write nothing between two cuts.
 */
async function cutConnections(watch: Watch): Promise<number> {
  let cut = 0;
  while (performance.now() - watch.startedAt < loadMs) {
    await sleep(1_500);
    const ended = await app.database.rows(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'store-service%'`,
    );
    cut += ended.length;
  }
  await sleep(500); // so that the nodes notice before the next test begins
  return cut;
}

async function underLoad(disturb: (watch: Watch) => Promise<number>): Promise<Watch & { cut: number }> {
  const products: Versioned[] = [];
  for (let n = 0; n < writers; n++) {
    const id = await insertProduct(app, { name: 'Version 0' });
    await app.database.rows(`UPDATE products SET color = 'grey' WHERE id = $1`, [id]);
    products.push(new Versioned(id, n % 2));
  }
  const watch: Watch = { products, startedAt: performance.now(), reads: 0, stale: [] };
  const readers = nodes.flatMap((_, node) => Array.from({ length: readersOfANode }, (__, n) => readOn(node, n, watch)));
  const writing = products.map((product) => writeOn(product, watch));
  const [cut] = await Promise.all([disturb(watch), ...readers, ...writing]);
  return { ...watch, cut };
}

describe('200 readers and 20 writers on two nodes for ten seconds', () => {
  it("show nothing older than the node's own last successful write, or the other's last one from two seconds ago", async () => {
    const { reads, stale, products } = await underLoad(async () => 0);
    expect(stale).toEqual([]);
    expect(reads).toBeGreaterThan(readersOfANode * 2);
    expect(products.filter(({ answeredCount }) => answeredCount < writesOfEach)).toEqual([]);
  });

  it('show nothing older even though the database connections are cut again and again', async () => {
    const { reads, stale, products, cut } = await underLoad(cutConnections);
    expect(cut).toBeGreaterThan(4);
    expect(stale).toEqual([]);
    expect(reads).toBeGreaterThan(readersOfANode * 2);
    expect(products.filter(({ answeredCount }) => answeredCount < writesOfEach)).toEqual([]);
  });
});

describe('A checkout storm on one product', () => {
  it('leaves every page with the stock in the table, at once on the node that took the orders', async () => {
    const id = await insertProduct(app, { name: 'Stormy mug', stock: 30 });
    const buyers = await Promise.all(Array.from({ length: 40 }, () => insertUser(app)));
    await Promise.all(buyers.map((buyer) => fillCart(app, buyer, [id])));
    const pages = [`/api/v1/products/${id}`, '/api/v1/products/?limit=100', '/api/v1/products/search/?q=stormy'];
    const shown = async (api: ApiClient, page: string) => {
      const { status, body } = await api.get<Product | Product[]>(page);
      if (status !== 200) throw new Error(`${page} answered ${status}: ${JSON.stringify(body)}`);
      return [body].flat().find((product) => product.id === id)?.stock;
    };

    // It was inserted without the service: memory may list the shop without it for a moment.
    for (const page of pages) await until(async () => (await shown(app.api, page)) === 30);

    const storm = new AbortController();
    const watching = pages.map(async (page) => {
      const stocks: (number | undefined)[] = [];
      while (!storm.signal.aborted) stocks.push(await shown(app.api, page));
      return stocks;
    });
    const orders = await Promise.all(buyers.map((buyer) => placeOrder(app.api, buyer)));
    const onceQuiet = await Promise.all(pages.map((page) => shown(app.api, page)));
    storm.abort();

    expect(orders.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(orders.filter(({ status }) => status === 409)).toHaveLength(10);
    for (const stocks of await Promise.all(watching)) {
      expect(stocks).toEqual(stocks.toSorted((one = 0, next = 0) => next - one));
    }

    expect(await stockOf(app, id)).toBe(0);
    expect(onceQuiet).toEqual([0, 0, 0]);
    await sleep(staleMs);
    expect(await Promise.all(pages.map((page) => shown(nodes[1]!, page)))).toEqual([0, 0, 0]);
  });
});
