import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { demoShopper } from '@store-service/demo';
import { openWrites } from '../platform/auth/route-list.js';
import type { Settings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { KeyCheck } from '../database/key-check.js';
import { DemoDataService } from '../demo/demo-data.service.js';
import { DemoUpkeepService } from '../demo/demo-upkeep.service.js';
import { firstRunLines } from './first-run.js';
import { unlessStopping } from './graceful-shutdown.js';
import { Mailer } from '../platform/mail/mailer.js';
import { FirstAdminService } from '../store/accounts/first-admin.service.js';

const portsToTry = 20;

/** The address that the service listens on. */
interface Listening {
  /** The requested port: 0 stands for any. */
  asked: number;
  port: number;
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/** Listens on PORT; where PORT was not given and its default is taken, on the next free one. */
export async function listen(
  app: NestExpressApplication,
  { host, port, portGiven }: Pick<Settings, 'host' | 'port' | 'portGiven'>,
): Promise<Listening> {
  for (let candidate = port; ; candidate++) {
    try {
      await app.listen(candidate, host);
      return { asked: candidate, port: (app.getHttpServer().address() as AddressInfo).port };
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

/**
 * Checks that the key is that of the data, and loads the demo data if they are wanted; refuses those in production, since
 * README prints their logins.
 */
export async function prepareData(app: NestExpressApplication, settings: Settings): Promise<void> {
  await app.get(KeyCheck).run();
  const data = app.get(DemoDataService);
  if (settings.production && !settings.demoData && (await data.isLoaded())) {
    throw new StartError(
      'The database holds the demo data, whose logins are public: in production, use another database ' +
        '(DATABASE_URL or DATA_DIR), or set DEMO_DATA=true to run it as a demo for everybody',
    );
  }
  if (settings.demoData) await data.loadOnce();
}

/** Makes the first admin if there is none; returns their password if it was generated now. */
export async function makeAdmin(
  app: NestExpressApplication,
  settings: Settings,
  id?: string,
): Promise<string | undefined> {
  const { adminUsername: username, adminEmail: email, adminPassword: password } = settings;
  return (await app.get(FirstAdminService).ensure({ id, username, email, password })).generatedPassword;
}

interface Begun {
  settings: Settings;
  logger: Logger;
  port: number;
  /** Where the data are, in words. */
  data: string;
}

/** Logs the facts that an operator should know, makes the first admin, and returns the text for the terminal. */
export async function welcome(app: NestExpressApplication, { settings, logger, port, data }: Begun): Promise<string> {
  if (!app.get(Mailer).isOn) {
    logger.warn('SMTP_URL is not set: no mail will be sent, so nobody can reset a forgotten password');
  }
  const demo = (await app.get(DemoDataService).isLoaded()) ? demoShopper : undefined;
  if (settings.accessPolicy === 'contract') {
    const routes = openWrites(app).map(({ method, path }) => `${method} ${path}`);
    logger.warn(
      { routes },
      'ACCESS_POLICY=contract leaves these operations open to everyone; "hardened" requires a login',
    );
  }
  // Comes last: a generated password is shown only once, so it must be shown even if a stop prevents the rest.
  const generatedPassword = await makeAdmin(app, settings);
  const apiKey = await unlessStopping(app, () => app.get(DemoUpkeepService).openOrganization());
  return firstRunLines({ settings, port, data, generatedPassword, apiKey, demo });
}
