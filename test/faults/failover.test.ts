import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/cli/app.js';
import { makeLogger } from '../../src/platform/http/request-log.js';
import { Secrets } from '../../src/config/secrets.js';
import { loadSettings } from '../../src/config/settings.js';
import { DatabaseAddress } from '../../src/database/connections/database-address.js';
import { migrate } from '../../src/database/migrate.js';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { makeAdmin } from '../../src/cli/serving.js';
import { signIn } from '../support/accounts.js';
import { type ApiAnswer, ApiClient } from '../support/api-client.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { FailoverPair, type PlainServer } from '../support/replicated-server.js';
import { makeScanningCaller } from '../support/scanning-caller.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { webhook } from '../support/workflows.js';
import { WriteLoad } from '../support/write-load.js';

const password = 'correct horse 7';

interface Node {
  app: NestExpressApplication;
  api: ApiClient;
}

/** Whether the scene is there. A test that has used it up closes it, and the next one gets a new one. */
let isOpen = false;
/** At first, the first one is the primary. */
let servers: FailoverPair;
/** The one address of the database, as a load balancer has it. */
let way: TcpProxy;
let url: string;
let receiver: Receiver;
let node: Node;
let token: string;
let scanId: string;
let productId: number;
let workflowId: string;

const portOf = (server: PlainServer) => Number(new URL(server.url).port);

async function startNode(): Promise<Node> {
  const dataDir = join(servers.folder, 'uploads');
  await mkdir(dataDir, { recursive: true });
  const settings = loadSettings({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: password,
    EGRESS_ALLOW: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
    RESPONSE_CACHE_MB: '0',
    DATABASE_POOL_SIZE: '4',
  });
  const database = DatabaseAddress.of(url, settings);
  const secrets = new Secrets(randomBytes(32).toString('hex'), randomBytes(32));
  const app = await createApp({
    settings,
    secrets,
    database,
    logger: makeLogger({ logLevel: 'silent', logFormat: 'json' }),
  });
  await makeAdmin(app, settings);
  await app.listen(0, '127.0.0.1');
  app.get(JobRunner).start();
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, api: new ApiClient(`http://127.0.0.1:${port}`, () => undefined) };
}

beforeEach(async () => {
  if (isOpen) return;
  servers = await FailoverPair.start();
  isOpen = true;
  ordered = 0;
  way = await startTcpProxy(portOf(servers.first));
  url = Object.assign(new URL(servers.first.url), { port: String(way.port) }).href;
  receiver = await startReceiver();
  expect(await migrate(url)).toEqual([]);
  node = await startNode();
  token = await signIn(node, 'admin', password);
  await makeScanningCaller(node.api, token);
  const applicationId = await made('profiles', { name: 'Shop', scannerKind: 'FRONTEND_DAST', type: 'REST' });
  scanId = await made('scans', { applicationId, kind: 'FRONTEND_DAST', status: 'RUNNING' });
  productId = await made('products/', { name: 'Lamp', price: 20, stock: 100_000 });
  const workflow = { name: 'Export', trigger: { type: 'MANUAL' }, actions: [webhook(receiver.url)] };
  workflowId = await made('workflows', workflow);
});
afterAll(() => close());

async function close(): Promise<void> {
  if (!isOpen) return;
  isOpen = false;
  await node?.app.close();
  await receiver?.close();
  await servers.stop();
  await way?.cut();
}

function post<T>(path: string, json: unknown): Promise<ApiAnswer<T>> {
  return node.api.post<T>(`/api/v1/${path}`, { token, json });
}

async function made<Id extends string | number>(path: string, json: object): Promise<Id> {
  const { status, body } = await post<{ id: Id }>(path, json);
  if (status !== 201) throw new Error(`POST ${path} answered ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Ends the connections to the former primary and leads to the new one, as `on-marked-down shutdown-sessions` does. */
async function leadTo(server: PlainServer): Promise<void> {
  await way.cut();
  await way.mend(portOf(server));
}

async function countIn(server: PlainServer, text: string): Promise<number> {
  const [row] = await server.admin<{ count: number }>(`SELECT (${text})::integer AS count`);
  return row?.count ?? NaN;
}

const listed = (ids: Iterable<string | number>) => `('${[...ids].join("', '")}')`;

let ordered = 0;
/** Each successful write is there once, and nothing is there twice that was retried until it succeeded. */
async function proves(load: WriteLoad, server: PlainServer): Promise<void> {
  expect(load.surprises).toEqual([]);
  ordered += load.orders.size;
  const orders = new Set(load.orders.values());
  expect(await countIn(server, `SELECT count(*) FROM orders WHERE id IN ${listed(orders)}`)).toBe(load.orders.size);
  expect(await countIn(server, 'SELECT count(*) FROM orders')).toBe(ordered);
  expect(await countIn(server, `SELECT count(*) FROM scan_events WHERE id IN ${listed(load.events)}`)).toBe(
    load.events.length,
  );
  expect(new Set(load.followed).size).toBe(load.followed.length);
  expect(load.events).toEqual(expect.arrayContaining(load.followed));
}

/** Each accepted run becomes one delivery that arrives, and no delivery is recorded twice. */
async function delivers(load: WriteLoad, server: PlainServer): Promise<void> {
  const of = `FROM webhook_deliveries WHERE run_id IN ${listed(load.runs)}`;
  const delivered = () => countIn(server, `SELECT count(*) ${of} AND status = 'DELIVERED'`);
  await until(async () => (await delivered()) >= load.runs.length, 'the deliveries of all runs');
  expect(await countIn(server, `SELECT count(*) ${of}`)).toBe(load.runs.length);
}

describe('A service whose load balancer leads to the primary', () => {
  it('gives up a connection to a server that takes no writes any more, and answers 503 until then', async () => {
    const create = () => post('products/', { name: 'Table', price: 20, stock: 1 });
    await servers.first.admin('ALTER ROLE store SET default_transaction_read_only = on');
    try {
      await servers.first.admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'store'`);
      await until(async () => (await create()).status === 503, 'a refused write');
    } finally {
      await servers.first.admin('ALTER ROLE store RESET default_transaction_read_only');
    }
    await until(async () => (await create()).status === 201, 'a write');
    const statuses = await Promise.all(Array.from({ length: 12 }, () => create().then(({ status }) => status)));
    expect(statuses.every((status) => status === 201 || status === 503)).toBe(true);
    await until(async () => {
      const all = await Promise.all(Array.from({ length: 12 }, () => create()));
      return all.every(({ status }) => status === 201);
    }, 'writes on all connections');
  });

  describe('and to another one', () => {
    // Each leaves only one of the servers.
    afterEach(() => close());

    it('goes on when the primary is killed and its standby promoted, without losing or repeating anything', async () => {
      const load = new WriteLoad({ api: node.api, token, scanId, productId, workflowId });
      await load.goesOn(10);
      await servers.first.kill('SIGKILL');
      await until(() => load.outages > 5, 'requests that are refused');
      expect((await node.api.get('/health/ready')).status).toBe(503);
      await servers.second.admin('SELECT pg_promote()');
      await leadTo(servers.second);
      await load.goesOn(10);
      await load.finish();
      await proves(load, servers.second);
      await load.catchUp();
      expect([load.restarts, load.followed.length]).toEqual([0, load.events.length]);
      await delivers(load, servers.second);
      expect((await node.api.get('/health/ready')).status).toBe(200);
    }, 480_000);

    it('leaves a primary that is still alive when another one is promoted', async () => {
      const load = new WriteLoad({ api: node.api, token, scanId, productId, workflowId });
      await load.goesOn(10);
      await servers.second.admin('SELECT pg_promote()');
      await leadTo(servers.second);
      await load.goesOn(10);
      await load.finish();
      await proves(load, servers.second);
    });
  });
});
