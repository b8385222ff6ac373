import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { listDirectRoutes } from '../../../src/common/direct-routes/direct-route-list.js';
import { type Account, signUp } from '../../support/accounts.js';
import { insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** The differences between two responses to the same request. */
const ofThisResponse = new Set(['date', 'x-request-id', 'x-service-version', 'connection', 'keep-alive']);
/** A header that makes the direct way leave the request to Express. */
const theLongWay = { 'x-client-version': '1.0.0' };

let app: TestApp;
let caller: Account;
let productId: number;
beforeAll(async () => {
  app = await startTestApp({ env: { CORS_ORIGINS: 'https://shop.example' } });
  caller = await signUp(app);
  productId = await insertProduct(app);
  await app.api.get('/api/v1/cart/', { token: caller.token }); // the token's signature is cached from here on
});
afterAll(() => app.close());

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

async function send(path: string, init: Init = {}) {
  const express = app.nest.getHttpAdapter().getInstance() as unknown as { handle: (...parts: unknown[]) => unknown };
  const passed = jest.spyOn(express, 'handle');
  const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(app.baseUrl + path, { ...init, headers });
  const seen = [...response.headers]
    .filter(([name]) => !ofThisResponse.has(name))
    .toSorted(([one], [other]) => one.localeCompare(other));
  const result = { status: response.status, headers: seen, body: JSON.parse(await response.text()) as unknown };
  const direct = passed.mock.calls.length === 0;
  passed.mockRestore();
  return { direct, result };
}

const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Init => ({
  method: 'POST',
  body,
  headers,
});
const item = () => JSON.stringify({ product_id: productId, quantity: 1 });
const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const add = '/api/v1/cart/add';
const checkout = '/api/v1/orders/checkout';

describe('A direct route', () => {
  it('is one of the most frequent', () => {
    expect(listDirectRoutes(app.nest).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/cart/',
      'POST /api/v1/cart/add',
      'POST /api/v1/orders/',
      'POST /api/v1/orders/checkout',
    ]);
  });

  it.each<[string, string, Init]>([
    ['a read', '/api/v1/cart/', {}],
    ['a read without the slash', '/api/v1/cart', {}],
    ['a read from a page of another origin', '/api/v1/cart/', { headers: { origin: 'https://shop.example' } }],
    ['a field of a wrong type', add, post('{"product_id":"shirt","quantity":-1}')],
    ['fields that are missing', add, post('{}')],
    ['a key that is none of ours', checkout, post('{"shipping":{},"__proto__":{"a":1}}')],
    ['a product that is not there', add, post('{"product_id":999999,"quantity":1}')],
    ['more than there is', add, post('{"product_id":1,"quantity":900}')],
    ['no object', add, post('[1]')],
    ['null', checkout, post('null')],
    ['JSON that ends too early', add, post('{"product_id":')],
    ['JSON with a fault', add, post('{"product_id" 1}')],
    ['text that is not UTF-8', add, post(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
    ['a byte order mark', add, post(Buffer.from('\ufeff{"product_id":999999,"quantity":1}'))],
    ['nothing but a byte order mark', add, post(Buffer.from('\ufeff'))],
    ['JSON that is nested too deep', add, post(nested(200))],
    [
      'a charset by name',
      add,
      post('{"product_id":999999,"quantity":1}', { 'content-type': 'application/json; charset=UTF-8' }),
    ],
    [
      'an order of an empty cart',
      checkout,
      post('{"shipping":{"first_name":"A","last_name":"B","address":"C","city":"D","zip_code":"E"}}'),
    ],
    ['an Idempotency-Key that is too long', checkout, post('{}', { 'idempotency-key': 'k'.repeat(300) })],
  ])('responds to %s as Express does', async (_, path, init) => {
    const direct = await send(path, init);
    const long = await send(path, { ...init, headers: { ...init.headers, ...theLongWay } });
    expect([direct.direct, long.direct]).toEqual([true, false]);
    expect(direct.result).toEqual(long.result);
  });

  it.each<[string, string, Init]>([
    ['a token that is unknown', '/api/v1/cart/', { headers: { authorization: 'Bearer unknown' } }],
    ['an address in other letters', '/api/v1/CART/', {}],
    ['a query', '/api/v1/cart/?a=1', {}],
    ['another method', '/api/v1/cart/', { method: 'PATCH' }],
    ['another type', add, post(item(), { 'content-type': 'text/plain' })],
    ['another charset', add, post(item(), { 'content-type': 'application/json; charset=utf-16' })],
    ['a compressed body', add, post(gzipSync('{"product_id":999999,"quantity":1}'), { 'content-encoding': 'gzip' })],
    ['a body of no declared length', add, { ...post(new Blob([item()]).stream()), duplex: 'half' }],
    ['a body that is too large', add, post(' '.repeat(300_000))],
    ['no body', add, { method: 'POST' }],
    ['a body of a read', '/api/v1/cart/', { method: 'DELETE', body: '{}' }],
  ])('leaves %s to Express', async (_, path, init) => {
    expect((await send(path, init)).direct).toBe(false);
  });

  it('writes what the way through Express writes', async () => {
    const added = await send(add, post(item()));
    expect(added).toMatchObject({
      direct: true,
      result: { status: 200, body: { items: [{ product_id: productId, quantity: 1 }] } },
    });
    const again = await send(add, post(item(), theLongWay));
    expect(again).toMatchObject({ direct: false, result: { status: 200, body: { items: [{ quantity: 2 }] } } });
    expect(again.result.headers.map(([name]) => name)).toEqual(added.result.headers.map(([name]) => name));
    const order = post('{"shipping":{"first_name":"A","last_name":"B","address":"C","city":"D","zip_code":"E"}}', {
      'idempotency-key': 'once',
    });
    const placed = await send(checkout, order);
    expect(placed).toMatchObject({ direct: true, result: { status: 201, body: { items: [{ quantity: 2 }] } } });
    const { result } = await send(checkout, { ...order, headers: { ...order.headers, ...theLongWay } });
    expect(result).toEqual(placed.result);
  });

  it('refuses a token as soon as its session ends', async () => {
    const gone = await signUp(app);
    const ask = () => send('/api/v1/cart/', { headers: { authorization: `Bearer ${gone.token}` } });
    await ask();
    expect(await ask()).toMatchObject({ direct: true, result: { status: 200 } });
    await app.api.delete('/api/v1/users/me/sessions', { token: gone.token });
    expect(await ask()).toMatchObject({ direct: false, result: { status: 401 } });
  });

  it('survives a caller who disconnects in the middle of a body', async () => {
    const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1');
    const head = `POST ${add} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${caller.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"product_id":`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await send('/api/v1/cart/')).result.status).toBe(200);
  });
});
