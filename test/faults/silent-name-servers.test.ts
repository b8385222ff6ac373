import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImageImportResponse } from '../../src/store/uploads/uploads.shapes.js';
import { Remote } from '../api/uploads/remote.js';
import { type InsertedUser, insertUser } from '../support/accounts.js';
import { DnsServer } from '../support/dns-server.js';
import { insertOrganization } from '../support/organizations.js';
import { makePicture } from '../support/pictures.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WorkflowCalls } from '../support/workflows.js';

let dns: DnsServer;
let shop: TestApp;
let user: InsertedUser;
let calls: WorkflowCalls;
let remote: Remote;
let receiver: Receiver;
beforeAll(async () => {
  dns = await DnsServer.start();
  dns.has('*.silent.test', { a: 'silent', aaaa: 'silent' });
  dns.has('known.test', { a: ['127.0.0.1'] });
  dns.has('rebound.test', { a: ['192.0.2.1', '10.0.0.1'] });
  const env = { EGRESS_ALLOW: '127.0.0.1', DNS_SERVERS: dns.address, TRUST_PROXY: '1' };
  shop = await startTestApp({ env, jobs: true });
  [user, remote, receiver] = [await insertUser(shop), await Remote.start(), await startReceiver()];
  calls = new WorkflowCalls(shop, await insertOrganization(shop));
});
afterAll(async () => {
  await shop.close();
  await receiver.close();
  await remote.server.stop();
  await dns.stop();
});

function preview(url: string, from = '203.0.113.1') {
  const query = new URLSearchParams({ url }).toString();
  return shop.api.get(`/api/v1/uploads/fetch-url?${query}`, { headers: { 'x-forwarded-for': from } });
}

/** Runs `work` and returns how long it took; everything here takes well under a second on its own. */
async function timed<T>(work: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const began = performance.now();
  return { result: await work(), tookMs: performance.now() - began };
}

const promptMs = 3_500;

describe('Names whose servers never answer', () => {
  it('hold up neither webhooks nor pictures, files or logins', async () => {
    const file = await makePicture('png', 300, 200);
    const url = remote.at('/lamp.png', { type: 'image/png', body: file });
    const known = url.replace('127.0.0.1', 'known.test');
    const workflow = await calls.make(receiver.url.replace('127.0.0.1', 'known.test'));
    const silent = Array.from({ length: 48 }, (_, at) => preview(`http://n${at}.silent.test/`, `203.0.113.${at}`));

    const imported = await timed(() =>
      shop.api.post<ImageImportResponse>('/api/v1/uploads/import-from-url', {
        token: user.token,
        json: { url: known },
      }),
    );
    expect(imported).toMatchObject({ result: { status: 200, body: { is_valid_image: true } } });
    const read = await timed(() => fetch(shop.baseUrl + imported.result.body.url));
    expect(read.result.status).toBe(200);
    const health = await timed(() => shop.api.get('/health'));
    expect(health.result.status).toBe(200);
    const delivered = await timed(async () => {
      await calls.run(workflow.id);
      return receiver.has(1);
    });
    expect(delivered.result).toHaveLength(1);
    for (const { tookMs } of [imported, read, health, delivered]) expect(tookMs).toBeLessThan(promptMs);

    const answers = await Promise.all(silent);
    const statuses = answers.map(({ status, body }) => `${status} ${String((body as { code?: string }).code)}`);
    expect(new Set(statuses)).toEqual(new Set(['502 upstream_dns', '503 busy']));
    const refused = answers.find(({ status }) => status === 503);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  }, 60_000);

  it('take no more than one caller’s share of the previews', async () => {
    const greedy = Array.from({ length: 16 }, (_, at) => preview(`http://g${at}.silent.test/`, '203.0.113.200'));
    const url = remote.at('/page', { type: 'text/html', body: '<title>Lamps</title>' });
    const other = await timed(() => preview(url.replace('127.0.0.1', 'known.test'), '203.0.113.201'));
    expect(other.result).toMatchObject({ status: 200, body: { preview: 'Lamps' } });
    expect(other.tookMs).toBeLessThan(promptMs);
    const refused = (await Promise.all(greedy)).find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'busy' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  }, 60_000);

  it('are distinguished from names that do not exist', async () => {
    const { body } = await preview('http://unknown.test/');
    expect(body).toMatchObject({ code: 'upstream_dns', detail: expect.stringContaining('spelling') });
  });
});

describe('A name with a public and a private address', () => {
  it('is refused', async () => {
    expect((await preview('http://rebound.test/')).status).toBe(422);
  });
});
