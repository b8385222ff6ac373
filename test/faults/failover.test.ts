import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/app.js';
import { uuidV7 } from '../../src/common/crypto/uuid-v7.js';
import { makeLogger } from '../../src/common/http/request-log.js';
import { Secrets } from '../../src/config/secrets.js';
import { loadSettings } from '../../src/config/settings.js';
import { addressOf } from '../../src/database/pooler.repository.js';
import { migrate } from '../../src/database/migrate.js';
import { JobRunner } from '../../src/jobs/job-runner.js';
import { makeAdmin } from '../../src/serving.js';
import { signIn } from '../support/accounts.js';
import { type ApiAnswer, ApiClient } from '../support/api-client.js';
import { shipping } from '../support/checkout.js';
import { newEvent } from '../support/events.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { FailoverPair, synchronous } from '../support/replicated-server.js';
import { makeScanningCaller } from '../support/scanning-caller.js';
import { query } from '../support/service-copies.js';

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
}, 120_000);
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

describe('A primary that is killed', () => {
  it('is replaced', async () => {
    expect((await post(`scans/${scanId}/events`, [newEvent({ id: uuidV7() })])).status).toBe(201);
    await servers.primary.kill('SIGKILL');
    expect((await post(`scans/${scanId}/events`, [newEvent({ id: uuidV7() })])).status).toBe(503);
    await servers.replica.admin('SELECT pg_promote()');
    await until(async () => (await post(`scans/${scanId}/events`, [newEvent({ id: uuidV7() })])).status === 201);
  });
});
void [shipping, synchronous, query, productId];
