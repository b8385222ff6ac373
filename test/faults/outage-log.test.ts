import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { until } from '../support/receiver.js';
import { type ServiceProcess, startNodeProcess } from '../support/service-process.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const requests = 100;

let app: TestApp;
let way: TcpProxy;
let node: ServiceProcess;
let dataDir: string;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
  dataDir = await mkdtemp(join(tmpdir(), 'store-outage-log-'));
  const url = new URL(app.database.url);
  way = await startTcpProxy(Number(url.port));
  url.host = `127.0.0.1:${way.port}`;
  const env = { DATABASE_URL: url.href, LOG_LEVEL: 'info', RESPONSE_CACHE_MB: '0' };
  node = await startNodeProcess(app, dataDir, env);
  api = new ApiClient(node.baseUrl, () => undefined);
});
afterAll(async () => {
  await node.stop('SIGKILL');
  await app.close();
  await way.cut();
  await rm(dataDir, { recursive: true, force: true });
});

interface Line {
  msg: string;
  stack?: string;
  err?: { stack?: string };
}

async function outage(): Promise<string[]> {
  await way.mend();
  await until(async () => (await api.get('/health/ready')).status === 200, 'the service', 200);
  const from = node.output().length;
  const printed = () => node.output().slice(from);
  await way.cut();
  for (let n = 0; n < requests; n++) expect((await api.get('/api/v1/products/')).status).toBe(503);
  // The queue and the notices of changes try to connect again meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  await way.mend();
  await until(async () => (await api.get('/health/ready')).status === 200, 'the service', 200);
  await until(() => printed().includes('The database responds again'), 'the end in the log');
  return printed()
    .split('\n')
    .filter((line) => line.trim() !== '');
}

it('An outage of the database is logged once with its stack when it begins, and once when it ends', async () => {
  for (const nth of ['first', 'second']) {
    const printed = await outage();
    // Nothing writes past the log, which is JSON.
    expect([nth, printed.filter((line) => !line.startsWith('{'))]).toEqual([nth, []]);
    const lines = printed.map((line) => JSON.parse(line) as Line);
    const count = (holds: (line: Line) => boolean) => lines.filter(holds).length;
    expect(count(({ msg }) => msg === 'failed')).toBeGreaterThanOrEqual(requests);
    expect(count(({ msg }) => msg.startsWith('The database does not respond'))).toBe(1);
    expect(count(({ msg }) => msg === 'The database responds again')).toBe(1);
    const withStack = lines.filter(({ stack, err }) => stack !== undefined || err?.stack !== undefined);
    expect(withStack.map(({ msg }) => msg)).toEqual([expect.stringContaining('The database does not respond')]);
    // The rest is a word here and there, however long it takes.
    expect(count(({ msg }) => msg !== 'failed' && msg !== 'answered')).toBeLessThan(25);
  }
});
