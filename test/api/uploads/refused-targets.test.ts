import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { Remote } from './remote.js';

let app: TestApp;
let open: TestApp;
let user: InsertedUser;
let remote: Remote;
beforeAll(async () => {
  [app, open] = [await startTestApp(), await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1' } })];
  [user, remote] = [await insertUser(app), await Remote.start()];
});
afterAll(async () => {
  await remote.server.stop();
  await app.close();
  await open.close();
});

const privateHosts = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.2',
  '0.0.0.0',
  '0',
  'localhost',
  '[::1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '[fd00::1]',
  '[fe80::1]',
];

describe('An address in a private or reserved network', () => {
  it.each(privateHosts)('is a 422 at url: %s gets no connection', async (host) => {
    const before = remote.server.connections;
    const url = `http://${host}:${remote.server.port}/`;
    const preview = await app.api.get(`/api/v1/uploads/fetch-url?url=${encodeURIComponent(url)}`);
    expect(preview).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'url'], type: 'value_error' }] } });
    const json = { url };
    const imported = await app.api.post('/api/v1/uploads/import-from-url', { token: user.token, json });
    expect(imported).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'url'], type: 'value_error' }] } });
    expect(remote.server.connections).toBe(before);
  });

  it.each(['127.0.0.2', '[::1]', '2130706434'])('is a 422 as the target of a redirect to %s too', async (host) => {
    const inner = await Remote.start();
    const url = remote.at('/out', { status: 302, headers: { location: inner.server.url('/inner', host) } });
    const answer = await open.api.get(`/api/v1/uploads/fetch-url?url=${encodeURIComponent(url)}`);
    await inner.server.stop();
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'url'] }] } });
    expect(remote.asked.at(-1)?.path).toBe('/out');
    expect(inner.server.connections).toBe(0);
  });
});
