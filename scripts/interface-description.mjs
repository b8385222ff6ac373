// The interface description as the service publishes it, made without a database.
import { NestFactory } from '@nestjs/core';
import 'reflect-metadata';
import './ts-loader.mjs';

const { AppModule } = await import('../src/app.module.ts');
const { withDemoValues } = await import('../src/platform/openapi/demo-values.ts');
const { describeApi } = await import('../src/platform/openapi/describe-api.ts');
const { makeLogger } = await import('../src/platform/http/request-log.ts');
const { loadSettings } = await import('../src/config/settings.ts');
const { Secrets } = await import('../src/config/secrets.ts');
const { DatabaseAddress } = await import('../src/database/connections/database-address.ts');

/** Returns the description as JSON, and the fields that lack an example. */
export async function interfaceDescription() {
  // A preview has the modules and routes of the application but instantiates nothing, so it needs no database.
  const nowhere = AppModule.with({
    settings: loadSettings({}),
    secrets: new Secrets('', Buffer.alloc(32)),
    database: new DatabaseAddress('postgres://nowhere', 'postgres://nowhere', true),
    logger: makeLogger({ logLevel: 'error', logFormat: 'json' }),
  });
  const app = await NestFactory.create(nowhere, { preview: true, logger: ['error'] });
  const { json, lacking } = describeApi(app, undefined);
  return { document: JSON.stringify(JSON.parse(withDemoValues(json, {})), null, 2), lacking };
}
