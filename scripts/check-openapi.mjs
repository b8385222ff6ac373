// Holds the interface description to Redocly's recommended rules and to examples that are whole, without a database:
// `npm run openapi`. With a file name it writes the description there as well: `npm run openapi -- openapi.json`.
import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import 'reflect-metadata';
import '../test/support/ts-loader.mjs';

const { AppModule } = await import('../src/app.module.ts');
const { withDemoValues } = await import('../src/common/openapi/demo-values.ts');
const { describeApi } = await import('../src/common/openapi/describe-api.ts');
const { makeLogger } = await import('../src/common/http/request-log.ts');
const { loadSettings } = await import('../src/config/settings.ts');
const { Secrets } = await import('../src/config/secrets.ts');

/** The interface description gives some paths a slash at their end, and clients are built on them. */
const ours = new Set(['no-path-trailing-slash']);

// A preview has the modules and routes of the application, and no instance of anything: it reaches for no database.
const nowhere = AppModule.with({
  settings: loadSettings({}),
  secrets: new Secrets('', Buffer.alloc(32)),
  databaseUrl: 'postgres://nowhere',
  logger: makeLogger('error'),
});
const app = await NestFactory.create(nowhere, { preview: true, logger: ['error'] });
const { json, lacking } = describeApi(app, undefined);
const document = JSON.stringify(JSON.parse(withDemoValues(json, {})), null, 2);
const [, , file] = process.argv;
if (file !== undefined) await writeFile(file, `${document}\n`);

const rules = { 'operation-description': 'error', 'tag-description': 'error', 'tags-alphabetical': 'off' };
const config = await createConfig({ extends: ['recommended'], rules });
const findings = (await lintFromString({ source: document, config })).filter(({ ruleId }) => !ours.has(ruleId));
for (const { ruleId, message, location } of findings) console.error(`${ruleId} at ${location[0]?.pointer}: ${message}`);
for (const place of lacking) console.error(`${place} has no example`);
if (findings.length + lacking.length > 0) process.exitCode = 1;
else console.log('The interface description is sound');
