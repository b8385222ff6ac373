import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import { insertProduct } from '../support/goods.js';
import { insertOrganization } from '../support/organizations.js';
import { makePicture } from '../support/pictures.js';
import { installSdk } from '../support/sdk-package.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The parameters of the page and its worker. */
interface Given {
  baseUrl: string;
  key: string;
  account: { username: string; password: string };
  webhook: { body: string; headers: Record<string, string>; secret: string };
}

/** A shop built on the SDK: its worker does the slow work, and posts the results. */
const worker = `
import { createStoreClient, pages, verifyWebhook } from '/sdk/index.js';
addEventListener('message', async ({ data: { baseUrl, key, account, webhook } }) => {
  try {
    const store = createStoreClient({ baseUrl });
    const { data: products, response } = await store.products.list({ query: { limit: 2 } });
    await store.auth.login({ body: account });
    const { data: me } = await store.auth.me();
    const pipeline = createStoreClient({ baseUrl, apiKey: key });
    const tags = [];
    for await (const { name } of pages((cursor) => pipeline.tags.list({ query: { size: 2, ...cursor } }))) tags.push(name);
    const { body, headers, secret } = webhook;
    const verified = await verifyWebhook(body, headers, secret);
    const refused = await verifyWebhook(body + ' ', headers, secret).catch(({ name, message }) => name + ': ' + message);
    postMessage({
      isWorker: typeof document === 'undefined' && typeof XMLHttpRequest === 'function',
      products: products.map(({ name }) => name),
      total: response.headers.get('x-total-count'),
      me: me.username, tags, verified, refused,
    });
  } catch (error) {
    postMessage({ error: String(error.stack) });
  }
});`;

/** Serves on loopback its own files, and passes on calls of the service. */
const policy = (baseUrl: string) =>
  `default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self' ${baseUrl}`;

let app: TestApp;
let browser: Browser;
let shop: Server;
let folder: string;
let page: Page;
let given: Given;
let picture: Buffer;

async function serve(sdk: string): Promise<string> {
  shop = createServer((request, response) => {
    const path = request.url ?? '';
    const answer = (type: string, content: string | Buffer) => {
      const csp = policy(app.baseUrl);
      response.writeHead(200, { 'content-type': type, 'content-security-policy': csp }).end(content);
    };
    if (path === '/') answer('text/html', '<!doctype html><title>A shop</title>');
    else if (path === '/worker.js') answer('text/javascript', worker);
    else {
      readFile(join(sdk, path.replace(/^\/sdk\//, ''))).then(
        (content) => answer('text/javascript', content),
        () => response.writeHead(404).end(),
      );
    }
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
}

function signed(body: string): Given['webhook'] {
  const seconds = String(Math.floor(Date.now() / 1_000));
  const secret = Buffer.alloc(32, 7);
  const mac = createHmac('sha256', secret).update(`m1.${seconds}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'm1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
  return { body, headers, secret: `whsec_${secret.toString('base64')}` };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-sdk-browser-'));
  const [project] = await Promise.all([
    installSdk(folder),
    startTestApp().then((started) => (app = started)),
    startBrowser().then((started) => (browser = started)),
  ]);
  for (const name of ['Linen shirt', 'Oak table', 'Wool cap']) await insertProduct(app, { name });
  const account = { username: 'ada', password: 'correct-horse-7' };
  await app.api.post('/api/v1/auth/register', { json: { ...account, email: 'ada@example.com' } });
  const key = await (await insertOrganization(app)).key('member');
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    await app.api.post('/api/v1/tags', { headers: { 'x-api-key': key }, json: { name } });
  }
  picture = await makePicture('png');
  given = { baseUrl: app.baseUrl, key, account, webhook: signed('{"issues": []}') };
  const origin = await serve(join(project, 'node_modules/@store-service/sdk/dist'));
  page = await browser.newPage();
  await page.goto(`${origin}/`);
}, 300_000);
afterAll(async () => {
  await browser.close();
  shop.close();
  await app.close();
  await rm(folder, { recursive: true });
});

describe('The SDK in a browser', () => {
  it('browses, signs in, walks a cursor and verifies a webhook in a Worker', async () => {
    const said = await page.evaluate(`new Promise((resolve, reject) => {
      const one = new Worker('/worker.js', { type: 'module' });
      one.addEventListener('message', ({ data }) => resolve(data));
      one.addEventListener('error', ({ message }) => reject(new Error(message)));
      one.postMessage(${JSON.stringify(given)});
    })`);
    expect(said).toEqual({
      isWorker: true,
      products: ['Linen shirt', 'Oak table'],
      total: '3',
      me: 'ada',
      tags: ['five', 'four', 'three', 'two', 'one'],
      verified: { issues: [] },
      refused: 'WebhookVerificationError: The signature is not by this secret, or the body was changed',
    });
  });

  it('signs in on a page, uploads a picture and reports its progress', async () => {
    const said = await page.evaluate(
      async ({ baseUrl, account, bytes }) => {
        const address = '/sdk/index.js';
        const { createStoreClient, onUploadProgress } = (await import(
          address
        )) as typeof import('../../packages/sdk/src/index.js');
        const store = createStoreClient({ baseUrl });
        await store.auth.login({ body: account });
        const steps: { loaded: number; total: number }[] = [];
        const file = new File([Uint8Array.from(bytes)], 'me.png', { type: 'image/png' });
        const progress = onUploadProgress((step) => steps.push({ ...step }));
        const { data } = await store.uploads.avatar({ body: { file }, ...progress });
        await store.users.update({ body: { avatar_url: data.url } });
        return { steps, kept: (await store.auth.me()).data.avatar_url, url: data.url };
      },
      { ...given, bytes: [...picture] },
    );
    expect(said.kept).toBe(said.url);
    const last = said.steps.at(-1);
    // Counts the form around the picture: fetch, which reports only start and end, knows only the picture's size.
    expect(last?.total).toBeGreaterThan(picture.length);
    expect(last?.loaded).toBe(last?.total);
    expect(said.steps.map(({ loaded }) => loaded)).toEqual(
      said.steps.map(({ loaded }) => loaded).sort((a, b) => a - b),
    );
  });

  it('identifies a refusal by its code on a page', async () => {
    const code = await page.evaluate(async ({ baseUrl }) => {
      const address = '/sdk/index.js';
      const { createStoreClient, StoreApiError } = (await import(
        address
      )) as typeof import('../../packages/sdk/src/index.js');
      const login = { username: 'nobody', password: 'wrong-horse-7' };
      const error: unknown = await createStoreClient({ baseUrl })
        .auth.login({ body: login })
        .catch((one: unknown) => one);
      return error instanceof StoreApiError ? [error.status, error.code] : String(error);
    }, given);
    expect(code).toEqual([401, 'wrong_credentials']);
  });
});
