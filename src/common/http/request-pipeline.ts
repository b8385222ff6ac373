import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { routesOf } from '../auth/route-list.js';
import { AddressLimit } from './address-limit.js';
import { DefaultHeaders } from './default-headers.js';
import { JsonBodies } from './json-body.js';
import { Metrics } from './metrics.js';
import { recordRequests, serviceLogger } from './request-log.js';
import { resumeTraces } from './traced-requests.js';
import { rememberRequest } from './request-under-way.js';
import { type ReadsItsBody, readersOfBodies } from './streamed-body.js';

/**
 * Installs what every request passes before its route: the log, default headers, the limit by address, the body parser.
 * It does so on whichever Express application the modules get, that of `createNestApplication()` in a test included.
 */
@Injectable()
export class RequestPipeline {
  constructor(
    host: HttpAdapterHost<ExpressAdapter>,
    private readonly modules: ModulesContainer,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly headers: DefaultHeaders,
    private readonly limit: AddressLimit,
    private readonly bodies: JsonBodies,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {
    host.init$.subscribe(() => this.installOn(host.httpAdapter.getInstance<Express>()));
  }

  private installOn(express: Express): void {
    express.set('trust proxy', this.settings.trustProxy);
    express.disable('x-powered-by');
    express.disable('etag');
    express.use(recordRequests(this.logger, this.metrics));
    express.use(this.headers.handle);
    express.use(this.limit.handle);
    express.use(this.bodies.handlers(this.readsItself()));
    // Last, since a body that arrives late would go on without them.
    resumeTraces(express);
    express.use(rememberRequest);
  }

  /** The controllers, and so the routes, exist later than the HTTP application. */
  private readsItself(): ReadsItsBody {
    let known: ReadsItsBody | undefined;
    return (request) => {
      known ??= readersOfBodies(routesOf(this.modules));
      return known(request);
    };
  }
}
