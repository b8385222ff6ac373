import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { hashApiKey, beginningOfApiKey } from '../../src/platform/crypto/api-keys.js';
import type { Arena } from '../arena.js';
import { makePartitions } from '../scanning/fill-events.js';
import { benchId, fillOrganization } from '../scanning/fill-organization.js';
import { ClusterNode } from './cluster.js';
import { startProxy } from './proxy.js';
import { type LoadReport, readerKey, SteadyLoad } from './steady-load.js';

/** Longer than HAProxy, which asks once a second, takes to see that a node is not ready. */
const drainSeconds = '5';
/** Until HAProxy sees that a node is ready. */
export const settleMs = 2_000;

/** Where nodes keep their files, and which database they have. */
export interface Site {
  folder: string;
  databaseUrl: string;
}

/** What is tried: so many nodes, with settings of their own, of another release. */
interface ClusterPlan {
  nodes: number;
  settings?: (node: number) => Record<string, string>;
  release?: string;
  /** Whether pictures are uploaded too. */
  pictures?: boolean;
}

/** An organization that reads alone. */
export async function addReader(client: Client): Promise<void> {
  const [organization, key] = [benchId('organization', 3), benchId('key', 3)];
  await client.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'Reader']);
  await client.query(
    `INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash) VALUES ($1, $2, 'reader', 'viewer', $3, $4)`,
    [key, organization, beginningOfApiKey(readerKey), hashApiKey(readerKey)],
  );
}

/** The database of a shop, with an organization to append to. */
export async function filledShop(arena: Arena): Promise<Client> {
  const client = await arena.database('shop');
  await fillOrganization(client);
  await addReader(client);
  await makePartitions(client, new Date());
  return client;
}

async function startNodes({ databaseUrl, folder }: Site, plan: ClusterPlan): Promise<ClusterNode[]> {
  const extra = { DRAIN_SECONDS: drainSeconds, WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1' };
  const nodes = await Promise.all(
    Array.from({ length: plan.nodes }, (_, node) =>
      ClusterNode.on(databaseUrl, folder, { ...extra, ...plan.settings?.(node) }),
    ),
  );
  for (const node of nodes) await node.start(plan.release);
  return nodes;
}

/** How often each kind of thing is among them. */
function kindsOf(failures: string[]): string[] {
  const counts = new Map<string, number>();
  for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} × ${kind}`);
}

/** What the load came to, in words. */
export function linesOf(report: LoadReport): string[] {
  const { requests, failures, secondsOfFailure, repeats, givenUp, counts, stale, follower } = report;
  const within = failures.length > 0 ? ` within ${secondsOfFailure.toFixed(1)} s` : '';
  const { missed, twice, restarts } = follower;
  return [
    `${requests} requests, ${failures.length} failed${within}; repeated ${repeats} times, ${givenUp} given up`,
    ...Object.entries(counts).map(
      ([kind, { answered, lost, doubled }]) => `${answered} ${kind} answered: ${lost} lost, ${doubled} doubled`,
    ),
    `a follower missed ${missed} events, had ${twice} twice, and began anew ${restarts} times`,
    `${stale} lists lacked what their caller had appended`,
    ...kindsOf(Object.values(counts).flatMap(({ fates = [] }) => fates)),
    ...kindsOf(failures),
  ];
}

/** From a moment of `performance.now()` to the last failure. */
export function secondsUntilWell({ lastFailureAt }: LoadReport, since: number): string {
  return Math.max(0, (lastFailureAt - since) / 1_000).toFixed(1);
}

/** Nodes of one shop behind HAProxy, at fifty requests a second while `trouble` is made. */
export async function underLoad(
  arena: Arena,
  plan: ClusterPlan,
  trouble: (nodes: ClusterNode[]) => Promise<void>,
): Promise<string[]> {
  const client = await filledShop(arena);
  const site = { folder: arena.folder, databaseUrl: arena.urlOf('shop') };
  return linesOf(
    await loadOn(site, plan, async (nodes) => {
      await trouble(nodes);
      return client;
    }),
  );
}

/** The same on any database; `trouble` returns a connection to what is there at the end. */
export async function loadOn(
  site: Site,
  plan: ClusterPlan,
  trouble: (nodes: ClusterNode[]) => Promise<Client>,
): Promise<LoadReport> {
  const nodes = await startNodes(site, plan);
  try {
    const proxy = await startProxy(nodes, site.folder);
    try {
      const load = await SteadyLoad.start(proxy.baseUrl, plan.pictures ?? false);
      try {
        await sleep(settleMs);
        return await load.finish(await trouble(nodes));
      } finally {
        load.abandon();
      }
    } finally {
      await proxy.stop();
    }
  } finally {
    for (const node of nodes) await node.stop('SIGINT');
  }
}
