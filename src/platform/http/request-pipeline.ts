import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { type AddressTrust, trustsProxyOf } from '../net/caller-address.js';
import { Settings } from '../../config/settings.js';
import { AddressLimit } from './address-limit.js';
import { DefaultHeaders } from './default-headers.js';
import { JsonBodies } from './json-body.js';
import { RequestLog } from './request-log.js';
import { resumeTraces } from './traced-requests.js';
import { rememberRequest } from './current-request.js';

/**
 * Installs the steps of every request before its route: the log, default headers, the limit by address, the body parser. It
 * installs them on whichever Express application the modules get, that of `createNestApplication()` in a test included.
 */
@Injectable()
export class RequestPipeline {
  private pages: RequestHandler | undefined;

  constructor(
    host: HttpAdapterHost<ExpressAdapter>,
    private readonly settings: Settings,
    private readonly log: RequestLog,
    private readonly headers: DefaultHeaders,
    private readonly limit: AddressLimit,
    private readonly bodies: JsonBodies,
  ) {
    host.init$.subscribe(() => this.installOn(host.httpAdapter.getInstance<Express>()));
  }

  /** Has a handler see each request before its body is read; it passes on what is not its own. */
  putPages(handler: RequestHandler): void {
    this.pages = handler;
  }

  private installOn(express: Express): void {
    const trusts: AddressTrust = { proxy: trustsProxyOf(this.settings), loopback: !this.settings.production };
    express.set('trust proxy', trusts.proxy);
    express.set('address trust', trusts);
    express.disable('x-powered-by');
    express.disable('etag');
    express.use(this.log.handle);
    express.use(this.headers.handle);
    express.use(this.limit.handle);
    express.use((request, response, next) => (this.pages ? this.pages(request, response, next) : next()));
    express.use(this.bodies.handlers());
    // Last, since a body that arrives late would go on without them.
    resumeTraces(express);
    express.use(rememberRequest);
  }
}
