import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseServerUser } from '../../src/embedded-server/server-user.js';
import type { Arena } from '../arena.js';
import { freePort } from '../contestants.js';
import type { ClusterNode } from './cluster.js';
import { copy, PlainServer, superuserOf, until } from './plain-server.js';
import { underLoad } from './shop-cluster.js';

const lagSeconds = 5;
const phaseMs = 15_000;
/** Until the nodes have seen what became of it. */
const patienceSeconds = 60;
const askMs = 100;

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

/** A figure of all nodes. */
async function sum(nodes: ClusterNode[], name: string): Promise<number> {
  const figures = nodes.map(async ({ baseUrl }) => {
    const text = await (await fetch(`${baseUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  });
  return (await Promise.all(figures)).reduce((all, one) => all + one, 0);
}

/** How many lists the replica has served, and the primary in its stead. */
function reads(nodes: ClusterNode[]): Promise<number[]> {
  return Promise.all(['database_replica_reads_total', 'database_primary_reads_total'].map((name) => sum(nodes, name)));
}

/** Waits until all nodes, or none, read at the replica; returns when they did. */
async function untilUsed(nodes: ClusterNode[], isUsed: boolean): Promise<string> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  while ((await sum(nodes, 'database_replicas_in_use')) !== (isUsed ? nodes.length : 0)) {
    if (seconds() > patienceSeconds) return `not after ${patienceSeconds} s`;
    await sleep(askMs);
  }
  return `after ${seconds().toFixed(1)} s`;
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
      const phase = async (what: string, isUsed: boolean, trouble?: () => Promise<unknown>): Promise<void> => {
        await trouble?.();
        const after = await untilUsed(nodes, isUsed);
        const before = await reads(nodes);
        await sleep(phaseMs);
        const [ofReplica = 0, ofPrimary = 0] = (await reads(nodes)).map((now, at) => now - (before[at] ?? 0));
        const use = isUsed ? 'in use' : 'left out';
        shares.push(`${what}: ${use} ${after}; then ${ofReplica} lists by the replica, ${ofPrimary} by the primary`);
      };
      await phase('well', true);
      await phase('paused', false, () => replica.query('SELECT pg_wal_replay_pause()'));
      await phase('going on', true, () => replica.query('SELECT pg_wal_replay_resume()'));
      await phase('killed', false, () => replica.kill('SIGKILL'));
      await phase('back', true, () => replica.start());
    });
    return [...lines, ...shares];
  } finally {
    await replica.kill('SIGQUIT');
  }
}
