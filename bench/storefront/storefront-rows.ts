import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { Arena } from '../arena.js';
import { barOf, taking } from '../bar-contender.js';
import type { BenchRow, Contender, Measurement } from '../bench-row.js';
import { slowDown, slowLine, startBrowser } from '../console/browser.js';
import type { Contestant, Side } from '../contestants.js';
import { shoppers, sweep } from '../fill.js';
import { ask } from '../load.js';
import { type Pace, smokePace } from '../pace.js';
import { type BenchPath, inTurn } from '../paths.js';

const service: Side = { kind: 'service', database: 'shop' };
const visitsASecond = 50;
const ordersASecond = 10;
const slowestBarMs = 1_000;
const largestBarMs = 1_800;
const shiftBar = 0.05;
const workBarMs = 5;
const phone = { bitsPerSecond: 1_600_000, latencyMs: 150, slower: 4 };
const shelves = 40;

/** The first page every other time, and the pages of the list of everything. */
const addressOf = (n: number) => (n % 2 === 0 ? '/' : `/search?page=${1 + (n % shelves)}`);

const pages: BenchPath = {
  what: 'the first page and shelves, as fast as they come',
  connections: 16,
  requestsOf: inTurn(addressOf),
};

const shipping = { first_name: 'Ada', last_name: 'Bench', address: '1 Loop Road', city: 'Leeds', zip_code: 'LS1' };

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request and waits for its whole answer, whose status it returns. */
function send(baseUrl: string, agent: Agent, { method, path, headers = {}, body = '' }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(baseUrl + path, { method, agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('error', reject).end(body);
  });
}

/** Begins this often a second at even intervals, however long each takes; returns how long each took from when it was due. */
async function evenly(perSecond: number, seconds: number, one: (n: number) => Promise<unknown>): Promise<number[]> {
  const begun = performance.now();
  const running: Promise<number>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = begun + (n * 1_000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    running.push(one(n).then(() => performance.now() - due));
  }
  return Promise.all(running);
}

/** The slowest page of the last round, in words. */
let slowest = '';

/** Visitors and orders at once: how long the slowest page took, and what was not answered as it should be. */
async function visitBesideOrders(contestant: Contestant, seconds: number): Promise<Measurement> {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const sent = async (what: Sent) => {
    const status = await send(contestant.baseUrl, agent, what);
    if (status < 200 || status > 299) failures.push(`${what.method} ${what.path} answered ${status}`);
  };
  const order = async (n: number) => {
    const headers = { ...contestant.asShopper(1 + (n % shoppers)), 'content-type': 'application/json' };
    const line = JSON.stringify({ product_id: 1 + ((n * 37) % 1_000), quantity: 1 });
    await sent({ method: 'POST', path: '/api/v1/cart/add', headers, body: line });
    await sent({ method: 'POST', path: '/api/v1/orders/checkout', headers, body: JSON.stringify({ shipping }) });
  };
  const visit = (n: number) => sent({ method: 'GET', path: addressOf(n), headers: { 'accept-encoding': 'gzip' } });
  const [times] = await Promise.all([evenly(visitsASecond, seconds, visit), evenly(ordersASecond, seconds, order)]);
  agent.destroy();
  const longest = Math.max(...times);
  slowest = `the slowest page was ${addressOf(times.indexOf(longest))}, ${longest.toFixed(0)} ms`;
  return { ...taking(longest), failures };
}

const visited: Contender = {
  name: 'service',
  async measure(arena, pace: Pace, isWarmUp) {
    const contestant = await arena.contestant(service);
    await sweep(await arena.database('shop'), pace.quietMs);
    return visitBesideOrders(contestant, pace === smokePace ? 1 : isWarmUp ? 5 : 20);
  },
};

const asking = (kind: Side['kind'], name: string): Contender => ({
  name,
  measure: async (arena, pace, isWarmUp) =>
    ask(pages, await arena.contestant({ kind, database: 'shop' }), isWarmUp ? pace.warmUp : pace.load),
});

/** Gives the products pictures of their own, as a shopper may upload them: the shop of the bench has none. */
async function givePictures(arena: Arena, contestant: Contestant): Promise<void> {
  const [width, height] = [1_400, 1_400];
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const;
  const picture = await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer();
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'thing.jpg');
  const answer = await fetch(`${contestant.baseUrl}/api/v1/uploads/general`, {
    method: 'POST',
    headers: contestant.asShopper(1),
    body,
  });
  if (!answer.ok) throw new Error(`A picture was answered ${answer.status}: ${await answer.text()}`);
  const { url } = (await answer.json()) as { url: string };
  await (await arena.database('shop')).query('UPDATE products SET image_url = $1 WHERE image_url IS NULL', [url]);
}

/** Makes addresses that were not asked for before: their pages are kept nowhere. */
let looks = 0;

const looked = ['/?', '/search?page=2&', '/p/7?'];
const names: Record<string, string> = { '/?': 'first page', '/search?page=2&': 'list', '/p/7?': 'product' };

const observed = `
  globalThis.seen = { largest: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) globalThis.seen.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.seen.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

interface Seen {
  largest: number;
  shift: number;
}

/** What a phone that was never here sees of a page: when the largest of it stands there, and how far things moved. */
async function lookAt(browser: Browser, baseUrl: string, path: string): Promise<Seen> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(observed);
    await slowLine(page, phone.bitsPerSecond, phone.latencyMs);
    await slowDown(page, phone.slower);
    await page.goto(baseUrl + path, { waitUntil: 'networkidle', timeout: 120_000 });
    return await page.evaluate<Seen>('globalThis.seen');
  } finally {
    await context.close();
  }
}

/** What was seen of each page in the last round, in words. */
let sights = '';

/** The slower of a list and a product, of which alone the bar speaks, and the first page beside them. */
const seen: Contender = {
  name: 'service',
  async measure(arena, _pace, isWarmUp) {
    if (isWarmUp) {
      await givePictures(arena, await arena.contestant(service));
      return taking(largestBarMs);
    }
    const { baseUrl } = await arena.contestant(service);
    const browser = await startBrowser();
    try {
      looks += 1; // the pages from before the pictures may be kept
      const found: Seen[] = [];
      for (const path of looked) found.push(await lookAt(browser, baseUrl, `${path}look=${looks}`));
      const words = found.map(({ largest, shift }, at) => {
        return `${names[looked[at] ?? '']} ${largest.toFixed(0)} ms, moved by ${shift.toFixed(3)}`;
      });
      sights = words.join('; ');
      const failures = words.filter((_, at) => (found[at]?.shift ?? 0) > shiftBar);
      const [, ...ofBar] = found;
      return { ...taking(Math.max(...ofBar.map((one) => one.largest))), failures };
    } finally {
      await browser.close();
    }
  },
};

/** The processor time of each page in the last round, in words. */
let work = '';

/** The processor time that the service spends on a page, in milliseconds, by a visitor who asks for one after the other. */
async function workOf(contestant: Contestant, times: number, addressed: (n: number) => string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = await contestant.processorSeconds();
  for (let n = 1; n <= times; n++) {
    const path = addressed(n);
    const status = await send(contestant.baseUrl, agent, {
      method: 'GET',
      path,
      headers: { 'accept-encoding': 'gzip' },
    });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
  agent.destroy();
  return (((await contestant.processorSeconds()) - before) * 1_000) / times;
}

/** Products one after the other that are kept nowhere, of which the bar speaks, and the other pages beside them. */
const worked: Contender = {
  name: 'service',
  async measure(arena, pace: Pace, isWarmUp) {
    const contestant = await arena.contestant(service);
    const database = await arena.database('shop');
    await sweep(database, pace.quietMs);
    const times = pace === smokePace ? 20 : isWarmUp ? 300 : 500;
    const { rows } = await database.query<{ slug: string }>('SELECT slug FROM products ORDER BY id LIMIT $1', [times]);
    const slugOf = (n: number) => rows[n % rows.length]?.slug ?? '';
    const anew = (addressed: (n: number) => string) => {
      looks += 1;
      const look = looks;
      return workOf(contestant, times, (n) => `${addressed(n)}look=${look}-${n}`);
    };
    const product = await anew((n) => `/p/${slugOf(n)}?`);
    const list = await anew((n) => `/search?page=${1 + (n % shelves)}&`);
    const first = await anew(() => '/?');
    const kept = await workOf(contestant, times, () => `/p/${slugOf(7)}`);
    const all = [
      ['product', product],
      ['list', list],
      ['first page', first],
      ['product that is kept', kept],
    ] as const;
    work = all.map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`).join('; ');
    // Linux counts in hundredths of a second.
    return taking(Math.max(product, 10 / times));
  },
};

export const storefrontRows: BenchRow[] = [
  {
    name: 'storefront-pages',
    group: 'storefront',
    what: pages.what,
    connections: pages.connections,
    unit: 'pages',
    first: asking('service', 'service'),
    second: asking('plain-shop', 'Express'),
    bar: null,
  },
  {
    name: 'storefront-steady',
    group: 'storefront',
    what: `the slowest page of ${visitsASecond} visits a second beside ${ordersASecond} orders a second`,
    connections: visitsASecond,
    unit: 'pages',
    first: visited,
    second: barOf(slowestBarMs),
    more: () => slowest,
    bar: 1,
    alone: [service],
  },
  {
    name: 'storefront-work',
    group: 'storefront',
    what: 'the processor time of a product page that is kept nowhere',
    connections: 1,
    unit: 'pages',
    first: worked,
    second: barOf(workBarMs),
    more: () => work,
    bar: 1,
    alone: [service],
  },
  {
    name: 'storefront-largest',
    group: 'storefront',
    what: 'the largest content of a list and a product at 1.6 Mbit/s, 150 ms and processor ÷ 4, with nothing moved by more than 0.05',
    connections: 1,
    unit: 'pages',
    first: seen,
    second: barOf(largestBarMs),
    more: () => sights,
    bar: 1,
  },
];
