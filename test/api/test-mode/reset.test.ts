import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { projectText } from '../../support/project-files.js';
import {
  ask,
  type EphemeralService,
  signIn,
  startEphemeralService,
  testMode,
} from '../../support/ephemeral-service.js';

const shopper = ['demo', 'demo-shopper-1'] as const;
const shipping = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address: '12 St James Square',
  city: 'Springfield',
  zip_code: '01101',
  shipping_method: 'standard',
};

let service: EphemeralService;
beforeAll(async () => {
  service = await startEphemeralService();
});
beforeEach(() => testMode(service, ['POST', '/reset']));
afterAll(() => service.stop());

/** Buys a thing as the demo's shopper. */
async function buy(): Promise<number> {
  const { access_token: token } = await signIn(service, ...shopper);
  await ask(service, ['POST', '/api/v1/cart/add'], { token, body: { product_id: 1, quantity: 1 } });
  const { status, body } = await ask<{ id: number }>(service, ['POST', '/api/v1/orders/checkout'], {
    token,
    body: { shipping },
  });
  expect(status).toBeLessThan(300);
  return body.id;
}

async function stock(): Promise<number> {
  return (await ask<{ stock: number }>(service, ['GET', '/api/v1/products/1'])).body.stock;
}

async function everything(): Promise<unknown> {
  const paths = ['assets', 'scans', 'issues', 'tags', 'workflows', 'events', 'deliveries'];
  const lists = await Promise.all(
    paths.map((path) => ask(service, ['GET', `/api/v1/${path}`], { key: service.apiKey })),
  );
  const { access_token: token } = await signIn(service, 'admin', service.adminPassword);
  const admins = ['users', 'orders', 'coupons'].map((path) =>
    ask(service, ['GET', `/api/v1/admin/${path}`], { token }),
  );
  return [...lists, ...(await Promise.all(admins)), await ask(service, ['GET', '/api/v1/products/'])].map(
    ({ body }) => body,
  );
}

describe('POST /test/reset', () => {
  it('puts rows, ids and caches back, so that the same acts have the same ids', async () => {
    await testMode(service, ['POST', '/settle']);
    const before = await everything();
    const pieces = await stock();
    const order = await buy();
    expect(await stock()).toBeLessThan(pieces);
    await ask(service, ['POST', '/api/v1/tags'], { key: service.apiKey, body: { name: 'of a test' } });
    expect(await testMode(service, ['POST', '/reset'])).toMatchObject({ seed: 'demo' });
    expect(await stock()).toBe(pieces);
    expect(await buy()).toBe(order);
    await testMode(service, ['POST', '/reset']);
    expect(await everything()).toEqual(before);
  });

  it('changes nothing where nothing has changed but the times of jobs', async () => {
    await testMode(service, ['POST', '/reset']);
    const { restored_tables } = await testMode<{ restored_tables: number }>(service, ['POST', '/reset']);
    expect(restored_tables).toBeLessThan(10);
  });

  it('ends sessions, and forgets the limits of those who guessed', async () => {
    const { refresh_token } = await signIn(service, ...shopper);
    const guess = () =>
      ask(service, ['POST', '/api/v1/auth/login'], { body: { username: 'demo', password: 'wrong-horse-7' } });
    let status = 401;
    for (let tries = 0; status === 401 && tries < 100; tries++) ({ status } = await guess());
    expect(status).toBe(429);
    await testMode(service, ['POST', '/reset']);
    expect((await guess()).status).toBe(401);
    const refreshed = await ask(service, ['POST', '/api/v1/auth/refresh'], { body: { refresh_token } });
    expect(refreshed.status).toBe(401);
    expect((await signIn(service, ...shopper)).access_token).toEqual(expect.any(String));
  });

  it('removes the pictures of a test, and keeps those of the seed', async () => {
    const uploads = join(service.folder, 'uploads');
    const before = await readdir(uploads, { recursive: true });
    const { access_token } = await signIn(service, ...shopper);
    const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png');
    const headers = { Authorization: `Bearer ${access_token}` };
    const uploaded = await fetch(`${service.url}/api/v1/uploads/avatar`, { method: 'POST', headers, body: form });
    expect(uploaded.status).toBe(200);
    const { url } = (await uploaded.json()) as { url: string };
    expect(existsSync(join(service.folder, url))).toBe(true);
    await testMode(service, ['POST', '/reset']);
    expect(existsSync(join(service.folder, url))).toBe(false);
    expect((await readdir(uploads, { recursive: true })).sort()).toEqual(before.sort());
  });

  it('empties the shop for those who want to begin with nothing', async () => {
    await testMode(service, ['POST', '/reset'], { seed: 'empty' });
    expect((await ask(service, ['GET', '/api/v1/products/'])).body).toEqual([]);
    const { access_token: token } = await signIn(service, 'admin', service.adminPassword);
    const { body } = await ask<unknown[]>(service, ['GET', '/api/v1/admin/users'], { token });
    expect(body).toHaveLength(1);
    await testMode(service, ['POST', '/reset']);
    expect(await stock()).toBeGreaterThan(0);
  });

  it('is right amid writes, and when two come at once', async () => {
    const pieces = await stock();
    const { access_token: token } = await signIn(service, ...shopper);
    const suite = new AbortController();
    const write = async (): Promise<void> => {
      while (!suite.signal.aborted) {
        await ask(service, ['POST', '/api/v1/cart/add'], { token, body: { product_id: 1, quantity: 1 } });
        await ask(service, ['POST', '/api/v1/tags'], {
          key: service.apiKey,
          body: { name: `tag ${Math.random()}` },
        });
      }
    };
    const writers = [write(), write(), write()];
    const resets = [];
    for (let round = 0; round < 3; round++) {
      resets.push(testMode(service, ['POST', '/reset']), testMode(service, ['POST', '/reset']));
      await resets.at(-1);
    }
    suite.abort();
    await Promise.all([...writers, ...resets]);
    await testMode(service, ['POST', '/reset']);
    expect(await stock()).toBe(pieces);
    const { body } = await ask<{ data: { name: string }[] }>(service, ['GET', '/api/v1/tags'], { key: service.apiKey });
    expect(body.data.filter(({ name }) => name.startsWith('tag 0.'))).toEqual([]);
  });

  it('refuses a seed that it does not have', async () => {
    expect((await ask(service, ['POST', '/test/reset'], { body: { seed: 'other' } })).status).toBe(422);
  });

  it('puts back the rows of a file, the same each time', async () => {
    const seed = 'test/support/rows.json';
    const rows = async () => {
      const { access_token: token } = await signIn(service, 'admin', service.adminPassword);
      const { body: orders } = await ask<{ id: number; status: string; created_at: string }[]>(
        service,
        ['GET', '/api/v1/admin/orders'],
        { token },
      );
      const { body: products } = await ask<{ id: number; stock: number }[]>(service, ['GET', '/api/v1/products/']);
      return { orders, products };
    };
    await testMode(service, ['POST', '/reset'], { seed });
    const made = await rows();
    expect(made).toMatchObject({
      orders: [{ id: 1, status: 'delivered', created_at: '2025-11-01T10:00:00.000Z', total_price: 39.5 }],
      products: [{ id: 1, name: 'Kettle', stock: 3 }],
    });
    const { body: login } = await ask<{ requires_totp: boolean }>(service, ['POST', '/api/v1/auth/login'], {
      body: { username: 'grace', password: 'correct-horse-7' },
    });
    expect(login.requires_totp).toBe(true);
    await testMode(service, ['POST', '/products'], { name: 'Cup', price: 4, stock: 1 });
    await testMode(service, ['POST', '/reset'], { seed });
    expect(await rows()).toEqual(made);
    await testMode(service, ['POST', '/reset']);
    expect(await stock()).toBeGreaterThan(0);
  });

  it('takes the file that its documentation shows', () => {
    const shown = /```json\n([^]*?)```/g;
    const blocks = [...projectText('docs/testing-against-it.md').matchAll(shown)].map(([, text = '']) => text);
    const file = JSON.parse(projectText('test/support/rows.json')) as unknown;
    expect(blocks.filter((text) => text.includes('"users"')).map((text) => JSON.parse(text) as unknown)).toEqual([
      file,
    ]);
  });

  it.each([
    ['outside of its folder', '../rows.json', 'lies within it'],
    ['that is not there', 'test/support/none.json', 'There is no file'],
    ['with other fields', 'package.json', 'there are users, products'],
  ])('refuses a file %s', async (_, seed, sentence) => {
    const { status, body } = await ask(service, ['POST', '/test/reset'], { body: { seed } });
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(sentence)]);
  });
});
