import { migrate } from '../../src/database/migrate.js';
import { distribute } from '../../src/database/distribution/distribute.js';
import type { Arena } from '../arena.js';
import { headersOf } from '../contestants.js';
import type { EmptyDatabase } from '../fill.js';
import { type Asked, ask } from '../load.js';
import { type BenchPath, inTurn } from '../paths.js';
import { appendPath, eventsOfRequest } from '../scanning/append-row.js';
import { fillEvents } from '../scanning/fill-events.js';
import { benchId, fillOrganization, scanCount } from '../scanning/fill-organization.js';
import { whole } from '../scanning/list-rows.js';
import { connected, inDatabase, newClient } from './client.js';
import { ClusterNode } from './cluster.js';
import { eventSizes } from './many-events.js';

const setting = 'CITUS_URL';
const rounds = 3;
const load = { seconds: 5 };

const ofScan: BenchPath = {
  ...whole,
  what: '50 events by a scan',
  requestsOf: inTurn((n) => `/api/v1/events?scanIds=${benchId('scan', (n * 3) % scanCount)}`, 'organization'),
};

interface Server {
  url: string;
  host: string;
  port: number;
}

/** The servers of the cluster, the coordinator's first. */
async function serversOf(coordinator: string): Promise<Server[]> {
  type Node = { host: string; port: number; groupid: number };
  const { rows } = await connected(coordinator, (client) =>
    client.query<Node>('SELECT nodename AS host, nodeport AS port, groupid FROM pg_dist_node ORDER BY groupid'),
  );
  return rows.map(({ host, port, groupid }) => {
    const url = new URL(coordinator);
    if (groupid > 0) Object.assign(url, { hostname: host, port: String(port) });
    return { url: url.href, host, port };
  });
}

/** Makes a migrated and filled database on all servers, whose events lie on the coordinator. */
async function fillOn(servers: Server[], name: string, events: number): Promise<string> {
  for (const { url } of servers) {
    await connected(url, (client) => client.query(`CREATE DATABASE ${name}`));
    await connected(inDatabase(url, name), (client) => client.query('CREATE EXTENSION IF NOT EXISTS citus'));
  }
  const [first, ...workers] = servers as [Server, ...Server[]];
  const url = inDatabase(first.url, name);
  await connected(url, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [first.host, first.port]);
    for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
  });
  await migrate(url);
  await connected(url, async (client) => {
    const database: EmptyDatabase = { client, connect: () => newClient(url) };
    await fillOrganization(client);
    await fillEvents(database, events);
  });
  return url;
}

/** Requests a second, or events where a request appends many. */
async function rateOf(path: BenchPath, asked: Asked): Promise<number> {
  const { rate, failures } = await ask(path, asked, load);
  if (failures.length > 0) throw new Error(`${failures.join(', ')}: the figures say nothing`);
  return path === appendPath ? rate * eventsOfRequest : rate;
}

const middle = (rates: number[]): number => [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;

async function compared(path: BenchPath, [plain, spread]: [Asked, Asked]): Promise<string> {
  const rates: [number[], number[]] = [[], []];
  for (const asked of [plain, spread]) await rateOf(path, asked); // as warm-up
  for (let round = 0; round < rounds; round++) {
    rates[0].push(await rateOf(path, plain));
    rates[1].push(await rateOf(path, spread));
  }
  const [ofPlain, ofSpread] = [middle(rates[0]), middle(rates[1])];
  const ratio = (ofSpread / ofPlain).toFixed(2);
  return `${path.what}: ${Math.round(ofSpread)} a second spread, ${Math.round(ofPlain)} on one server: ${ratio}`;
}

/** What lists and appends of one organization do in a cluster of Citus, beside those in a database of its coordinator. */
export async function citus(arena: Arena): Promise<string[]> {
  const coordinator = process.env[setting];
  if (coordinator === undefined) return [`left out: set ${setting} to the coordinator of a cluster of Citus`];
  const servers = await serversOf(coordinator);
  const { events } = eventSizes();
  const names = ['bench_plain', 'bench_spread'] as const;
  const nodes: ClusterNode[] = [];
  try {
    const [plain, spread] = [await fillOn(servers, names[0], events), await fillOn(servers, names[1], events)];
    const began = performance.now();
    await distribute({ DATABASE_URL: spread }, ['--shards', '16']);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    for (const url of [plain, spread]) nodes.push(await ClusterNode.on(url, arena.folder, {}));
    const asked: Asked[] = [];
    for (const node of nodes) {
      await node.start();
      asked.push({ baseUrl: node.baseUrl, ...headersOf('service') });
    }
    const lines = [`${events.toLocaleString('en')} events spread in ${seconds} s`];
    for (const path of [whole, ofScan, appendPath]) lines.push(await compared(path, asked as [Asked, Asked]));
    return lines;
  } finally {
    for (const node of nodes) await node.stop('SIGINT');
    for (const { url } of servers) {
      for (const name of names) {
        await connected(url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      }
    }
  }
}
