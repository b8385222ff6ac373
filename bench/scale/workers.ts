import type { Arena } from '../arena.js';
import { median } from '../contest.js';
import { headersOf } from '../contestants.js';
import { sweep } from '../fill.js';
import { ask } from '../load.js';
import { type BenchPath, benchPaths } from '../paths.js';
import { ClusterNode } from './cluster.js';
import { filledShop } from './shop-cluster.js';

const rounds = 3;
const load = { seconds: 3 };
/** In which what is in flight comes to its end. */
const quietMs = 1_000;
const counts = [1, 2];

/** How much more two workers of a node do than one: answers from memory, and orders. */
export async function workers(arena: Arena): Promise<string[]> {
  const client = await filledShop(arena);
  const nodes: ClusterNode[] = [];
  try {
    for (const count of counts) {
      const node = await ClusterNode.on(arena.urlOf('shop'), arena.folder, { WORKERS: String(count) });
      nodes.push(node);
      await node.start();
    }
    const rateOf = async (path: BenchPath, node: ClusterNode): Promise<number> => {
      if (path.writes) await sweep(client, quietMs);
      const { rate, failures } = await ask(path, { baseUrl: node.baseUrl, ...headersOf('service') }, load);
      if (failures.length > 0) throw new Error(`${failures.join(', ')}: the figures say nothing`);
      return rate;
    };
    const lines: string[] = [];
    for (const path of [benchPaths.list, benchPaths.checkout]) {
      for (const node of nodes) await rateOf(path, node); // as warm-up
      const rates: number[][] = [];
      for (let round = 0; round < rounds; round++) {
        const ofRound: number[] = [];
        for (const node of nodes) ofRound.push(await rateOf(path, node));
        rates.push(ofRound);
      }
      const [one, two] = counts.map((_, index) => median(rates.map((ofRound) => ofRound[index] ?? 0)));
      const ratio = median(rates.map(([first = 1, second = 0]) => second / first)).toFixed(2);
      lines.push(
        `${path.what}: ${Math.round(one ?? 0)} a second by one worker, ${Math.round(two ?? 0)} by two: ${ratio}`,
      );
    }
    return lines;
  } finally {
    for (const node of nodes) await node.stop('SIGINT');
  }
}
