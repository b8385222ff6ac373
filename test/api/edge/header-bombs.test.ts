import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/test-app.js';

// Just within what Node takes of a request's headers.
const length = 15_000;
const pumps = [
  ' ',
  '\t',
  'a',
  '0',
  ',',
  ';',
  '"',
  '=',
  '/',
  ':',
  '.',
  '%',
  '\\',
  ', ',
  'a ',
  'a,',
  ';a',
  ';a="',
  '\\"',
  'gzip;q=',
];
const headers = [
  'accept',
  'accept-encoding',
  'access-control-request-headers',
  'authorization',
  'content-disposition',
  'content-encoding',
  'content-type',
  'cookie',
  'forwarded',
  'idempotency-key',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'user-agent',
  'x-api-key',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-organization-id',
  'x-request-id',
];
const places = [
  ['GET', '/api/v1/products/'],
  ['GET', '/api/v1/auth/me'],
  ['GET', '/api/v1/orders/referrer'],
  ['POST', '/api/v1/auth/login'],
  ['POST', '/api/v1/uploads/avatar'],
  ['OPTIONS', '/api/v1/products/'],
] as const;
// A thousandth of this is usual.
const mostMilliseconds = 60;
const tries = 3;

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
});
afterAll(() => service.close());

function bombs(): string[] {
  return pumps.flatMap((pump) => {
    const body = pump.repeat(length / pump.length);
    return [body, `Bearer ${body}!`, `a${body}a`, `application/json;${body}`];
  });
}

async function send(method: string, path: string, header: string, value: string): Promise<void> {
  const body = method === 'POST' ? '{}' : '';
  const usual = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const sent = request(service.baseUrl + path, { method, headers: { ...usual, [header]: value }, agent: false });
  const answer = await new Promise<AsyncIterable<Buffer> & NodeJS.ReadableStream>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end(body);
  });
  await text(answer);
}

/** The processor time of a request, in milliseconds: the least of some, since other work comes in between. */
async function cost(...bomb: Parameters<typeof send>): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < tries && least > mostMilliseconds; attempt++) {
    const { user } = process.cpuUsage();
    await send(...bomb);
    least = Math.min(least, (process.cpuUsage().user - user) / 1000);
  }
  return least;
}

describe('A header of 15,000 characters', () => {
  it.each(places)('costs next to nothing at %s %s, whatever it is and holds', async (method, path) => {
    const dear: unknown[] = [];
    for (const header of headers) {
      for (const value of bombs()) {
        const milliseconds = await cost(method, path, header, value);
        if (milliseconds > mostMilliseconds) dear.push([header, value.slice(0, 20), Math.round(milliseconds)]);
      }
    }
    expect(dear).toEqual([]);
  });
});
