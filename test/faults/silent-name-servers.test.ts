import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImageImportResponse } from '../../src/store/uploads/uploads.dto.js';
import { Remote } from '../api/uploads/remote.js';
import { type InsertedUser, insertUser } from '../support/accounts.js';
import { DnsServer } from '../support/dns-server.js';
import { insertOrganization } from '../support/organizations.js';
import { makePicture } from '../support/pictures.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WorkflowCalls } from '../support/workflows.js';

let dns: DnsServer;
let app: TestApp;
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
  app = await startTestApp({ env, jobs: true });
  [user, remote, receiver] = [await insertUser(app), await Remote.start(), await startReceiver()];
  calls = new WorkflowCalls(app, await insertOrganization(app));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await remote.server.stop();
  await dns.stop();
});

function preview(url: string, from = '203.0.113.1') {
  const query = new URLSearchParams({ url }).toString();
  return app.api.get(`/api/v1/uploads/fetch-url?${query}`, { headers: { 'x-forwarded-for': from } });
}

/** Requests previews of unresolvable names; `givenUp` counts those that have been given up so far. */
function askInVain(count: number, urlAt: (at: number) => [url: string, from: string]) {
  let givenUp = 0;
  const answers = Array.from({ length: count }, async (_, at) => {
    const answer = await preview(...urlAt(at));
    if (answer.status === 502) givenUp += 1;
    return answer;
  });
  return { answers: Promise.all(answers), givenUp: () => givenUp };
}

describe('Names whose servers never answer', () => {
  it('delay neither webhooks nor pictures, files or logins', async () => {
    const file = await makePicture('png', 300, 200);
    const url = remote.at('/lamp.png', { type: 'image/png', body: file });
    const known = url.replace('127.0.0.1', 'known.test');
    const workflow = await calls.make(receiver.url.replace('127.0.0.1', 'known.test'));
    const silent = askInVain(48, (at) => [`http://n${at}-${randomUUID()}.silent.test/`, `203.0.113.${at}`]);

    const imported = await app.api.post<ImageImportResponse>('/api/v1/uploads/import-from-url', {
      token: user.token,
      json: { url: known },
    });
    expect(imported).toMatchObject({ status: 200, body: { is_valid_image: true } });
    expect((await fetch(app.baseUrl + imported.body.url)).status).toBe(200);
    expect((await app.api.get('/health')).status).toBe(200);
    const before = receiver.received.length;
    await calls.run(workflow.id);
    expect(await receiver.has(before + 1)).toHaveLength(before + 1);
    expect(silent.givenUp()).toBe(0);

    const answers = await silent.answers;
    const statuses = answers.map(({ status, body }) => `${status} ${String((body as { code?: string }).code)}`);
    expect(new Set(statuses)).toEqual(new Set(['502 upstream_dns', '503 busy']));
    const refused = answers.find(({ status }) => status === 503);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('take no more than one caller’s share of the previews', async () => {
    const greedy = askInVain(16, (at) => [`http://g${at}-${randomUUID()}.silent.test/`, '203.0.113.200']);
    const url = remote.at('/page', { type: 'text/html', body: '<title>Lamps</title>' });
    const other = await preview(url.replace('127.0.0.1', 'known.test'), '203.0.113.201');
    expect(other).toMatchObject({ status: 200, body: { preview: 'Lamps' } });
    expect(greedy.givenUp()).toBe(0);
    const refused = (await greedy.answers).find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'busy' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

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
