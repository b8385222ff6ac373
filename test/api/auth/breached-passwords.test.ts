import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUsername } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const stolen = 'violet-lamp-42';
const padded = 'amber-kite-17';

const digestOf = (password: string): string => createHash('sha1').update(password).digest('hex').toUpperCase();
const lineOf = (password: string, count: number): string => `${digestOf(password).slice(5)}:${count}`;

let service: Server;
let asked: { path: string | undefined; padding: unknown }[];
let answer: { status: number; body: string };
let app: TestApp;
beforeAll(async () => {
  service = createServer(({ url, headers }, response) => {
    asked.push({ path: url, padding: headers['add-padding'] });
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const env = { BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/range`, EGRESS_ALLOW: '127.0.0.1' };
  app = await startTestApp({ env });
});
beforeEach(() => {
  asked = [];
  const others = Array.from({ length: 800 }, (_, n) => `${String(n).padStart(35, '0')}:3`);
  answer = { status: 200, body: [...others, lineOf(stolen, 12), lineOf(padded, 0)].join('\r\n') };
});
afterAll(async () => {
  await app.close();
  service.closeAllConnections();
  service.close();
});

function register(password: string) {
  const username = newUsername();
  return app.api.post('/api/v1/auth/register', { json: { username, email: `${username}@example.com`, password } });
}

describe('BREACHED_PASSWORDS_URL', () => {
  it('refuses a stolen password, and sends five digits of its digest alone', async () => {
    const { status, body } = await register(stolen);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('stolen from another site')]);
    expect(asked).toEqual([{ path: `/range/${digestOf(stolen).slice(0, 5)}`, padding: 'true' }]);
  });

  it('takes one that only pads the answer, and one that is not in it', async () => {
    expect((await register(padded)).status).toBe(201);
    expect((await register('green-anchor-58')).status).toBe(201);
  });

  it.each([
    ['fails', 500, ''],
    ['redirects', 302, ''],
    ['answers with something else', 200, '<!doctype html>'],
    ['answers with too much', 200, 'x'.repeat(1_000_001)],
  ])('lets nobody wait outside where it %s', async (_, status, body) => {
    answer = { status, body };
    expect((await register(stolen)).status).toBe(201);
  });
});
