import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.js';
import { settleMs, underLoad } from './shop-cluster.js';

const goneMs = 5_000;

/** Two of four nodes are killed at once, and come back. */
export function nodesKilled(arena: Arena): Promise<string[]> {
  return underLoad(arena, { nodes: 4 }, async (nodes) => {
    const half = nodes.slice(0, nodes.length / 2);
    await Promise.all(half.map((node) => node.stop('SIGKILL')));
    await sleep(goneMs);
    await Promise.all(half.map((node) => node.start()));
    await sleep(settleMs);
  });
}
