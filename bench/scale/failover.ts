import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Arena } from '../arena.js';
import { FailoverPair } from './failover-pair.js';
import { filledShop, linesOf, loadOn, secondsUntilWell, settleMs } from './shop-cluster.js';

/** Until somebody sees that the primary is gone. */
const unnoticedMs = 3_000;
const afterwardsMs = 10_000;

/** The primary is killed, and its standby, which has all that was answered, is promoted three seconds later. */
export async function failover(arena: Arena): Promise<string[]> {
  await filledShop(arena);
  const pair = await FailoverPair.of(arena, 'shop');
  try {
    let promotedAt = 0;
    const clients: Client[] = [];
    const report = await loadOn({ folder: arena.folder, databaseUrl: pair.databaseUrl }, { nodes: 2 }, async () => {
      await sleep(settleMs * 2);
      await pair.killPrimary();
      await sleep(unnoticedMs);
      promotedAt = performance.now();
      await pair.promote();
      await sleep(afterwardsMs);
      const client = await pair.standby.connect('shop');
      clients.push(client);
      return client;
    });
    for (const client of clients) await client.end();
    return [...linesOf(report), `well ${secondsUntilWell(report, promotedAt)} s after the promotion began`];
  } finally {
    await pair.stop();
  }
}
