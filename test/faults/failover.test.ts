import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/app.js';
import { makeLogger } from '../../src/common/http/request-log.js';
import { Secrets } from '../../src/config/secrets.js';
import { loadSettings } from '../../src/config/settings.js';
import { addressOf } from '../../src/connections/pooler.js';
import { migrate } from '../../src/database/migrate.js';
import { JobRunner } from '../../src/jobs/job-runner.js';
import { makeAdmin } from '../../src/serving.js';
import { signIn } from '../support/accounts.js';
import { type ApiAnswer, ApiClient } from '../support/api-client.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { FailoverPair, type PlainServer, synchronous } from '../support/replicated-server.js';
import { makeScanningCaller } from '../support/scanning-caller.js';
import { query } from '../support/service-copies.js';
import { webhook } from '../support/workflows.js';
import { WriteLoad } from '../support/write-load.js';

const password = 'correct horse 7';

interface Node {
  app: NestExpressApplication;
  api: ApiClient;
}

let servers: FailoverPair;
let receiver: Receiver;
let node: Node;
let token: string;
let scanId: string;
let productId: number;
let workflowId: string;

async function startNode(): Promise<Node> {
  const dataDir = join(servers.folder, 'uploads');
  await mkdir(dataDir, { recursive: true });
  const settings = loadSettings({
    DATABASE_URL: servers.url,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: password,
    EGRESS_ALLOW: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
    RESPONSE_CACHE_MB: '0',
    DATABASE_POOL_SIZE: '4',
  });
  const database = await addressOf(servers.url, settings);
  const secrets = new Secrets(randomBytes(32).toString('hex'), randomBytes(32));
  const app = await createApp({ settings, secrets, database, logger: makeLogger('silent') });
  await makeAdmin(app, settings);
  await app.listen(0, '127.0.0.1');
  app.get(JobRunner).start();
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, api: new ApiClient(`http://127.0.0.1:${port}`, () => undefined) };
}

beforeAll(async () => {
  servers = await FailoverPair.start();
  receiver = await startReceiver();
  expect(await migrate(servers.url)).toEqual([]);
  node = await startNode();
  token = await signIn(node, 'admin', password);
  await makeScanningCaller(node.api, token);
  const applicationId = await made('profiles', { name: 'Shop', scannerKind: 'FRONTEND_DAST', type: 'REST' });
  scanId = await made('scans', { applicationId, kind: 'FRONTEND_DAST', status: 'RUNNING' });
  productId = await made('products/', { name: 'Lamp', price: 20, stock: 100_000 });
  const workflow = { name: 'Export', trigger: { type: 'MANUAL' }, actions: [webhook(receiver.url)] };
  workflowId = await made('workflows', workflow);
});
afterAll(async () => {
  await node?.app.close();
  await receiver?.close();
  await servers?.stop();
});

function post<T>(path: string, json: unknown): Promise<ApiAnswer<T>> {
  return node.api.post<T>(`/api/v1/${path}`, { token, json });
}

async function made<Id extends string | number>(path: string, json: object): Promise<Id> {
  const { status, body } = await post<{ id: Id }>(path, json);
  if (status !== 201) throw new Error(`POST ${path} answered ${status} ${JSON.stringify(body)}`);
  return body.id;
}

async function metric(name: string): Promise<number> {
  const { body } = await node.api.get<string>('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
}

const ofRequests = `application_name <> 'store-service primary watch'`;
const sessions = (server: PlainServer, condition: string) =>
  server.admin(`SELECT wait_event FROM pg_stat_activity WHERE usename = 'store' AND ${condition}`);

/** Makes the service look for the primary again. */
async function breakConnections(server: PlainServer): Promise<void> {
  await server.admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'store'`);
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

describe('A service with two hosts', () => {
  it('follows the primary when it is killed, without losing or repeating anything', async () => {
    const load = new WriteLoad({ api: node.api, token, scanId, productId, workflowId });
    await load.goesOn(10);
    await servers.first.kill('SIGKILL');
    await until(() => load.outages > 5, 'requests that are refused');
    expect((await node.api.get('/health/ready')).status).toBe(503);
    await servers.second.admin('SELECT pg_promote()');
    await load.goesOn(10);
    await load.finish();
    await proves(load, servers.second);
    await load.catchUp();
    expect([load.restarts, load.followed.length]).toEqual([0, load.events.length]);
    await delivers(load, servers.second);
    expect(await metric('database_promotions_total')).toBe(1);
    expect((await node.api.get('/health/ready')).status).toBe(200);
  }, 480_000);

  it('writes nothing to a former primary that comes back as one', async () => {
    await servers.first.start(synchronous);
    const load = new WriteLoad({ api: node.api, token, scanId, productId, workflowId });
    await load.goesOn(5);
    await breakConnections(servers.second);
    await load.goesOn(5);
    await load.finish();
    await proves(load, servers.second);
    expect(await sessions(servers.first, ofRequests)).toEqual([]);
    // A write there waits for a replica that no longer is one.
    const write = query(servers.first.url, 'CREATE TABLE lost ()').then(
      () => 'done',
      () => 'failed',
    );
    await until(async () => (await sessions(servers.first, `wait_event = 'SyncRep'`)).length > 0, 'the write');
    await servers.first.kill();
    expect(await write).toBe('failed');
  });

  it('leaves a primary that is still alive when another one is promoted', async () => {
    await servers.rejoin();
    const load = new WriteLoad({ api: node.api, token, scanId, productId, workflowId });
    await load.goesOn(10);
    await servers.first.admin('SELECT pg_promote()');
    await load.goesOn(10);
    await load.finish();
    await proves(load, servers.first);
    // Statements that wait there for the replica have not noticed yet that their callers are gone.
    expect(await sessions(servers.second, `${ofRequests} AND state <> 'active'`)).toEqual([]);
    expect(await metric('database_promotions_total')).toBe(2);
  });
});
