import { request as ask, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { pino } from 'pino';
import { Public } from '../../src/platform/auth/access.js';
import { ChangeBus } from '../../src/platform/changes/change-bus.js';
import { AddressLimit } from '../../src/platform/http/address-limit.js';
import { NodeRates } from '../../src/platform/concurrency/node-rates.js';
import { QuickExpressAdapter } from '../../src/platform/http/express-adapter.js';
import { Metrics } from '../../src/platform/http/metrics.js';
import { RequestLog } from '../../src/platform/http/request-log.js';
import { DefaultHeaders } from '../../src/platform/http/default-headers.js';
import { Cacheable } from '../../src/platform/cache/cacheable.js';
import { CacheListener } from '../../src/platform/cache/cache-listener.js';
import { PageReads } from '../../src/platform/cache/page-reads.js';
import { ResponseCache } from '../../src/platform/cache/response-cache.js';
import { StringField } from '../../src/platform/validation/fields.js';
import type { AddressTrust } from '../../src/platform/net/caller-address.js';
import { loadSettings } from '../../src/config/settings.js';
import { RequestsInFlight } from '../../src/cli/graceful-shutdown.js';
import { Deferred } from './deferred.js';
import { until } from './receiver.js';

export interface CacheableAppResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

type Sent = { answer: Promise<CacheableAppResponse> };

class ThingPath {
  @StringField({ maxLength: 20 })
  id: string;
}

/** The computations so far; the test completes each. */
class Computations {
  readonly begun: Deferred<string>[] = [];
}

@Controller('things')
class Things {
  constructor(private readonly computations: Computations) {}

  @Get(':id')
  @Public()
  @Cacheable((_, { id }) => [`thing:${id}`])
  get(@Param() _path: ThingPath): Promise<{ value: string }> {
    const computation = new Deferred<string>();
    this.computations.begun.push(computation);
    return computation.promise.then((value) => ({ value }));
  }
}

@Module({ imports: [DiscoveryModule], controllers: [Things], providers: [Computations] })
class ThingsModule {}

/** An application with one cacheable route, `/things/:id`, whose computations the test completes. */
export class CacheableApp {
  readonly bus = new ChangeBus();
  readonly limit = new AddressLimit(new NodeRates());
  readonly log: Record<string, unknown>[] = [];
  readonly computations: Deferred<string>[];
  readonly underWay: RequestsInFlight;

  private constructor(private readonly app: NestExpressApplication) {
    this.computations = app.get(Computations).begun;
    const settings = loadSettings({ RESPONSE_CACHE_MB: '1' });
    app.set('address trust', { proxy: () => false, loopback: true } satisfies AddressTrust);
    const write = (line: string) => void this.log.push(JSON.parse(line) as Record<string, unknown>);
    const metrics = new Metrics();
    const log = new RequestLog(pino({}, { write }), metrics);
    const cache = new ResponseCache(settings, metrics, this.bus);
    const reads = new CacheListener(cache, new DefaultHeaders(settings), this.limit, log, new PageReads());
    reads.mount(app);
    this.underWay = new RequestsInFlight(app.getHttpServer());
  }

  static async open(): Promise<CacheableApp> {
    const app = await NestFactory.create<NestExpressApplication>(ThingsModule, new QuickExpressAdapter(), {
      logger: false,
    });
    const things = new CacheableApp(app);
    await app.listen(0, '127.0.0.1');
    return things;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Sends a request; `arrived` resolves once the server has begun to handle it. */
  send(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const server = this.app.getHttpServer();
    const arrived = new Promise<void>((resolve) => server.once('request', () => resolve()));
    const { port } = server.address() as AddressInfo;
    const request = ask({ port, path, headers, method, agent: false });
    const answer = new Promise<CacheableAppResponse>((resolve, reject) => {
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
  async arrive(path: string, headers: Record<string, string> = {}) {
    const sent = this.send(path, headers);
    await sent.arrived;
    return sent;
  }

  /** Waits until this many computations have begun since the application started. */
  async begun(count: number): Promise<void> {
    await until(() => this.computations.length >= count, `${count} computations`);
  }

  /** Gets `/things/1` into the cache with the value. */
  async keep(value: string, headers: Record<string, string> = {}): Promise<CacheableAppResponse> {
    const sent = this.send('/things/1', headers);
    await this.begun(1);
    this.computations[0]?.resolve(value);
    return sent.answer;
  }
}

/** The value in the response. */
export async function valueOf({ answer }: Sent): Promise<string> {
  return (JSON.parse((await answer).body) as { value: string }).value;
}
