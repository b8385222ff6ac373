import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
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
// A tenth of this is usual for all headers together.
const mostMilliseconds = 60;
// Garbage is collected and code compiled in between, and not ten times running.
const tries = 10;
const pauseMs = 10;

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  // Each header alone fits into what Node takes; here many come together.
  Object.assign(service.nest.getHttpServer(), { maxHeaderSize: 1_000_000 });
});
afterAll(() => service.close());

/** A place to send requests to. */
interface Place {
  baseUrl: string;
  method: string;
  path: string;
}

function bombsOf(pump: string): string[] {
  const body = pump.repeat(length / pump.length);
  return [body, `Bearer ${body}!`, `a${body}a`, `application/json;${body}`];
}

/** Sends a request with these headers at the same value, and returns the status of its answer. */
async function send({ baseUrl, method, path }: Place, names: readonly string[], value: string): Promise<number> {
  const body = method === 'POST' ? '{}' : '';
  const usual = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const bombs = Object.fromEntries(names.map((name) => [name, value]));
  const sent = request(baseUrl + path, { method, headers: { ...usual, ...bombs }, agent: false });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end(body);
  });
  await text(answer);
  return answer.statusCode ?? 0;
}

/** The processor time of a request, in milliseconds. */
async function cost(...bomb: Parameters<typeof send>): Promise<number> {
  const { user } = process.cpuUsage();
  await send(...bomb);
  return (process.cpuUsage().user - user) / 1000;
}

/** The least of some costs, since other work comes in between. */
async function leastCost(...bomb: Parameters<typeof send>): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < tries && least > mostMilliseconds; attempt++) {
    await sleep(attempt * pauseMs);
    least = Math.min(least, await cost(...bomb));
  }
  return least;
}

/** All headers that leave the answer as it is, in one group; each other alone, for it may keep the rest from being read. */
async function groupsOf(place: Place): Promise<string[][]> {
  const usual = await send(place, [], '');
  const together: string[] = [];
  const alone: string[][] = [];
  for (const header of headers) {
    if ((await send(place, [header], 'a'.repeat(length))) === usual) together.push(header);
    else alone.push([header]);
  }
  return [together, ...alone];
}

/** The headers and values that are dear at a place. */
async function dearAt(
  place: Place,
  values: string[],
): Promise<[header: string, value: string, milliseconds: number][]> {
  const dear: [string, string, number][] = [];
  for (const group of await groupsOf(place)) {
    for (const value of values) {
      if ((await cost(place, group, value)) <= mostMilliseconds) continue;
      for (const header of group) {
        const milliseconds = await leastCost(place, [header], value);
        if (milliseconds > mostMilliseconds) dear.push([header, value.slice(0, 20), Math.round(milliseconds)]);
      }
    }
  }
  return dear;
}

describe('A header of 15,000 characters', () => {
  it.each(places)('costs next to nothing at %s %s, whatever it is and holds', async (method, path) => {
    const place = { baseUrl: service.baseUrl, method, path };
    expect(await dearAt(place, pumps.flatMap(bombsOf))).toEqual([]);
  });

  it('is found where one expression takes the square of its length', async () => {
    const slow = createServer({ maxHeaderSize: 1_000_000 }, ({ headers: { referer = '' } }, response) => {
      response.end(String(/,+$/.test(referer)));
    });
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    const baseUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const values = [...bombsOf('='), `a${','.repeat(length)}a`];
    const dear = await dearAt({ baseUrl, method: 'GET', path: '/' }, values);
    expect(dear).toEqual([['referer', expect.stringMatching(/^a,/), expect.any(Number)]]);
    await new Promise((resolve) => slow.close(resolve));
  });
});
