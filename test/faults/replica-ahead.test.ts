import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApp } from '../../src/app.js';
import { makeLogger } from '../../src/common/http/request-log.js';
import { Secrets } from '../../src/config/secrets.js';
import { loadSettings } from '../../src/config/settings.js';
import { addressOf } from '../../src/connections/pooler.js';
import type { ScanEventPage } from '../../src/scanning/scan-events/scan-events.shapes.js';
import { makeAdmin } from '../../src/serving.js';
import { signIn } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { newEvent } from '../support/events.js';
import { until } from '../support/receiver.js';
import { type PlainServer, ReplicatedServer } from '../support/replicated-server.js';
import { makeScanningCaller } from '../support/scanning-caller.js';

const password = 'correct horse 7';

let servers: ReplicatedServer;
/** A standby that has the primary's whole log when the primary is lost. */
let ahead: PlainServer;
let app: NestExpressApplication;
let api: ApiClient;
let token: string;
let scanId: string;

beforeAll(async () => {
  servers = await ReplicatedServer.start();
  ahead = await servers.anotherReplica();
  const dataDir = join(servers.folder, 'uploads');
  await mkdir(dataDir);
  const hosts = [servers.primary.url, servers.replica.url].map((url) => new URL(url).host);
  const url = `${servers.primary.url.replace(hosts[0] ?? '', hosts.join())}?target_session_attrs=read-write`;
  const settings = loadSettings({
    DATABASE_URL: url,
    DATABASE_REPLICA_URLS: ahead.url,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: password,
    REPLICA_LAG_SECONDS: '300',
  });
  const secrets = new Secrets(randomBytes(32).toString('hex'), randomBytes(32));
  app = await createApp({ settings, secrets, database: await addressOf(url, settings), logger: makeLogger('silent') });
  await makeAdmin(app, settings);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  api = new ApiClient(`http://127.0.0.1:${port}`, () => undefined);
  token = await signIn({ api }, 'admin', password);
  ({ scanId } = await makeScanningCaller(api, token));
});
afterAll(async () => {
  await app?.close();
  await ahead?.kill();
  await servers?.stop();
});

async function append(title: string): Promise<boolean> {
  const { status } = await api.post(`/api/v1/scans/${scanId}/events`, { token, json: [newEvent({ title })] });
  return status === 201;
}

async function titles(): Promise<string[]> {
  const { status, body } = await api.get<ScanEventPage>('/api/v1/events?size=100', { token });
  if (status !== 200) throw new Error(`Listing events answered ${status}`);
  return body.data.map(({ title }) => title);
}

async function readsAtReplica(): Promise<number> {
  const { body } = await api.get<string>('/metrics');
  return Number(/^database_replica_reads_total (\S+)$/m.exec(body)?.[1]);
}

const replayed = async () =>
  (await ahead.admin<{ lsn: string }>('SELECT pg_last_wal_replay_lsn()::text AS lsn'))[0]?.lsn ?? '';
const isBehind = async (lsn: string) =>
  (await servers.replica.admin(`SELECT WHERE pg_current_wal_insert_lsn() < '${lsn}'`)).length > 0;

it('A replica that is ahead of the promoted standby is not read any more, even after the standby is past it', async () => {
  await append('kept');
  await servers.cutOff();
  for (let n = 0; n < 40; n++) await append(`lost ${n}`);
  const atReplica = async () => (await titles()).length === 41 && (await readsAtReplica()) > 0;
  await until(atReplica, 'reads at the replica, which has all');
  const tail = await replayed();
  await servers.primary.stop();
  await servers.replica.admin('SELECT pg_promote()');
  await until(() => append('later 0'), 'the promoted primary');

  const written = ['kept', 'later 0'];
  const before = await readsAtReplica();
  expect(await isBehind(tail)).toBe(true);
  for (let n = 1; n <= 6; n++) {
    if (n === 4) await servers.replica.admin('SELECT pg_switch_wal()'); // beyond everything that the other one has
    await append(`later ${n}`);
    written.push(`later ${n}`);
    for (let look = 1; look <= 10; look++) {
      expect((await titles()).toSorted()).toEqual(written.toSorted());
      await sleep(80); // in which the replica, if it were used, could be found to have what was written
    }
  }
  expect(await isBehind(tail)).toBe(false);
  expect(await readsAtReplica()).toBe(before);
});
