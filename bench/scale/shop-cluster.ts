import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Arena } from '../arena.js';
import { makePartitions } from '../scanning/fill-events.js';
import { fillOrganization } from '../scanning/fill-organization.js';
import { ClusterNode, startProxy } from './cluster.js';
import { type LoadReport, SteadyLoad } from './steady-load.js';

/** Longer than HAProxy, which asks once a second, takes to see that a node is not ready. */
const drainSeconds = '5';
/** Until HAProxy sees that a node is ready. */
export const settleMs = 2_000;

async function start(arena: Arena, count: number): Promise<{ client: Client; nodes: ClusterNode[] }> {
  const client = await arena.database('shop');
  await fillOrganization(client);
  await makePartitions(client, new Date());
  const extra = { DRAIN_SECONDS: drainSeconds };
  const nodes = await Promise.all(
    Array.from({ length: count }, () => ClusterNode.on(arena.urlOf('shop'), arena.folder, extra)),
  );
  for (const node of nodes) await node.start();
  return { client, nodes };
}

/** What the load came to, in words; what failed, once each. */
function linesOf({ requests, failures, secondsOfFailure, lost, doubled }: LoadReport): string[] {
  const within = failures.length > 1 ? ` within ${secondsOfFailure.toFixed(1)} s` : '';
  return [
    `${requests} requests, ${failures.length} failed${within}, ${lost} answered writes lost, ${doubled} doubled`,
    ...new Set(failures),
  ];
}

/** Nodes of one shop behind HAProxy, at fifty requests a second while `trouble` is made. */
export async function underLoad(
  arena: Arena,
  count: number,
  trouble: (nodes: ClusterNode[]) => Promise<void>,
): Promise<string[]> {
  const { client, nodes } = await start(arena, count);
  try {
    const proxy = await startProxy(nodes, arena.folder);
    try {
      const load = new SteadyLoad(proxy.baseUrl);
      await sleep(settleMs);
      await trouble(nodes);
      return linesOf(await load.finish(client));
    } finally {
      await proxy.stop();
    }
  } finally {
    for (const node of nodes) await node.stop('SIGINT');
  }
}
