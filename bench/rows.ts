import { addressesRow } from './addresses-row.js';
import { aggregateRows } from './aggregate-rows.js';
import type { BenchRow } from './bench-row.js';
import { consoleRows } from './console/console-rows.js';
import type { Side } from './contestants.js';
import { clientRow } from './client-row.js';
import { httpRow } from './http-row.js';
import { benchPaths, type PathName } from './paths.js';
import { appendRow, countedAppendRow } from './scanning/append-row.js';
import { exportRow } from './scanning/export-row.js';
import { importRow } from './scanning/import-row.js';
import { issueListRows } from './scanning/issue-list-rows.js';
import { listRows } from './scanning/list-rows.js';
import { startRow } from './start-row.js';
import { storefrontRows } from './storefront/storefront-rows.js';
import { steadyRows } from './steady-rows.js';

const service: Side = { kind: 'service', database: 'shop' };
const uncached: Side = { kind: 'uncached', database: 'shop' };
const baseline: Side = { kind: 'baseline', database: 'shop' };
const lean: Side = { kind: 'lean', database: 'shop' };
const memory: Side = { kind: 'memory', database: 'shop' };
const fastapi: Side = { kind: 'fastapi', database: 'shop' };
const reads: PathName[] = ['list', 'search', 'product', 'reviews'];

function row(name: string, path: PathName, first: Side, second: Side, bar: number): BenchRow {
  return httpRow(name, benchPaths[path], [first, second], bar);
}

const shopRows: BenchRow[] = [
  ...reads.map((path) => row(path, path, service, baseline, 3)),
  ...reads.map((path) => row(`${path}-memory`, path, service, memory, 0.5)),
  ...reads.map((path) => row(`${path}-uncached`, path, uncached, baseline, 0.5)),
  row('mix', 'mix', service, baseline, 2),
  row('cart', 'cart', service, baseline, 0.6),
  row('checkout', 'checkout', service, baseline, 0.7),
  row('deep', 'deep', uncached, baseline, 0.6),
  row('rare-word', 'rare-word', { kind: 'uncached', database: 'words' }, { kind: 'baseline', database: 'words' }, 0.6),
  ...reads.map((path) => row(`${path}-kept-lean`, path, service, lean, 4)),
  ...reads.map((path) => row(`${path}-lean`, path, uncached, lean, 0.8)),
  row('deep-lean', 'deep', uncached, lean, 0.8),
  row('mix-lean', 'mix', service, lean, 3),
  row('cart-lean', 'cart', service, lean, 0.75),
  row('cart-read-lean', 'cart-read', service, lean, 0.65),
  row('checkout-lean', 'checkout', service, lean, 0.75),
  ...(['list', 'product', 'reviews'] as const).map((path) => row(`${path}-fastapi`, path, uncached, fastapi, 1)),
  row('cart-fastapi', 'cart', service, fastapi, 1),
  row('cart-read-fastapi', 'cart-read', service, fastapi, 1),
  row('checkout-fastapi', 'checkout', service, fastapi, 1),
  row('million', 'list', { kind: 'uncached', database: 'million' }, uncached, 0.8),
];

export const benchRows: BenchRow[] = [
  ...shopRows,
  addressesRow,
  ...steadyRows,
  appendRow,
  countedAppendRow,
  ...listRows,
  ...issueListRows,
  ...aggregateRows,
  importRow,
  exportRow,
  startRow,
  clientRow,
  ...consoleRows,
  ...storefrontRows,
];
