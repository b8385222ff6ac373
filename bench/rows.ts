import type { Kind } from './contestants.js';
import type { ShopName } from './fill.js';
import type { PathName } from './paths.js';

/** Who is asked, on which shop. */
export interface Side {
  kind: Kind;
  shop: ShopName;
}

/** One ratio: the first side's rate over the second's. */
export interface BenchRow {
  name: string;
  path: PathName;
  first: Side;
  second: Side;
  /** What the ratio should reach. */
  bar: number;
}

const service: Side = { kind: 'service', shop: 'shop' };
const uncached: Side = { kind: 'uncached', shop: 'shop' };
const baseline: Side = { kind: 'baseline', shop: 'shop' };
const memory: Side = { kind: 'memory', shop: 'shop' };
const reads: PathName[] = ['list', 'search', 'product', 'reviews'];

function row(name: string, path: PathName, first: Side, second: Side, bar: number): BenchRow {
  return { name, path, first, second, bar };
}

export const benchRows: BenchRow[] = [
  ...reads.map((path) => row(path, path, service, baseline, 3)),
  ...reads.map((path) => row(`${path}-memory`, path, service, memory, 0.5)),
  ...reads.map((path) => row(`${path}-uncached`, path, uncached, baseline, 0.5)),
  row('mix', 'mix', service, baseline, 2),
  row('cart', 'cart', service, baseline, 0.6),
  row('checkout', 'checkout', service, baseline, 0.7),
  row('deep', 'deep', uncached, baseline, 0.6),
  row('rare-word', 'rare-word', { kind: 'uncached', shop: 'words' }, { kind: 'baseline', shop: 'words' }, 0.6),
  row('million', 'list', { kind: 'uncached', shop: 'million' }, uncached, 0.8),
];
