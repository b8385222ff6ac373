import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startClient } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { type InsertedOrganization, insertOrganization } from '../support/organizations.js';
import { startReceiver, until } from '../support/receiver.js';
import { startStubService } from '../support/stub-service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Actions {
  id: string;
  actions: { id: string; parameters: { url: string } }[];
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let app: TestApp;
let organization: InsertedOrganization;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ jobs: true, env: { EGRESS_ALLOW: '127.0.0.1' } });
  organization = await insertOrganization(app);
  key = await organization.key('admin');
});
afterAll(() => app.close());

function signed(body: string, seconds: number): string[] {
  const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(`m1.${seconds}.${body}`).digest('base64');
  return ['-H', 'webhook-id: m1', '-H', `webhook-timestamp: ${seconds}`, '-H', `Webhook-Signature: v1,${signature}`];
}

describe('store webhooks verify', () => {
  const now = Math.floor(Date.now() / 1_000);
  const env = { STORE_WEBHOOK_SECRET: secret };

  it.each<[string, string, string[], Record<string, string>, number, string]>([
    ['a good signature', '{"a":1}', signed('{"a":1}', now), env, 0, ''],
    ['a changed body', '{"a":2}', signed('{"a":1}', now), env, 1, 'the body was changed'],
    ['an old one', '{}', signed('{}', now - 1_000), env, 1, 's ago'],
    ['an old one that is taken', '{}', [...signed('{}', now - 1_000), '--tolerance', '2000'], env, 0, ''],
    ['no headers', '{}', [], env, 1, 'webhook-id, webhook-timestamp, webhook-signature are missing'],
    ['no secret', '{}', signed('{}', now), {}, 2, 'Set STORE_WEBHOOK_SECRET'],
    ['no real secret', '{}', signed('{}', now), { STORE_WEBHOOK_SECRET: 'x y' }, 2, 'is no secret'],
  ])('judges %s', async (_, stdin, headers, given, code, message) => {
    const run = await runClient(['webhooks', 'verify', '-', ...headers], { stdin, env: given });
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe('store webhooks listen', () => {
  async function workflow(): Promise<Actions> {
    const json = {
      name: 'By hand',
      trigger: { type: 'MANUAL' },
      actions: [
        { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: 'https://hooks.example.com/x', secret } },
      ],
    };
    return (await app.api.post<Actions>('/api/v1/workflows', { headers: { 'x-api-key': key }, json })).body;
  }
  const read = async (id: string) =>
    (await app.api.get<Actions>(`/api/v1/workflows/${id}`, { headers: { 'x-api-key': key } })).body.actions;

  it('adds its action, forwards signed webhooks, and leaves the workflow as it was', async () => {
    const { id, actions } = await workflow();
    const receiver = await startReceiver();
    const args = ['webhooks', 'listen', '--workflow', id, '--forward', receiver.url];
    const client = startClient(args, { url: app.baseUrl, key });
    await until(() => client.stderr().includes('sends to http://127.0.0.1:'), 'the wiring');
    expect((await read(id)).length).toBe(2);
    await app.api.post(`/api/v1/workflows/${id}/run`, { headers: { 'x-api-key': key } });
    await until(() => client.stdout().includes('answered 200'), 'the webhook');
    expect(client.stdout()).toContain('signature good');
    expect(receiver.received.length).toBe(1);
    // As under npx, where the terminal signals both processes.
    for (let time = 1; time <= 2; time++) client.child.kill('SIGINT');
    expect((await client.done).code).toBe(0);
    expect(await read(id)).toEqual(actions);
    await receiver.close();
  });

  it('keeps the action of another running listener, and removes that of a killed one', async () => {
    const { id, actions } = await workflow();
    const listen = async () => {
      const client = startClient(['webhooks', 'listen', '--workflow', id], { url: app.baseUrl, key });
      await until(() => client.stderr().includes('sends to http://127.0.0.1:'), 'the wiring');
      return client;
    };
    const first = await listen();
    const killed = await listen();
    expect((await read(id)).length).toBe(3);
    killed.child.kill('SIGKILL');
    await killed.done;
    const third = await listen();
    const urls = (await read(id)).map(({ parameters }) => parameters.url);
    expect(urls).toHaveLength(3);
    for (const client of [first, third]) {
      client.child.kill('SIGINT');
      expect((await client.done).code).toBe(0);
    }
    expect(await read(id)).toEqual(actions);
  });

  it('adds its action to a workflow that somebody else changes meanwhile', async () => {
    const { id } = await workflow();
    const stub = await startStubService();
    const other = { id: 'other', parameters: { url: 'https://other.example.com/' } };
    const sent: unknown[] = [];
    let version = 1;
    stub.answers((response, { method, headers, bytes }) => {
      const json = (status: number, body: unknown) =>
        response
          .writeHead(status, { 'content-type': 'application/json', etag: `"${version}"` })
          .end(JSON.stringify(body));
      const body = { id, name: 'By hand', actions: version === 1 ? [] : [other] };
      if (method === 'GET') return json(200, body);
      sent.push([headers['if-match'], (JSON.parse(bytes.toString()) as { actions: object[] }).actions[0]]);
      if (version++ === 1) return json(412, { detail: 'Changed meanwhile', code: 'changed_meanwhile' });
      return json(200, body);
    });
    const client = startClient(['webhooks', 'listen', '--workflow', id], { url: stub.url, key });
    await until(() => client.stderr().includes('sends to http://127.0.0.1:'), 'the wiring');
    expect(sent).toEqual([
      ['"1"', expect.objectContaining({ type: 'EXPORT' })],
      ['"2"', other],
    ]);
    client.child.kill('SIGINT');
    expect((await client.done).code).toBe(0);
    await stub.close();
  });

  it('takes past deliveries again, signed by the secret that it shows', async () => {
    const { id } = await workflow();
    await app.api.post(`/api/v1/workflows/${id}/run`, { headers: { 'x-api-key': key } });
    const deliveries = async () =>
      (
        await app.api.get<{ data: { id: string }[] }>(`/api/v1/workflows/${id}/deliveries`, {
          headers: { 'x-api-key': key },
        })
      ).body.data;
    await until(async () => (await deliveries()).length === 1, 'the delivery');
    const receiver = await startReceiver();
    const args = ['webhooks', 'listen', '--workflow', id, '--replay', '5', '--forward', receiver.url];
    const client = startClient(args, { url: app.baseUrl, key });
    await until(() => client.stdout().includes('answered 200'), 'the webhook');
    expect(client.stdout()).toContain('signature good');
    expect(client.stderr()).toMatch(/it signs by this secret: whsec_\S{40,}\n/);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([(await deliveries())[0]?.id]);
    client.child.kill('SIGINT');
    expect((await client.done).code).toBe(0);
    await receiver.close();
  });

  it('takes only webhooks with the events that are named', async () => {
    const receiver = await startReceiver();
    const args = ['webhooks', 'listen', '--events', 'scans, order.*', '--forward', receiver.url];
    const client = startClient(args);
    await until(() => client.stderr().includes('Listening'), 'the port');
    const [url = ''] = /http:\S+/.exec(client.stderr()) ?? [];
    const bodies = [
      '{"issues":[{}],"scans":[]}',
      '{"scans":[{}]}',
      '{"type":"order.paid"}',
      '{"type":"stock.low"}',
      'x',
    ];
    for (const body of bodies) expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    expect(receiver.received.map(({ bytes }) => bytes.toString())).toEqual(['{"scans":[{}]}', '{"type":"order.paid"}']);
    client.child.kill('SIGTERM');
    expect((await client.done).stdout).toContain('order.paid');
    await receiver.close();
  });

  it('responds with 401 to requests signed with another secret, and forwards nothing', async () => {
    const env = { STORE_WEBHOOK_SECRET: secret };
    const client = startClient(['webhooks', 'listen'], { env });
    await until(() => client.stderr().includes('Listening'), 'the port');
    const [url = ''] = /http:\S+/.exec(client.stderr()) ?? [];
    const { status } = await fetch(url, { method: 'POST', body: '{}' });
    expect([status, (await fetch(url)).status]).toEqual([401, 405]);
    client.child.kill('SIGTERM');
    expect((await client.done).stdout).toContain('SIGNATURE WRONG: it is not signed');
  });
});
