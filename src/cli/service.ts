import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { AppParts } from '../app.module.js';
import { createApp } from './app.js';
import type { DatabaseAddress } from '../database/connections/database-address.js';
import { makeLogger } from '../platform/http/request-log.js';
import { startTracing } from '../platform/tracing/start-tracing.js';
import { prepareDataFolder } from '../config/data-folder.js';
import { loadSecrets, Secrets } from '../config/secrets.js';
import { loadSettings, type Settings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { KeyRotation } from '../platform/key-rotation/key-rotation.js';
import { KeyCheck } from '../database/key-check.js';
import { openServiceDatabase, type ServiceDatabase, type StartServer } from '../database/service-database.js';
import { DemoDataService } from '../demo/demo-data.service.js';
import { DemoUpkeepService } from '../demo/demo-upkeep.service.js';
import { clientCall } from './first-run.js';
import { stopOnSignal, unlessStopping } from './graceful-shutdown.js';
import { NodesService } from '../store/nodes/nodes.service.js';
import { JobRunner } from '../platform/jobs/job-runner.js';
import { encryptionLines, signingLine } from './rotate-keys.js';
import { listen, makeAdmin, prepareData, welcome } from './serving.js';

type Environment = Record<string, string | undefined>;

interface Opened {
  settings: Settings;
  logger: Logger;
  database: ServiceDatabase;
  app: NestExpressApplication;
}

/** What an ephemeral service has that others have not. */
interface TestingParts {
  startServer?: StartServer;
  /** Prepares the migrated database, and returns the module of test mode. */
  prepare?: (database: DatabaseAddress) => Promise<Pick<AppParts, 'testMode'>>;
}

/** Opens the database and makes the service, which does not listen yet; for tests, with the parts of `testing`. */
export async function openService(settings: Settings, testing: TestingParts = {}): Promise<Opened> {
  const logger = makeLogger(settings);
  prepareDataFolder(settings.dataDir);
  const secrets = loadSecrets(settings);
  const database = await openServiceDatabase(settings, logger, testing.startServer);
  try {
    const app = await createApp({
      settings,
      secrets,
      database: database.address,
      logger,
      ...(await testing.prepare?.(database.address)),
    });
    return { settings, logger, database, app };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Starts the whole service; it runs until SIGTERM or SIGINT. Throws `StartError` if it cannot. */
export async function startService(environment: Environment): Promise<void> {
  const settings = loadSettings(environment);
  await startTracing(settings.traces);
  const { logger, database, app } = await openService(settings);
  try {
    await prepareData(app, settings);
    stopOnSignal(app, logger, () => database.stop());
    const { port } = await listen(app, settings);
    app.get(JobRunner).start();
    app.get(NodesService, { strict: false }).start();
    const begun = { settings, logger, port, data: database.description };
    const lines = await unlessStopping(app, () => welcome(app, begun));
    if (lines !== undefined) console.log(lines);
  } catch (error) {
    await app.close();
    await database.stop();
    throw error;
  }
}

/** Empties the database and the uploads and loads the demo data again. Refuses where the data are not a demo. */
export async function resetDemo(environment: Environment): Promise<void> {
  const { settings, database, app } = await openService(loadSettings({ LOG_LEVEL: 'warn', ...environment }));
  try {
    if (settings.production || !settings.demoData) {
      throw new StartError('demo:reset empties the database, so it is refused in production and with DEMO_DATA=false');
    }
    await app.get(KeyCheck).run();
    const data = app.get(DemoDataService);
    if (settings.databaseUrl !== undefined && !(await data.isLoaded())) {
      throw new StartError(
        'demo:reset empties the database, so it is refused where the database does not hold the demo data',
      );
    }
    const upkeep = app.get(DemoUpkeepService);
    await upkeep.empty();
    await app.get(KeyCheck).run();
    await data.loadOnce();
    const generatedPassword = await makeAdmin(app, settings);
    const apiKey = await upkeep.openOrganization();
    console.log('The demo data are those of the first day again.');
    if (generatedPassword !== undefined) console.log(`Admin: ${settings.adminUsername} / ${generatedPassword}`);
    if (apiKey !== undefined) console.log(`Client: ${clientCall(apiKey)}`);
  } finally {
    await app.close();
    await database.stop();
  }
}

/**
 * Encrypts with the first ENCRYPTION_KEY what older ones encrypted, also while nodes run, and says which keys can be
 * removed. Run again, it goes on where it was ended. Throws `StartError` if an older key is still needed.
 */
export async function rotateKeys(environment: Environment): Promise<void> {
  const { settings, database, app } = await openService(loadSettings({ LOG_LEVEL: 'warn', ...environment }));
  try {
    const [check, secrets] = [app.get(KeyCheck), app.get(Secrets)];
    await check.run();
    const rotation = await app.get(KeyRotation).run();
    const lines = encryptionLines(rotation, secrets);
    const verdict = rotation.isComplete ? undefined : lines.pop();
    for (const line of lines) console.log(line);
    console.log(signingLine(secrets, settings, await check.signsSince()));
    if (verdict !== undefined) throw new StartError(verdict);
  } finally {
    await app.close();
    await database.stop();
  }
}
