import type { Logger } from 'pino';
import { makeLogger } from '../common/http/request-log.js';
import { prepareDataFolder } from '../config/data-folder.js';
import { loadSecrets } from '../config/secrets.js';
import type { Settings } from '../config/settings.js';
import { openServiceDatabase } from '../database/service-database.js';
import { onStopSignal } from '../graceful-stop.js';
import { WorkerProcesses } from './worker-processes.js';

/** Starts the database and the workers, and keeps them until SIGTERM or SIGINT. Throws `StartError` where it cannot. */
export async function startWorkers(settings: Settings): Promise<void> {
  const logger: Logger = makeLogger(settings.logLevel);
  prepareDataFolder(settings.dataDir);
  loadSecrets(settings); // makes those that are missing, so that all workers find the same
  const database = await openServiceDatabase(settings, logger);
  const { workers } = settings;
  const { url, directUrl, preparedStatements } = database.address;
  const processes = new WorkerProcesses({
    workers,
    database: { url, directUrl, preparedStatements },
    data: database.description,
    drainSeconds: settings.drainSeconds,
    logger,
  });
  let isStopping = false;
  onStopSignal(logger, async (signal) => {
    isStopping = true;
    await processes.stop(signal);
    await database.stop();
  });
  const serving = await processes.start();
  if (serving) return console.log(serving.lines);
  // The worker has given the reason.
  if (isStopping) return;
  await database.stop();
  process.exit(1);
}
