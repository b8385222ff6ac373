import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { createApp } from './app.js';
import { openWrites } from './common/auth/route-list.js';
import { makeLogger } from './common/http/request-log.js';
import { closeDataFolder } from './config/data-folder.js';
import { loadSecrets } from './config/secrets.js';
import { loadSettings, type Settings } from './config/settings.js';
import { StartError } from './config/start-error.js';
import { openServiceDatabase, type ServiceDatabase } from './database/service-database.js';
import { demoShopper } from './demo/data/shop/people.js';
import { DemoDataService } from './demo/demo-data.service.js';
import { clientCall, firstRunLines } from './first-run.js';
import { stopOnSignal } from './graceful-stop.js';
import { JobRunner } from './jobs/job-runner.js';
import { Mailer } from './mail/mailer.js';
import { FirstAdminService } from './store/accounts/first-admin.service.js';

type Environment = Record<string, string | undefined>;

const portsToTry = 20;

interface Opened {
  settings: Settings;
  logger: Logger;
  database: ServiceDatabase;
  app: NestExpressApplication;
}

async function open(environment: Environment): Promise<Opened> {
  const settings = loadSettings(environment);
  const logger = makeLogger(settings.logLevel);
  closeDataFolder(settings.dataDir);
  const secrets = loadSecrets(settings);
  const database = await openServiceDatabase(settings, logger);
  try {
    const app = await createApp({ settings, secrets, database: database.address, logger });
    return { settings, logger, database, app };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Makes the first admin where there is none; returns their password where it was generated now. */
async function makeAdmin(app: NestExpressApplication, settings: Settings): Promise<string | undefined> {
  const { adminUsername: username, adminEmail: email, adminPassword: password } = settings;
  return (await app.get(FirstAdminService).ensure({ username, email, password })).generatedPassword;
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/** Listens on PORT; where PORT was not given and its default is taken, on the next free one. */
async function listen(app: NestExpressApplication, { host, port, portGiven }: Settings): Promise<number> {
  for (let candidate = port; ; candidate++) {
    try {
      await app.listen(candidate, host);
      return (app.getHttpServer().address() as AddressInfo).port;
    } catch (error) {
      const next = !portGiven && candidate < port + portsToTry;
      if (isPortTaken(error) && next) continue;
      if (isPortTaken(error)) throw new StartError(`Port ${candidate} of ${host} is taken: set PORT to a free one`);
      throw new StartError(
        `Cannot listen on ${host}:${candidate} (${(error as Error).message}): correct HOST and PORT`,
      );
    }
  }
}

/** The demo's logins are public: README prints them. */
async function refuseDemoInProduction(app: NestExpressApplication, settings: Settings): Promise<void> {
  if (!settings.production || settings.demoData || !(await app.get(DemoDataService).isLoaded())) return;
  throw new StartError(
    'The database holds the demo data, whose logins are public: in production, take another database ' +
      '(DATABASE_URL or DATA_DIR), or set DEMO_DATA=true to run it as a demo for everybody',
  );
}

/** Starts the whole service; it runs until SIGTERM or SIGINT. Throws `StartError` where it cannot. */
export async function startService(environment: Environment): Promise<void> {
  const { settings, logger, database, app } = await open(environment);
  try {
    await refuseDemoInProduction(app, settings);
    await app.get(DemoDataService).loadOnce();
    stopOnSignal(app, logger, () => database.stop());
    const port = await listen(app, settings);
    app.get(JobRunner).start();
    if (!app.get(Mailer).isOn) {
      logger.warn('SMTP_URL is not set: no mails will go out, so nobody can reset a forgotten password by themselves');
    }
    // Last, so that a password and a key that are generated are also shown.
    const generatedPassword = await makeAdmin(app, settings);
    const apiKey = await app.get(DemoDataService).openOrganization();
    if (settings.accessPolicy === 'contract') {
      const routes = openWrites(app).map(({ method, path }) => `${method} ${path}`);
      logger.warn(
        { routes },
        'ACCESS_POLICY=contract leaves these operations open to all; "hardened" asks for a login',
      );
    }
    const demo = (await app.get(DemoDataService).isLoaded()) ? demoShopper : undefined;
    console.log(firstRunLines({ settings, port, data: database.description, generatedPassword, apiKey, demo }));
  } catch (error) {
    await app.close();
    await database.stop();
    throw error;
  }
}

/** Empties the database and the uploads and loads the demo data again. Refused where the data are no demo. */
export async function resetDemo(environment: Environment): Promise<void> {
  const { settings, database, app } = await open({ LOG_LEVEL: 'warn', ...environment });
  try {
    if (settings.production || !settings.demoData) {
      throw new StartError('demo:reset empties the database: it is refused in production and with DEMO_DATA=false');
    }
    const data = app.get(DemoDataService);
    if (settings.databaseUrl !== undefined && !(await data.isLoaded())) {
      throw new StartError('demo:reset empties the database: it is refused on one that does not hold the demo data');
    }
    await data.empty();
    await data.loadOnce();
    const generatedPassword = await makeAdmin(app, settings);
    const apiKey = await data.openOrganization();
    console.log('The demo data are as on the first day.');
    if (generatedPassword !== undefined) console.log(`Admin: ${settings.adminUsername} / ${generatedPassword}`);
    if (apiKey !== undefined) console.log(`Client: ${clientCall(apiKey)}`);
  } finally {
    await app.close();
    await database.stop();
  }
}
