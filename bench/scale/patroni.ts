import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import type { Arena } from '../arena.js';
import { fill, shopProducts } from '../fill.js';
import { makePartitions } from '../scanning/fill-events.js';
import { fillOrganization } from '../scanning/fill-organization.js';
import { connected, inDatabase } from './client.js';
import { missingForPatroni, type PatroniMember, PatroniPair, patroniVersions } from './patroni-pair.js';
import { addReader, linesOf, loadOn, secondsUntilWell, settleMs } from './shop-cluster.js';
import { startPrimaryProxy } from './primary-proxy.js';
import { Straggler } from './straggler.js';

const afterwardsMs = 10_000;
const template = 'filled';

interface Trouble {
  what: string;
  patroni: boolean;
  postgres: boolean;
}

const troubles: Trouble[] = [
  { what: 'Patroni and PostgreSQL of the primary killed', patroni: true, postgres: true },
  { what: 'Patroni of the primary killed, its PostgreSQL left to itself', patroni: true, postgres: false },
  { what: 'PostgreSQL of the primary killed', patroni: false, postgres: true },
];

/** A shop from which each trouble has a database of its own. */
async function fillTemplate(primary: PatroniMember): Promise<void> {
  await connected(primary.url, async (client) => {
    await client.query(`CREATE ROLE store LOGIN PASSWORD 'store'`);
    await client.query(`CREATE DATABASE ${template} OWNER store`);
  });
  const url = asStore(primary.url, template);
  await migrate(url);
  await connected(url, async (client) => {
    await fill(client, shopProducts);
    await fillOrganization(client);
    await addReader(client);
    await makePartitions(client, new Date());
  });
}

function asStore(url: string, database: string): string {
  return inDatabase(Object.assign(new URL(url), { username: 'store', password: 'store' }).href, database);
}

/** A trouble of the pair behind one address. */
async function suffer(
  arena: Arena,
  pair: PatroniPair,
  trouble: Trouble,
  at: { name: string; port: number },
): Promise<string[]> {
  const { name, port } = at;
  const { primary, standby } = await pair.whole();
  await connected(primary.url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER store`));
  const clients: Client[] = [];
  let [killedAt, promotedAt, straggling] = [0, 0, ''];
  const site = {
    folder: arena.folder,
    databaseUrl: asStore(Object.assign(new URL(primary.url), { port: String(port) }).href, name),
  };
  const report = await loadOn(site, { nodes: 2 }, async () => {
    await sleep(settleMs);
    killedAt = performance.now();
    if (trouble.patroni) primary.killPatroni();
    if (trouble.postgres) await primary.killPostgres();
    if (trouble.postgres) await primary.gone();
    // Patroni may start a PostgreSQL again rather than promote another one.
    await (trouble.patroni ? pair.promoted(standby) : pair.leader());
    promotedAt = performance.now();
    const straggler = trouble.postgres ? null : new Straggler(primary, name);
    await sleep(afterwardsMs);
    if (straggler) {
      await primary.killPostgres();
      straggling = await straggler.end();
    }
    const client = await (await pair.leader()).connect(name);
    clients.push(client);
    return client;
  });
  for (const client of clients) await client.end();
  if (trouble.patroni) await primary.start();
  const promoted = ((promotedAt - killedAt) / 1_000).toFixed(1);
  return [
    `${trouble.what}: a primary again after ${promoted} s, well ${secondsUntilWell(report, killedAt)} s after the kill`,
    ...linesOf(report),
    ...(straggling === '' ? [] : [straggling]),
  ];
}

/** Patroni with etcd makes another primary, as docs/scale.md has it, while what it looks after is killed. */
export async function patroni(arena: Arena): Promise<string[]> {
  const missing = missingForPatroni();
  if (missing !== null) return [`left out: ${missing}`];
  const pair = await PatroniPair.start(arena.folder);
  try {
    await fillTemplate((await pair.whole()).primary);
    const lines = [patroniVersions()];
    const behind = pair.members.map(({ port, rest }) => ({ port, checkPort: rest }));
    const proxy = await startPrimaryProxy(arena.folder, behind);
    const at = (n: number) => ({ name: `shop${n}`, port: proxy.port });
    for (const [n, trouble] of troubles.entries()) lines.push(...(await suffer(arena, pair, trouble, at(n))));
    await proxy.stop();
    return lines;
  } finally {
    await pair.stop();
  }
}
