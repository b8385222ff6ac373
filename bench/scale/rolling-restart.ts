import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.js';
import { settleMs, underLoad } from './shop-cluster.js';

const rounds = 2;

/** Three nodes are restarted one after the other, twice. */
export function rollingRestart(arena: Arena): Promise<string[]> {
  return underLoad(arena, { nodes: 3 }, async (nodes) => {
    for (let round = 0; round < rounds; round++) {
      for (const node of nodes) {
        await node.stop();
        await node.start();
        await sleep(settleMs);
      }
    }
  });
}
