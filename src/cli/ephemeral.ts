import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeEphemeralFolder, startEphemeralServer } from '@store-service/embedded-postgres';
import { localUrl } from '../platform/http/local-url.js';
import { JobRunner } from '../platform/jobs/job-runner.js';
import { loadSettings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { KeyCheck } from '../database/key-check.js';
import { demoId } from '../demo/demo-ids.js';
import { DemoUpkeepService } from '../demo/demo-upkeep.service.js';
import { firstRunLines } from './first-run.js';
import { stopOnSignal } from './graceful-shutdown.js';
import { openService } from './service.js';
import { listen, makeAdmin, prepareData } from './serving.js';
import { demoShopper } from '@store-service/demo';

type Environment = Record<string, string | undefined>;

/** What a suite needs to know, as the ready file says it. */
interface Ready {
  url: string;
  adminPassword: string;
  apiKey: string;
  pid: number;
}

/** The settings of an ephemeral service: its own data, the demo's, no backups, and any free port unless PORT is set. */
function settingsOf(environment: Environment, dataDir: string): Environment {
  return {
    LOG_LEVEL: 'warn',
    EGRESS_ALLOW: '127.0.0.1/32 ::1/128 localhost',
    PORT: '0',
    ...environment,
    DATA_DIR: dataDir,
    DEMO_DATA: 'true',
    BACKUP_SCHEDULE: 'off',
    BACKUP_TO: undefined,
    STORAGE_URL: undefined,
  };
}

function assertPossible({ NODE_ENV }: Environment): void {
  if (NODE_ENV?.trim() !== 'production') return;
  throw new StartError(
    '--ephemeral is for tests: it opens the service to everybody who reaches it. Set NODE_ENV to something else than ' +
      'production, or start without --ephemeral',
  );
}

function readyFileOf(args: readonly string[]): string | undefined {
  const at = args.indexOf('--ready-file');
  if (at < 0) return undefined;
  const file = args[at + 1];
  if (file === undefined || file.startsWith('--')) throw new StartError('--ready-file takes the name of a file');
  return resolve(file);
}

/** Writes the file at one stroke: whoever waits for it never reads half of it. */
function tell(file: string, ready: Ready): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(ready)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/**
 * Starts the service for tests, on data of its own that go with it; it runs until SIGTERM or SIGINT. Throws `StartError` in
 * production and where DATABASE_URL names a database that is not empty.
 */
export async function startEphemeral(environment: Environment, args: readonly string[]): Promise<void> {
  assertPossible(environment);
  const readyFile = readyFileOf(args);
  // Whoever started it with a channel takes it along, even by kill -9.
  if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  const folder = await makeEphemeralFolder();
  process.once('exit', () => {
    folder.drop();
    if (readyFile !== undefined) rmSync(readyFile, { force: true });
  });
  const settings = loadSettings(settingsOf(environment, folder.path));
  const { TestModeModule, TestDataService, TestSchemaRepository, GivenDatabaseRepository, serviceClock } =
    await import('../test-mode/index.js');
  serviceClock.install();
  const url = settings.databaseUrlDirect ?? settings.databaseUrl;
  const given = url === undefined ? null : await GivenDatabaseRepository.claim(url);
  const { logger, database, app } = await openService(settings, {
    startServer: startEphemeralServer,
    prepare: async (address) => {
      await new TestSchemaRepository(address).make();
      return { testMode: TestModeModule };
    },
  }).catch(async (error: unknown) => {
    await given?.release();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await database.stop();
    await given?.release();
    await folder.remove();
  };
  try {
    const generatedPassword = await makeAdmin(app, settings, demoId('admin'));
    await app.get(KeyCheck).run();
    const seeds = app.get(TestDataService);
    await seeds.keep('empty');
    await prepareData(app, settings);
    const apiKey = await app.get(DemoUpkeepService).openOrganization();
    await seeds.keep('demo');
    stopOnSignal(app, logger, stop);
    const { port } = await listen(app, settings);
    app.get(JobRunner).start();
    const adminPassword = generatedPassword ?? settings.adminPassword ?? '';
    const ready = { url: localUrl(settings.host, port), adminPassword, apiKey: apiKey ?? '', pid: process.pid };
    if (readyFile !== undefined) tell(readyFile, ready);
    const data = `${given ? `${given.place} and ` : ''}${folder.path} (gone when it ends)`;
    console.log(firstRunLines({ settings, port, data, generatedPassword, apiKey, demo: demoShopper }));
  } catch (error) {
    await app.close();
    await stop();
    throw error;
  }
}
