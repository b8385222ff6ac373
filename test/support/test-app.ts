import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/cli/app.js';
import { makeLogger } from '../../src/platform/http/request-log.js';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { Secrets } from '../../src/config/secrets.js';
import { loadSettings } from '../../src/config/settings.js';
import { DatabaseAddress } from '../../src/database/connections/database-address.js';
import { ApiClient } from './api-client.js';
import { holdToContract } from './contract.js';
import { expectOrganizations } from './named-organizations.js';
import { printStatements } from './printed-statements.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export interface TestApp {
  api: ApiClient;
  nest: NestExpressApplication;
  baseUrl: string;
  database: TestDatabase;
  /** A second node of the same service, with the same database, pictures and, unless told otherwise, secrets. */
  anotherNode(secrets?: Secrets): Promise<{ api: ApiClient; nest: NestExpressApplication }>;
  close(): Promise<void>;
}

export interface TestAppChoices {
  /** Settings as environment variables, on top of the tests' own. */
  env?: Record<string, string>;
  /** Returns the URL by which the service reaches the database if it is not the database's own, and one past a pooler. */
  reachDatabase?: (url: string) => Promise<string | [url: string, directUrl: string]>;
  /** The name of the database that is cloned, if it is not the tests' own. */
  template?: string | undefined;
  /** The keys that sealed what the template holds, if it holds sealed values. */
  secrets?: Secrets | undefined;
  /** Fills the data folder before the service starts. */
  prepare?: ((dataDir: string) => Promise<void>) | undefined;
  /** Takes the lines of the log; LOG_LEVEL says which. */
  log?: (line: string) => void;
  /** Whether the nodes run the jobs of the queue. */
  jobs?: boolean;
}

function databaseEnv(url = '', directUrl?: string): Record<string, string> {
  return { DATABASE_URL: url, ...(directUrl === undefined ? {} : { DATABASE_URL_DIRECT: directUrl }) };
}

/** `TEST_RESPONSE_CACHE_MB=0 npm test` runs the tests without the response cache, except those about it. */
function settingsOfTheRun(): Record<string, string> {
  const megabytes = process.env['TEST_RESPONSE_CACHE_MB'];
  return megabytes === undefined ? {} : { RESPONSE_CACHE_MB: megabytes };
}

/** The whole service, listening on a free port of loopback, on a database of its own. */
export async function startTestApp({
  env = {},
  jobs = false,
  log,
  template,
  secrets = new Secrets(randomBytes(32).toString('hex'), randomBytes(32)),
  prepare,
  reachDatabase,
}: TestAppChoices = {}): Promise<TestApp> {
  expectOrganizations();
  if (process.env['TEST_LOG_SQL'] === '1') printStatements();
  const database = await createTestDatabase(template);
  const dataDir = await mkdtemp(join(tmpdir(), 'store-app-'));
  await prepare?.(dataDir);
  // Machines of tests are busy: a connection may take long to come about.
  const busy = { DATABASE_PATIENCE_SECONDS: '20' };
  const own = { DATA_DIR: dataDir, DEMO_DATA: 'false', STOREFRONT: 'false', LOG_LEVEL: 'silent', ...busy };
  const nodes: NestExpressApplication[] = [];
  const reached = reachDatabase ? databaseEnv(...[await reachDatabase(database.url)].flat()) : database.env;
  const settings = loadSettings({ ...own, ...reached, ...settingsOfTheRun(), ...env });
  const address = DatabaseAddress.of(settings.databaseUrl ?? '', settings);

  const startNode = async (keys = secrets) => {
    const logger = makeLogger(settings, log && { write: log });
    const parts = { settings, secrets: keys, database: address, logger };
    const nest = await createApp(parts);
    await nest.listen(0, '127.0.0.1');
    nodes.push(nest);
    if (jobs) nest.get(JobRunner).start();
    const { port } = nest.getHttpServer().address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}`;
    return { nest, baseUrl, api: new ApiClient(baseUrl, await holdToContract(baseUrl, settings.accessPolicy)) };
  };

  const service: TestApp = {
    ...(await startNode()),
    database,
    anotherNode: startNode,
    close: async () => {
      for (const node of nodes.splice(0)) await node.close();
      Reflect.deleteProperty(service, 'nest'); // a test file's variables stay in memory, and would keep the app there
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return service;
}
