import { createApp } from '../app.js';
import { Metrics } from '../common/http/metrics.js';
import { makeLogger } from '../common/http/request-log.js';
import { startTracing } from '../common/tracing/start-tracing.js';
import { Channel } from '../common/workers/channel.js';
import { keepCompiledCode } from '../compile-cache.js';
import { loadSecrets } from '../config/secrets.js';
import { loadSettings } from '../config/settings.js';
import { sharesOf } from '../config/worker-share.js';
import { DatabaseAddress } from '../connections/database-address.js';
import { stopOnSignal, unlessStopping } from '../graceful-stop.js';
import { JobRunner } from '../jobs/job-runner.js';
import { listen, prepareData, welcome } from '../serving.js';
import { LinkedWorker } from './linked-worker.js';

/** Serves as one of several workers, until SIGTERM or the end of the primary process. */
export async function startWorker(environment: Record<string, string | undefined>): Promise<void> {
  const channel = new Channel(process);
  // Before anything is cached: this worker hears of each later change.
  const commission = await channel.ask('join', null);
  const { workers, data, isLead, isFirst, port: known } = commission;
  const settings = loadSettings(environment);
  Object.assign(settings, sharesOf(settings, workers));
  await startTracing(settings.traces);
  const logger = makeLogger(settings.logLevel);
  const link = new LinkedWorker(channel, commission);
  const { url, directUrl, preparedStatements } = commission.database;
  const database = new DatabaseAddress(url, directUrl, preparedStatements);
  const app = await createApp({ settings, secrets: loadSecrets(settings), database, logger, link });
  link.share(app.get(Metrics).registry);
  if (isFirst) await prepareData(app, settings);
  stopOnSignal(app, logger, async () => undefined);
  const place = known === undefined ? settings : { host: settings.host, port: known, portGiven: true };
  const { asked, port } = await listen(app, place);
  if (isLead) app.get(JobRunner).start();
  const lines = isFirst ? await unlessStopping(app, () => welcome(app, { settings, logger, port, data })) : '';
  if (lines === undefined) return;
  await channel.ask('serving', { asked, port, lines });
  await keepCompiledCode();
}
