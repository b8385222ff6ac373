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
import { makeAdmin } from '../../src/serving.js';
import type { ScanEventPage } from '../../src/scanning/scan-events/scan-events.shapes.js';
import { signIn } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { newEvent } from '../support/events.js';
import { finding, IssueCalls } from '../support/issues.js';
import { startPoolerStub } from '../support/pooler-stub.js';
import { until } from '../support/receiver.js';
import { ReplicatedServer } from '../support/replicated-server.js';
import { makeScanningCaller } from '../support/scanning-caller.js';
import { query } from '../support/service-copies.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const password = 'correct horse 7';
const secrets = new Secrets(randomBytes(32).toString('hex'), randomBytes(32));

let servers: ReplicatedServer;
/** Between the nodes and the replica. */
let cable: TcpProxy;
let node: Node;
let other: Node;
let token: string;
let organizationId: string;
let applicationId: string;
let scanId: string;

interface Node {
  app: NestExpressApplication;
  api: ApiClient;
}

async function startNode(way: Record<string, string> = {}): Promise<Node> {
  const dataDir = join(servers.folder, 'uploads');
  await mkdir(dataDir, { recursive: true });
  const replica = new URL(servers.replica.url);
  replica.port = String(cable.port);
  const urls = { DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URLS: replica.href, ...way };
  const env = { DATA_DIR: dataDir, DEMO_DATA: 'false', LOG_LEVEL: 'silent', ADMIN_PASSWORD: password };
  const settings = loadSettings({ ...urls, ...env, REPLICA_LAG_SECONDS: '2', DATABASE_POOL_SIZE: '4' });
  const database = await addressOf(urls.DATABASE_URL, settings);
  const app = await createApp({ settings, secrets, database, logger: makeLogger('silent') });
  await makeAdmin(app, settings);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, api: new ApiClient(`http://127.0.0.1:${port}`, () => undefined) };
}

beforeAll(async () => {
  servers = await ReplicatedServer.start();
  cable = await startTcpProxy(Number(new URL(servers.replica.url).port));
  [node, other] = [await startNode(), await startNode()];
  token = await signIn(node, 'admin', password);
  ({ organizationId } = await makeScanningCaller(node.api, token));
  const made = async (path: string, json: object) => (await post<{ id: string }>(path, json)).id;
  applicationId = await made('profiles', { name: 'Shop', scannerKind: 'FRONTEND_DAST', type: 'REST' });
  scanId = await made('scans', { applicationId, kind: 'FRONTEND_DAST', status: 'RUNNING' });
});
afterAll(async () => {
  await node?.app.close();
  await other?.app.close();
  await cable?.cut();
  await servers?.stop();
});

async function post<T>(path: string, json: unknown): Promise<T> {
  const { status, body } = await node.api.post<T>(`/api/v1/${path}`, { token, json });
  if (status >= 300) throw new Error(`POST ${path} answered ${status} ${JSON.stringify(body)}`);
  return body;
}

async function get<T>(path: string, { api }: Node = node): Promise<T> {
  const { status, body } = await api.get<T>(`/api/v1/${path}`, { token });
  if (status !== 200) throw new Error(`GET ${path} answered ${status} ${JSON.stringify(body)}`);
  return body;
}

async function metric(name: string, { api }: Node = node): Promise<number> {
  const { body } = await api.get<string>('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
}

let count = 0;
/** Appends an event and returns its title. */
async function append(): Promise<string> {
  const title = `Event ${count++}`;
  await post(`scans/${scanId}/events`, [newEvent({ title })]);
  return title;
}

const titles = async (at?: Node) => (await get<ScanEventPage>('events?size=100', at)).data.map(({ title }) => title);
const pause = () => servers.replica.admin('SELECT pg_wal_replay_pause()');
const resume = () => servers.replica.admin('SELECT pg_wal_replay_resume()');
const inUse = (replicas: number) =>
  until(async () => (await metric('database_replicas_in_use')) === replicas, `${replicas} replicas in use`);

/** Waits until the replica serves a read of the organization. */
async function untilRead(at: Node = node): Promise<void> {
  const atReplica = async () => {
    const before = await metric('database_replica_reads_total', at);
    await titles(at);
    return (await metric('database_replica_reads_total', at)) > before;
  };
  await until(atReplica, 'a read at the replica');
}

const lists = ['events', 'events?search=zzz', 'events?total=true', 'events/histogram', 'issues', 'issues?search=zzz'];
const reads = [...lists, 'issues/summary', 'admin/stats', 'admin/recent-orders', 'admin/stats/orders-by-status'];

describe('A service with a replica', () => {
  it('reads lists, figures and dashboards from it', async () => {
    await untilRead();
    await until(async () => (await titles()).length === 0, 'an empty list');
    for (const path of reads) {
      const before = await metric('database_replica_reads_total');
      await get(path);
      expect([path, (await metric('database_replica_reads_total')) > before]).toEqual([path, true]);
    }
  });

  it('shows writers what they wrote at once, however far behind the replica is', async () => {
    for (let pair = 0; pair < 60; pair++) {
      if (pair === 20) await pause();
      if (pair === 40) await resume();
      const title = await append();
      expect(await titles()).toContain(title);
    }
    await untilRead();
    expect(await titles()).toHaveLength(60);
  });

  it('shows it to them at other nodes too, while others are served by the replica', async () => {
    await untilRead();
    await pause();
    const title = await append();
    await until(async () => (await titles(other)).includes(title), 'the event at the other node');
    const before = await metric('database_replica_reads_total');
    await get('admin/stats');
    expect(await metric('database_replica_reads_total')).toBe(before + 1);
    await resume();
  });

  it('shows writers also what a single statement wrote outside any transaction', async () => {
    const asset = await post<{ id: string }>('assets', { name: 'shop.example.com', type: 'DNS', class: 'HOST' });
    await new IssueCalls(node, token).one(scanId, finding(asset.id));
    await untilRead();
    await pause();
    const json = { name: 'Renamed' };
    expect((await node.api.send('PATCH', `/api/v1/profiles/${applicationId}`, { token, json })).status).toBe(200);
    const { data } = await get<{ data: { application: { name: string } }[] }>('issues');
    expect(data.map(({ application }) => application.name)).toEqual(['Renamed']);
    await resume();
  });

  it('reads from the replica even when the primary is behind a pooler', async () => {
    const pooler = await startPoolerStub(servers.primary.url, { refuses: true });
    const urls = { DATABASE_URL: pooler.through(servers.primary.url), DATABASE_URL_DIRECT: servers.primary.url };
    const behind = await startNode(urls);
    try {
      await untilRead(behind);
    } finally {
      await behind.app.close();
      await pooler.close();
    }
  });

  it('excludes a replica that is too far behind, and uses it again later', async () => {
    await inUse(1);
    await pause();
    await query(servers.primary.url, `UPDATE organizations SET name = 'Other' WHERE id = '${organizationId}'`);
    await inUse(0);
    expect(await metric('database_replica_lag_seconds')).toBeGreaterThan(2);
    expect(await titles()).toHaveLength(61);
    await resume();
    await inUse(1);
    await untilRead();
  });

  it('continues without a lost replica, misses and repeats nothing, and uses it again later', async () => {
    const stop = new AbortController();
    let done = 0;
    const reading = (async () => {
      for (; !stop.signal.aborted; done++) expect(new Set(await titles()).size).toBe(61);
    })();
    await until(() => done > 5, 'reads');
    await servers.replica.kill();
    await inUse(0);
    const before = done;
    await until(() => done > before + 5, 'reads without the replica');
    expect((await node.api.get('/health/ready')).status).toBe(200);
    await servers.replica.start();
    await inUse(1);
    await untilRead();
    stop.abort();
    await reading;
  });

  it('continues without a silent replica, and uses it again later', async () => {
    await untilRead();
    cable.silence(true);
    expect(await titles()).toHaveLength(61);
    await inUse(0);
    expect(await titles()).toHaveLength(61);
    cable.silence(false);
    await inUse(1);
    await untilRead();
  });

  it('excludes a replica that was promoted, and thus receives nothing any more', async () => {
    await servers.replica.admin('SELECT pg_promote()');
    await inUse(0);
    const title = await append();
    expect(await titles()).toContain(title);
  });
});
