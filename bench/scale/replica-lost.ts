import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseServerUser } from '../../src/embedded-server/server-user.js';
import type { Arena } from '../arena.js';
import { freePort } from '../contestants.js';
import type { ClusterNode } from './cluster.js';
import { copy, PlainServer, superuserOf, until } from './plain-server.js';
import { settleMs, underLoad } from './shop-cluster.js';

const lagSeconds = 5;
const phaseMs = 15_000;

async function startReplica(arena: Arena): Promise<PlainServer> {
  const user = await chooseServerUser(null);
  const primary = superuserOf(arena);
  const folder = join(arena.folder, 'replica');
  await copy(primary, folder, user);
  const replica = new PlainServer(folder, user, primary.href.replace(primary.port, String(await freePort())));
  await replica.start();
  await until(replica.url, 'SELECT FROM pg_stat_wal_receiver');
  return replica;
}

/** How many reads the replica has served, and the primary in its stead, by all nodes. */
async function reads(nodes: ClusterNode[]): Promise<[number, number]> {
  const sums: [number, number] = [0, 0];
  for (const node of nodes) {
    const text = await (await fetch(`${node.baseUrl}/metrics`)).text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
    sums[0] += figure('database_replica_reads');
    sums[1] += figure('database_primary_reads');
  }
  return sums;
}

/** The replica that two nodes list from stands still, goes on, is killed, and comes back. */
export async function replicaLost(arena: Arena): Promise<string[]> {
  await arena.database('shop');
  const replica = await startReplica(arena);
  try {
    const url = Object.assign(new URL(arena.urlOf('shop')), { port: new URL(replica.url).port }).href;
    const settings = () => ({ DATABASE_REPLICA_URLS: url, REPLICA_LAG_SECONDS: String(lagSeconds) });
    const shares: string[] = [];
    const lines = await underLoad(arena, { nodes: 2, settings }, async (nodes) => {
      const phase = async (what: string, trouble?: () => Promise<unknown>): Promise<void> => {
        await trouble?.();
        const before = await reads(nodes);
        await sleep(phaseMs);
        const [ofReplica, ofPrimary] = await reads(nodes);
        shares.push(`${what}: ${ofReplica - before[0]} reads by the replica, ${ofPrimary - before[1]} by the primary`);
        await sleep(settleMs);
      };
      await phase('well');
      await phase('paused', () => replica.query('SELECT pg_wal_replay_pause()'));
      await phase('going on', () => replica.query('SELECT pg_wal_replay_resume()'));
      await phase('killed', () => replica.kill('SIGKILL'));
      await phase('back', () => replica.start());
    });
    return [...lines, ...shares];
  } finally {
    await replica.kill('SIGQUIT');
  }
}
