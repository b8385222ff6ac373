import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CountedWork, countedWork, counting } from '../../support/counted-work.js';
import { findSlowExpressions } from '../../support/expressions.js';
import { type RunningService, startRunningService } from '../../support/running-service.js';

// Just within Node's limit on a request's headers.
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
/** Steps per byte of a request: linear work takes a tenth of this, quadratic work on a header far more. */
const mostStepsPerByte = 200;

let service: RunningService;
beforeAll(async () => {
  // Each header alone is within Node's limit; here many come together.
  service = await startRunningService({ TRUST_PROXY: 'loopback' }, ['--max-http-header-size=1000000']);
}, 300_000);
afterAll(() => service.stop());

/** Where to send requests. */
interface Place {
  baseUrl: string;
  method: string;
  path: string;
}

function bombsOf(pump: string): string[] {
  const body = pump.repeat(length / pump.length);
  return [body, `Bearer ${body}!`, `a${body}a`, `application/json;${body}`];
}

/** Sends a request with all of these headers set to one value, and returns the status of the response. */
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

/** The steps that a server takes for requests with these values, one after the other. */
async function stepsOf(work: CountedWork, place: Place, names: readonly string[], values: string[]): Promise<number> {
  for (const value of values) await send(place, names, value);
  return work.steps();
}

/** All headers that do not change the response in one group; each of the others alone, as it may keep the rest from being read. */
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

/**
 * The headers and values that take too many steps at a place. A count costs the server more than a request does: what all of them
 * together do not take, none of them takes, and only what is dear together is looked at in halves.
 */
async function dearAt(
  work: CountedWork,
  place: Place,
  values: string[],
): Promise<[header: string, value: string, stepsPerByte: number][]> {
  const dear: [string, string, number][] = [];
  const look = async (names: string[], some: string[]): Promise<void> => {
    const stepsPerByte = (await stepsOf(work, place, names, some)) / Math.min(...some.map((value) => value.length));
    if (stepsPerByte <= mostStepsPerByte) return;
    const [[header = '', ...moreNames], [value = '', ...moreValues]] = [names, some];
    if (moreValues.length > 0) {
      const half = Math.ceil(some.length / 2);
      for (const part of [some.slice(0, half), some.slice(half)]) await look(names, part);
    } else if (moreNames.length > 0) for (const name of names) await look([name], some);
    else dear.push([header, value.slice(0, 20), Math.round(stepsPerByte)]);
  };
  for (const group of await groupsOf(place)) {
    await work.steps();
    await look(group, values);
  }
  return dear;
}

describe('A header of 15,000 characters', () => {
  it.each(places)(
    'takes steps in proportion to its length at %s %s, whatever its name and value',
    async (method, path) => {
      const place = { baseUrl: service.baseUrl, method, path };
      expect(await dearAt(service.work, place, pumps.flatMap(bombsOf))).toEqual([]);
    },
  );

  it('is matched by linear expressions alone', async () => {
    const expressions = await service.work.expressions();
    expect(expressions.length).toBeGreaterThan(3);
    expect(await findSlowExpressions(expressions)).toEqual([]);
  });
});

/** A faulty server, whose work is counted like that of the service. */
const faulty = `
  import { createServer } from 'node:http';
  const server = createServer(({ headers: { referer = '', cookie = '' } }, response) => {
    let pairs = 0;
    for (const one of cookie) for (let at = 0; at < cookie.length; at += 8) if (cookie[at] !== one) pairs++;
    response.end(String(/,+$/.test(referer)) + pairs);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

describe('The count of work', () => {
  it('finds a loop and an expression of quadratic time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-faulty-'));
    const { options, env } = counting(folder);
    const args = [...options, '--max-http-header-size=1000000', '--input-type=module', '-e', faulty];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      const place = { baseUrl: `http://127.0.0.1:${port.toString().trim()}`, method: 'GET', path: '/' };
      const work = await countedWork(folder);
      const dear = await dearAt(work, place, bombsOf('='));
      expect(new Set(dear.map(([header]) => header))).toEqual(new Set(['cookie']));
      expect(await findSlowExpressions(await work.expressions())).toEqual([
        expect.stringMatching(/^A long text {2}\/,\+\$\/ {2}is 2nd degree polynomial/),
      ]);
    } finally {
      child.kill();
      await rm(folder, { recursive: true });
    }
  });
});
