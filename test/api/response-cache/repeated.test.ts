import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { ServiceLife } from '../../../src/common/http/service-life.js';
import { insertProduct, insertProducts } from '../../support/goods.js';
import { RawConnection } from '../../support/raw-connection.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const origin = 'https://shop.example';

let app: TestApp;
let connection: RawConnection;
let product: string;
let parsed = 0;
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '1', CORS_ORIGINS: `${origin},https://admin.example` } });
  app.nest.getHttpServer().on('request', () => void parsed++);
});
afterAll(() => app.close());
beforeEach(async () => {
  // Nothing grows old here.
  jest.spyOn(performance, 'now').mockReturnValue(1_000);
  product = `/api/v1/products/${await insertProduct(app)}`;
  connection = await RawConnection.open((app.nest.getHttpServer().address() as AddressInfo).port);
});
afterEach(() => {
  connection.close();
  jest.restoreAllMocks();
});

function get(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'shop.example', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** The whole answer, without what differs from one to the next. */
async function answerTo(request: string): Promise<string> {
  const { head = '', body = '' } = (await connection.ask(request)) ?? {};
  expect(head).toMatch(/^x-request-id: [\da-f-]{36}$/m);
  expect(head).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/m);
  return `${head.replace(/^(x-request-id|Date): .*$/gm, '$1')}\r\n\r\n${body}`;
}

/** What Node writes from memory, and then what the bytes of the request lead to. */
async function bothAnswers(request: string): Promise<[string, string]> {
  await connection.ask(request);
  const byNode = await answerTo(request);
  const before = parsed;
  const again = await answerTo(request);
  expect(parsed).toBe(before);
  return [byNode, again];
}

async function idOf(request: string): Promise<string | undefined> {
  return /^x-request-id: (.*)$/m.exec((await connection.ask(request))?.head ?? '')?.[1];
}

/** The reads from memory, and the measured reads of a product. */
async function figures(): Promise<number[]> {
  const { body } = await app.api.get<string>('/metrics');
  const route = 'method="GET",route="/api/v1/products/:product_id",status="200"';
  const names = ['response_cache_reads_total{result="hit"}', `http_request_duration_seconds_count{${route}}`];
  return names.map((name) => Number(body.split(`${name} `)[1]?.split('\n')[0]));
}

describe('A read that is repeated byte for byte', () => {
  it.each([
    ['of a product', () => get(product)],
    ['of a list with its total', () => get('/api/v1/products/?limit=2')],
    ['of a page of another origin', () => get(product, { Origin: origin })],
    ['of a page of no listed origin', () => get(product, { Origin: 'https://other.example' })],
    ['that knows an older answer', () => get(product, { 'If-None-Match': '"old"' })],
    ['that knows every answer', () => get(product, { 'If-None-Match': '*' })],
  ])('%s has the answer that node:http writes', async (_what, request) => {
    const [byNode, again] = await bothAnswers(request());
    expect(again).toBe(byNode);
  });

  it('has the answer that node:http writes where it is long', async () => {
    await insertProducts(app, 100);
    const [byNode, again] = await bothAnswers(get('/api/v1/products/?limit=100'));
    expect(again.length).toBeGreaterThan(17_000);
    expect(again).toBe(byNode);
  });

  it('has a request id of its own', async () => {
    await bothAnswers(get(product));
    const ids = [await idOf(get(product)), await idOf(get(product))];
    expect(new Set(ids).size).toBe(2);
  });

  it('shows a change at once', async () => {
    const [, before] = await bothAnswers(get(product));
    await app.api.put(product, { json: { name: 'Renamed' } });
    const after = await answerTo(get(product));
    expect(after).toContain('"name":"Renamed"');
    expect(before).not.toContain('Renamed');
  });

  it('is counted and measured like any other', async () => {
    await bothAnswers(get(product));
    const before = await figures();
    await answerTo(get(product));
    expect(await figures()).toEqual(before.map((count) => count + 1));
  });

  it('is left to node:http once the service stops', async () => {
    const stopping = jest.spyOn(app.nest.get(ServiceLife), 'stopping', 'get');
    await bothAnswers(get(product));
    stopping.mockReturnValue(true);
    const before = parsed;
    await answerTo(get(product));
    expect(parsed).toBe(before + 1);
  });
});
