import 'reflect-metadata';
import { once } from 'node:events';
import { request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, type INestApplication, Module, Req, Res } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { Express, NextFunction, Request, Response } from 'express';
import { pino } from 'pino';
import { NotFound } from '../../../../src/platform/errors/errors.js';
import { ErrorFilter } from '../../../../src/platform/http/error.filter.js';
import { QuickExpressAdapter } from '../../../../src/platform/http/express-adapter.js';
import { Metrics } from '../../../../src/platform/http/metrics.js';
import type { AddressTrust } from '../../../../src/platform/net/caller-address.js';
import { measureUntilNow, RequestLog } from '../../../../src/platform/http/request-log.js';
import { Deferred } from '../../../support/deferred.js';

let slow: Deferred<string>;
const streams: Response[] = [];

@Controller()
class Things {
  @Get('things/:id')
  get(): string {
    return 'a thing';
  }
  @Get('broken')
  fail(): string {
    throw new Error('Out of order');
  }
  @Get('refused')
  refuse(@Req() request: Request): string {
    Object.assign(request, { user: { id: 'user-1' } });
    throw new NotFound('There is no such thing');
  }
  @Get('refused-key')
  refuseKey(@Req() request: Request): string {
    Object.assign(request, { user: { id: 'user-1' }, member: { apiKeyId: 'key-1' } });
    throw new NotFound('There is no such thing');
  }
  @Get('slow')
  wait(): Promise<string> {
    return slow.promise;
  }
  @Get('stream')
  stream(@Res() response: Response): void {
    response.write('a beginning');
    measureUntilNow(response);
    streams.push(response);
  }
  @Get('health')
  health(): string {
    return 'well';
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

let app: INestApplication;
let metrics: Metrics;
let base: string;
let log: Record<string, unknown>[];
let changed: boolean;
beforeAll(async () => {
  app = await NestFactory.create(ThingsModule, new QuickExpressAdapter(), { logger: false });
  app.useGlobalFilters(new ErrorFilter(app.get(ModulesContainer)));
  const trusts: AddressTrust = { proxy: () => false, loopback: true };
  (app.getHttpAdapter().getInstance() as Express).set('address trust', trusts);
  metrics = new Metrics();
  const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) });
  const server = app.getHttpServer() as import('node:http').Server;
  const prototypes = new WeakMap<object, unknown>();
  server.prependListener('request', (request: object) => prototypes.set(request, Object.getPrototypeOf(request)));
  app.use((request: Request, _response: Response, next: NextFunction) => {
    changed ||= prototypes.get(request) !== Object.getPrototypeOf(request);
    next();
  });
  app.use(new RequestLog(logger, metrics).handle);
  await app.listen(0, '127.0.0.1');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());
beforeEach(() => {
  log = [];
  changed = false;
  slow = new Deferred();
});

async function logged(): Promise<Record<string, unknown>[]> {
  while (log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return log;
}

describe('The record of a request', () => {
  it('is one line without headers and body, and a metric under the pattern of its route', async () => {
    const headers = { authorization: 'Bearer secret', 'x-request-id': 'mine-1' };
    const answer = await fetch(`${base}/things/7?a=1`, { headers });
    expect([await answer.text(), answer.headers.get('x-request-id')]).toEqual(['a thing', 'mine-1']);
    const [line, ...more] = await logged();
    expect([line, more]).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        reqId: 'mine-1',
        res: 200,
        responseTime: expect.any(Number),
        method: 'GET',
        url: '/things/7?a=1',
        address: '127.0.0.1',
        msg: 'answered',
      },
      [],
    ]);
    const figures = await metrics.registry.metrics();
    expect(figures).toMatch(/duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} 1\n/);
  });

  it.each(['x'.repeat(129), 'a b', 'a"b'])('gets a new id in place of %j', async (id) => {
    const answer = await fetch(`${base}/things/7`, { headers: { 'x-request-id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect((await logged())[0]?.['reqId']).toBe(answer.headers.get('x-request-id'));
  });

  it('shows a failure with its cause', async () => {
    expect((await fetch(`${base}/broken`)).status).toBe(500);
    const err = expect.objectContaining({ message: 'Out of order', stack: expect.any(String) });
    expect(await logged()).toEqual([expect.objectContaining({ level: 50, msg: 'failed', res: 500, err })]);
  });

  it('names the caller, by the key where one was used, and the code of a refusal', async () => {
    await fetch(`${base}/refused`);
    await fetch(`${base}/refused-key`);
    while (log.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = { level: 30, res: 404, address: '127.0.0.1', code: 'not_found' };
    expect(log).toEqual([
      expect.objectContaining({ ...refused, user: 'user-1' }),
      expect.objectContaining({ ...refused, key: 'key-1' }),
    ]);
    expect(log.map((line) => Object.keys(line).includes('user'))).toEqual([true, false]);
  });

  it('shows that a caller disconnected before the response', async () => {
    const request = ask(`${base}/slow`).end();
    const gone = once(request, 'error');
    setTimeout(() => request.destroy(), 50);
    await gone;
    expect(await logged()).toEqual([expect.objectContaining({ level: 30, msg: 'abandoned', url: '/slow' })]);
    slow.resolve('too late');
  });

  it('is omitted for health checks, which come every few seconds', async () => {
    await fetch(`${base}/health`);
    await fetch(`${base}/nowhere`);
    expect(await logged()).toEqual([expect.objectContaining({ url: '/nowhere', res: 404 })]);
  });
});

describe('QuickExpressAdapter', () => {
  it("gives requests Express's prototype before Express sees them", async () => {
    const answer = await fetch(`${base}/things/7`);
    expect([answer.status, changed]).toEqual([200, false]);
  });
});

describe('A stream', () => {
  it('is timed until it begins, and logged as answered however it ends', async () => {
    const hour = 3_600_000;
    const left = new AbortController();
    await fetch(`${base}/stream`, { signal: left.signal });
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + hour);
    const [stream] = streams;
    const closed = stream && once(stream, 'close');
    left.abort();
    await closed;
    clock.mockRestore();
    expect(log).toMatchObject([{ url: '/stream', res: 200, msg: 'answered' }]);
    expect(log[0]?.['responseTime']).toBeGreaterThan(hour / 2);
    const lines = (await metrics.registry.metrics()).split('\n');
    const sum = lines.find((line) => /^http_request_duration_seconds_sum\{.*route="\/stream"/.test(line));
    expect(Number(sum?.split(' ').at(-1))).toBeLessThan(hour / 2_000);
  });
});
