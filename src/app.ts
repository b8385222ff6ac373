import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { answerClientErrors } from './common/http/client-errors.js';
import { boundConnections } from './common/http/connection-bounds.js';
import { AddressLimit } from './common/http/address-limit.js';
import { QuickExpressAdapter, trustsProxyOf } from './common/http/express-adapter.js';
import { jsonBody } from './common/http/json-body.js';
import { Metrics } from './common/http/metrics.js';
import { NestLogger } from './common/http/nest-logger.js';
import { serveDocs } from './common/openapi/serve-docs.js';
import { recordRequests } from './common/http/request-log.js';
import { DefaultHeaders } from './common/http/default-headers.js';
import { PublicReads } from './common/public-reads/public-reads.js';
import type { Secrets } from './config/secrets.js';
import type { Settings } from './config/settings.js';
import { DemoDirectoryRepository } from './demo/demo-directory.repository.js';

export interface AppParts {
  settings: Settings;
  secrets: Secrets;
  databaseUrl: string;
  logger: Logger;
}

/** Builds the application on a migrated database, ready to listen. */
export async function createApp({ settings, secrets, databaseUrl, logger }: AppParts): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings, secrets, databaseUrl),
    new QuickExpressAdapter(),
    {
      bodyParser: false,
      logger: new NestLogger(logger),
      abortOnError: false,
      forceCloseConnections: false,
    },
  );
  app.set('trust proxy', settings.trustProxy);
  answerClientErrors(app.getHttpServer());
  boundConnections(app.getHttpServer(), settings, trustsProxyOf(app));
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(recordRequests(logger, app.get(Metrics)));
  app.use(app.get(DefaultHeaders).handle);
  app.use(app.get(AddressLimit).handle);
  app.use(jsonBody(settings.bodyMemoryMegabytes * 2 ** 20));
  serveDocs(app, settings.publicUrl, () => app.get(DemoDirectoryRepository).find());
  app.get(PublicReads).standBefore(app, logger);
  return app;
}
