import type { BenchRow } from './bench-row.js';
import { rareWord } from './fill.js';
import { httpRow } from './http-row.js';
import { type BenchPath, inTurn } from './paths.js';

const dayMs = 86_400_000;
const daysBefore = (n: number) => new Date(Date.now() - n * dayMs).toISOString();
const metrics = ['revenue', 'orders'];

/** The admin is shopper 1, who has the only connection. */
const series: BenchPath = {
  what: 'revenue or orders of 350 days by day, beside those of a tenth of the orders',
  connections: 1,
  requestsOf: inTurn(
    (n) => `/api/v1/admin/stats/series?metric=${metrics[n % 2]}&interval=day&from=${daysBefore(350 - (n % 7))}`,
    'shopper',
  ),
};

const searched = ['linen', rareWord, 'linen shirt', 'nothing'];

const orderSearch: BenchPath = {
  what: 'a search of orders by words, frequent and rare, beside one of a tenth of the orders',
  connections: 1,
  requestsOf: inTurn(
    (n) =>
      `/api/v1/admin/orders?search=${encodeURIComponent(searched[n % 4] ?? '')}&skip=${Math.floor(n / 4)}&limit=10`,
    'shopper',
  ),
};

const summary: BenchPath = {
  what: 'the counts of all issues, beside those of none',
  connections: 1,
  requestsOf: inTurn((n) => `/api/v1/issues/summary?from=${daysBefore(90 + (n % 7))}`, 'organization'),
};

/** The counts of the console's overviews: their time grows with orders and issues, so no ratio is set. */
export const aggregateRows: BenchRow[] = [
  httpRow(
    'orders-search',
    orderSearch,
    [
      { kind: 'service', database: 'sales' },
      { kind: 'service', database: 'few_sales' },
    ],
    null,
  ),
  httpRow(
    'stats-series',
    series,
    [
      { kind: 'service', database: 'sales' },
      { kind: 'service', database: 'few_sales' },
    ],
    null,
  ),
  httpRow(
    'issues-summary',
    summary,
    [
      { kind: 'service', database: 'exports' },
      { kind: 'service', database: 'few_events' },
    ],
    null,
  ),
];
