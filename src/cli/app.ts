import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type AppParts } from '../app.module.js';
import { answerClientErrors } from '../platform/http/client-errors.js';
import { boundConnections } from '../platform/http/connection-bounds.js';
import { DefaultHeaders } from '../platform/http/default-headers.js';
import { QuickExpressAdapter } from '../platform/http/express-adapter.js';
import { makeLogger } from '../platform/http/request-log.js';
import { boundSlowReaders } from '../platform/http/slow-readers.js';
import { RequestPipeline } from '../platform/http/request-pipeline.js';
import { traceRequests } from '../platform/http/traced-requests.js';
import { serveDocs } from '../platform/openapi/serve-docs.js';
import { CacheListener } from '../platform/cache/cache-listener.js';
import { trustsProxyOf } from '../platform/net/caller-address.js';
import { loadSettings, Settings } from '../config/settings.js';
import { serveConsole } from '../platform/console/serve-console.js';
import { serveStorefront } from '../platform/storefront/serve-storefront.js';
import { DemoDirectoryService } from '../demo/demo-directory.service.js';
import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Writes Nest's own messages to the service's log. */
class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  error(message: unknown, stackOrContext?: string, context?: string): void {
    // Nest only logs that it cannot listen, and throws the same error, which the start reports.
    if (context === 'NestApplication') return this.debug(message, context);
    const error = message instanceof Error ? message : undefined;
    this.logger.error({ context, err: error, stack: error ? undefined : stackOrContext }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}

/**
 * Builds the application, ready to listen. Without `parts` it reads the settings from the environment, and opens and
 * closes the database itself.
 */
export async function createApp(parts?: AppParts): Promise<NestExpressApplication> {
  const logger = parts?.logger ?? makeLogger(loadSettings(process.env));
  const app = await NestFactory.create<NestExpressApplication>(
    parts ? AppModule.with(parts) : AppModule,
    new QuickExpressAdapter(),
    {
      bodyParser: false,
      logger: new NestLogger(logger),
      abortOnError: false,
      forceCloseConnections: false,
    },
  );
  const settings = app.get(Settings);
  answerClientErrors(app.getHttpServer(), app.get(DefaultHeaders).of(''));
  boundConnections(app.getHttpServer(), settings, trustsProxyOf(settings));
  serveDocs(app, settings, () => app.get(DemoDirectoryService).find());
  if (settings.storefront) app.get(RequestPipeline).putPages(serveStorefront(app, settings));
  if (settings.console) serveConsole(app);
  app.get(CacheListener).mount(app);
  boundSlowReaders(app.getHttpServer(), settings, trustsProxyOf(settings));
  traceRequests(app.getHttpServer());
  return app;
}
