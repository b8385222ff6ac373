import 'reflect-metadata';
import { createApp } from '../../src/app.js';
import { makeLogger } from '../../src/common/http/request-log.js';
import { loadSecrets } from '../../src/config/secrets.js';
import { loadSettings } from '../../src/config/settings.js';
import { addressOf } from '../../src/database/pooler.repository.js';
import { JobRunner } from '../../src/jobs/job-runner.js';

/** A node that runs jobs and serves no requests, in a process of its own. */
const settings = loadSettings(process.env);
const app = await createApp({
  settings,
  secrets: loadSecrets(settings),
  database: await addressOf(settings.databaseUrl ?? '', settings),
  logger: makeLogger(settings.logLevel),
});
await app.init();
app.get(JobRunner).start();
process.on('message', () => {
  void app.close().then(() => process.exit(0));
});
// The parent process has ended.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
