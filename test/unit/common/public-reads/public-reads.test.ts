import 'reflect-metadata';
import { request as ask, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { pino } from 'pino';
import { Public } from '../../../../src/common/auth/access.js';
import { ChangeBus, everything } from '../../../../src/common/changes/change-bus.js';
import { freshMs } from '../../../../src/common/changes/freshness.js';
import { NotFound, TooManyRequests } from '../../../../src/common/errors/kinds.js';
import { AddressLimit } from '../../../../src/common/http/address-limit.js';
import { Metrics } from '../../../../src/common/http/metrics.js';
import { StandingHeaders } from '../../../../src/common/http/standing-headers.js';
import { Cacheable } from '../../../../src/common/public-reads/cacheable.js';
import { PublicReads } from '../../../../src/common/public-reads/public-reads.js';
import { etagOf } from '../../../../src/common/public-reads/ready-answer.js';
import { ResponseCache } from '../../../../src/common/public-reads/response-cache.js';
import { StringField } from '../../../../src/common/validation/fields.js';
import { loadSettings } from '../../../../src/config/settings.js';
import { AnswersUnderWay } from '../../../../src/graceful-stop.js';
import { Deferred } from '../../../support/deferred.js';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Computations that are under way; each is ended by the test. */
let computations: Deferred<string>[];

class ThingPath {
  @StringField()
  id: string;
}

@Controller('things')
class Things {
  @Get(':id')
  @Public()
  @Cacheable((_, { id }) => [`thing:${id}`])
  get(@Param() _path: ThingPath): Promise<{ value: string }> {
    const computation = new Deferred<string>();
    computations.push(computation);
    return computation.promise.then((value) => ({ value }));
  }
}

@Module({ imports: [DiscoveryModule], controllers: [Things] })
class ThingsModule {}

let app: NestExpressApplication;
let bus: ChangeBus;
let limit: AddressLimit;
let underWay: AnswersUnderWay;
let log: Record<string, unknown>[];
let port: number;
beforeEach(async () => {
  computations = [];
  log = [];
  bus = new ChangeBus();
  app = await NestFactory.create<NestExpressApplication>(ThingsModule, { logger: false });
  const settings = loadSettings({ RESPONSE_CACHE_MB: '1' });
  const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) });
  const metrics = new Metrics();
  const cache = new ResponseCache(settings, metrics, bus);
  limit = new AddressLimit();
  new PublicReads(cache, new StandingHeaders(settings), limit, metrics).standBefore(app, logger);
  underWay = new AnswersUnderWay(app.getHttpServer());
  await app.listen(0, '127.0.0.1');
  ({ port } = app.getHttpServer().address() as AddressInfo);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
});

/** Sends a request; `arrived` is kept once the server has begun with it. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const arrived = new Promise<void>((resolve) => app.getHttpServer().once('request', () => resolve()));
  const request = ask({ port, path, headers, method, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
  });
  request.end();
  return { answer, arrived, request };
}

/** Sends a request and waits until it has arrived, so that the next one comes after it. */
async function arrive(path: string, headers: Record<string, string> = {}) {
  const sent = send(path, headers);
  await sent.arrived;
  return sent;
}

/** Waits until so many computations have begun since the test did. */
async function begun(count: number): Promise<void> {
  while (computations.length < count) await new Promise((resolve) => setImmediate(resolve));
}

const valueOf = async ({ answer }: { answer: Promise<Answer> }) =>
  (JSON.parse((await answer).body) as { value: string }).value;

/** Has `/things/1` kept with the value. */
async function keep(value: string, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = send('/things/1', headers);
  await begun(1);
  computations[0]?.resolve(value);
  return sent.answer;
}

describe('A computation under way', () => {
  it('is waited for by all who ask meanwhile', async () => {
    const sent = [];
    for (let n = 0; n < 50; n++) sent.push(await arrive('/things/1'));
    await begun(1);
    computations[0]?.resolve('one');
    expect(await Promise.all(sent.map(valueOf))).toEqual(sent.map(() => 'one'));
    expect(computations).toHaveLength(1);
  });

  it('is done anew for those who came after a change, and its answer is not kept', async () => {
    const early = await arrive('/things/1');
    await begun(1);
    bus.announce(['thing:1']);
    const late = [await arrive('/things/1'), await arrive('/things/1')];
    computations[0]?.resolve('old');
    expect(await valueOf(early)).toBe('old');
    await begun(2);
    computations[1]?.resolve('new');
    expect(await Promise.all(late.map(valueOf))).toEqual(['new', 'new']);
    expect(await valueOf(send('/things/1'))).toBe('new');
    expect(computations).toHaveLength(2);
  });

  it('is done anew for who came between two changes', async () => {
    await arrive('/things/1');
    await begun(1);
    bus.announce(['thing:1']);
    const between = await arrive('/things/1');
    bus.announce(['thing:1']);
    computations[0]?.resolve('before both');
    await begun(2);
    computations[1]?.resolve('after both');
    expect(await valueOf(between)).toBe('after both');
  });

  it('serves who came before the change, though it came then', async () => {
    const early = [await arrive('/things/1'), await arrive('/things/1')];
    await begun(1);
    bus.announce(['thing:1']);
    computations[0]?.resolve('old');
    expect(await Promise.all(early.map(valueOf))).toEqual(['old', 'old']);
  });

  it('serves all, and is kept, where only something else changed', async () => {
    const early = await arrive('/things/1');
    await begun(1);
    bus.announce(['thing:2']);
    const late = await arrive('/things/1');
    computations[0]?.resolve('one');
    expect(await Promise.all([early, late, send('/things/1')].map(valueOf))).toEqual(['one', 'one', 'one']);
  });

  it('is done anew where anything may have changed', async () => {
    await arrive('/things/1');
    await begun(1);
    bus.announce([everything]);
    const late = await arrive('/things/1');
    computations[0]?.resolve('old');
    await begun(2);
    computations[1]?.resolve('new');
    expect(await valueOf(late)).toBe('new');
  });

  it('serves those who wait though its own caller left', async () => {
    const leader = await arrive('/things/1');
    const gone = leader.answer.catch(() => 'gone');
    await begun(1);
    const waiting = [await arrive('/things/1'), await arrive('/things/1')];
    leader.request.destroy();
    expect(await gone).toBe('gone');
    computations[0]?.resolve('one');
    expect(await Promise.all([...waiting, send('/things/1')].map(valueOf))).toEqual(['one', 'one', 'one']);
    expect(computations).toHaveLength(1);
  });

  it('that fails is an answer to all who waited, and not kept', async () => {
    const sent = [await arrive('/things/1'), await arrive('/things/1')];
    await begun(1);
    computations[0]?.reject(new NotFound('No such thing'));
    for (const { answer } of sent) {
      const { status, headers, body } = await answer;
      expect([status, headers.etag, JSON.parse(body)]).toEqual([
        404,
        undefined,
        { detail: 'No such thing', code: 'not_found' },
      ]);
    }
    const next = await arrive('/things/1');
    await begun(2);
    computations[1]?.resolve('there');
    expect(await valueOf(next)).toBe('there');
  });

  it('that fails is done anew for those who came after any change', async () => {
    const early = await arrive('/things/1');
    await begun(1);
    bus.announce(['assortment']);
    const late = await arrive('/things/1');
    computations[0]?.reject(new NotFound('No such thing'));
    expect((await early.answer).status).toBe(404);
    await begun(2);
    computations[1]?.resolve('there');
    expect(await valueOf(late)).toBe('there');
  });

  it('that throws what nobody foresaw is a 500, logged with its cause, and the next one is served', async () => {
    const sent = await arrive('/things/1');
    await begun(1);
    computations[0]?.reject(new Error('Out of order'));
    const { status, body } = await sent.answer;
    expect([status, JSON.parse(body)]).toEqual([500, expect.objectContaining({ code: 'internal_error' })]);
    expect(log).toEqual([
      expect.objectContaining({ level: 50, res: 500, err: expect.objectContaining({ message: 'Out of order' }) }),
    ]);
    const next = await arrive('/things/1');
    await begun(2);
    computations[1]?.resolve('one');
    expect(await valueOf(next)).toBe('one');
  });
});

describe('The limit of an address', () => {
  it('holds for what is computed, and not for what memory answers', async () => {
    await keep('one');
    const refusal = new TooManyRequests('Too many requests from your address', 7);
    const count = jest.spyOn(limit, 'count').mockRejectedValue(refusal);
    const { status, headers, body } = await send('/things/2').answer;
    expect([status, headers['retry-after'], headers['x-content-type-options']]).toEqual([429, '7', 'nosniff']);
    expect(JSON.parse(body)).toEqual({ detail: refusal.message, code: 'too_many_requests' });
    expect(count).toHaveBeenCalledWith(expect.stringContaining('127.0.0.1'));
    expect(await valueOf(send('/things/1'))).toBe('one');
    expect(computations).toHaveLength(1);
  });
});

describe('An answer from memory', () => {
  it('is given without asking behind, with the same headers, and an id of its own', async () => {
    const first = await keep('one', { 'x-request-id': 'first' });
    const { answer } = send('/things/1', { 'x-request-id': 'second' });
    const second = await answer;
    const same = ({ headers }: Answer) => ({ ...headers, date: undefined, 'x-request-id': undefined });
    expect(same(second)).toEqual(same(first));
    expect([first.headers['x-request-id'], second.headers['x-request-id']]).toEqual(['first', 'second']);
    expect(second.body).toBe(first.body);
  });

  it.each(['*', 'W/{}', '"other", {}'])('is a 304 without a body for If-None-Match: %s, kept or not', async (form) => {
    const condition = { 'if-none-match': form.replace('{}', etagOf(Buffer.from('{"value":"one"}'))) };
    const first = await keep('one', condition);
    const second = await send('/things/1', condition).answer;
    for (const { status, headers, body } of [first, second]) {
      expect([status, body, headers.etag]).toEqual([304, '', expect.stringMatching(/^"[\w-]{27}"$/)]);
      expect([headers['cache-control'], headers['content-type'], headers['content-length']]).toEqual([
        'no-cache',
        undefined,
        undefined,
      ]);
    }
    expect(computations).toHaveLength(1);
  });

  it('is given for 1.8 s from the start of its computation', async () => {
    let now = 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const sent = send('/things/1');
    await begun(1);
    now += freshMs - 1;
    const late = await arrive('/things/1');
    computations[0]?.resolve('one');
    expect(await Promise.all([sent, late, send('/things/1')].map(valueOf))).toEqual(['one', 'one', 'one']);
    now += 1;
    const outdated = send('/things/1');
    await begun(2);
    computations[1]?.resolve('two');
    expect(await valueOf(outdated)).toBe('two');
  });

  it('is not waited for by who comes 1.8 s after its computation began', async () => {
    let now = 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const slow = await arrive('/things/1');
    await begun(1);
    now += freshMs;
    const next = await arrive('/things/1');
    await begun(2);
    computations[1]?.resolve('newer');
    expect(await valueOf(next)).toBe('newer');
    computations[0]?.resolve('older');
    expect(await valueOf(slow)).toBe('older');
    expect(await valueOf(send('/things/1'))).toBe('newer');
  });

  it('is logged like any other, and named as kept', async () => {
    await keep('one', { 'x-request-id': 'first' });
    await send('/things/1', { 'x-request-id': 'second' }).answer;
    const line = { level: 30, msg: 'answered', res: 200, responseTime: expect.any(Number), method: 'GET' };
    expect(log).toEqual([
      expect.objectContaining({ ...line, url: '/things/1', reqId: 'first' }),
      expect.objectContaining({ ...line, url: '/things/1', reqId: 'second', kept: true }),
    ]);
    expect(log[0]).not.toHaveProperty('kept');
  });

  it('is given to whoever asks, signed in or not: a public answer does not depend on the caller', async () => {
    await keep('one');
    expect(await valueOf(send('/things/1', { authorization: 'Bearer x' }))).toBe('one');
    expect(computations).toHaveLength(1);
  });

  it('is given to HEAD too, without its body, and measured as such', async () => {
    const { headers } = await keep('one');
    const head = await send('/things/1', {}, 'HEAD').answer;
    expect([head.status, head.body, head.headers.etag]).toEqual([200, '', headers.etag]);
    expect(head.headers['content-length']).toBe(headers['content-length']);
    expect(log.at(-1)).toMatchObject({ method: 'HEAD', kept: true });
    expect(computations).toHaveLength(1);
  });

  it('is not given to other methods', async () => {
    await keep('one');
    expect((await send('/things/1', {}, 'POST').answer).status).toBe(404);
  });

  it('closes its connection when the service stops meanwhile', async () => {
    const sent = [await arrive('/things/1'), await arrive('/things/1')];
    await begun(1);
    const finished = underWay.finish();
    computations[0]?.resolve('last');
    for (const { answer } of sent) {
      const { headers, body } = await answer;
      expect([headers.connection, headers['x-request-id'] === '', body]).toEqual(['close', false, '{"value":"last"}']);
    }
    await finished;
  });
});
