import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.js';
import { Pooler } from './pooler.js';
import { settleMs, underLoad } from './shop-cluster.js';

const rounds = 2;

/** The pooler between two nodes and their database is killed, and comes back after a second; twice. */
export async function poolerRestarted(arena: Arena): Promise<string[]> {
  await arena.database('shop');
  const pooler = await Pooler.before(arena.urlOf('shop'), arena.folder);
  await pooler.start();
  try {
    const settings = () => ({ DATABASE_URL: pooler.url, DATABASE_URL_DIRECT: arena.urlOf('shop') });
    return await underLoad(arena, { nodes: 2, settings }, async () => {
      for (let round = 0; round < rounds; round++) {
        await pooler.stop('SIGKILL');
        await sleep(1_000);
        await pooler.start();
        await sleep(settleMs);
      }
    });
  } finally {
    await pooler.stop();
  }
}
