import { setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../config/start-error.js';
import {
  type Cluster,
  type DistributionRepository,
  type SpreadTable,
  spreadTables,
} from './distribution.repository.js';

const leastVersion = 12;
const progressMs = 2_000;
const mebibyte = 2 ** 20;

export interface Spreading {
  /** Works on one connection, and watches it on another one. */
  repository: DistributionRepository;
  watch: DistributionRepository;
  shards: number;
  /** Reports the plan without doing anything. */
  isDry: boolean;
  log: (line: string) => void;
}

/** Why the tables of this database cannot be distributed, as a sentence; undefined if they can. */
function obstacleIn(cluster: Cluster): string | undefined {
  const { version, isCoordinator, knowsCoordinator, shardServers, prepared, isMigrated } = cluster;
  if (version === null) {
    return 'The database has no Citus: run CREATE EXTENSION citus in it, on the coordinator and on each worker';
  }
  if (version < leastVersion) return `The database has Citus ${version}: upgrade it to ${leastVersion} or later`;
  if (!isCoordinator) return 'DATABASE_URL leads to a worker of Citus: set it to the coordinator';
  if (!knowsCoordinator) {
    return (
      "Citus does not know its coordinator: run SELECT citus_set_coordinator_host('10.0.0.5') there, with " +
      'its address'
    );
  }
  if (shardServers === 0) return "No server takes shards: run SELECT citus_add_node('10.0.0.6', 5432) for each worker";
  if (prepared === 0) {
    return (
      'A server of the cluster does not allow prepared transactions: set max_prepared_transactions = 200 on ' +
      'all servers and restart them'
    );
  }
  if (!isMigrated) return 'The database is empty: start the service once, which creates the schema, and try again';
  return undefined;
}

/** Waits until all transactions that may still append through the triggers have ended. */
async function untilOver(begun: Date, { repository, log }: Spreading): Promise<void> {
  for (let waits = 0; (await repository.transactionsBefore(begun)) > 0; waits++) {
    if (waits === 10) log('Waiting for earlier transactions to end ...');
    await sleep(100);
  }
}

async function prepareEvents(spreading: Spreading): Promise<void> {
  const { repository } = spreading;
  await untilOver(await repository.replaceAppendFunctions(), spreading);
  await repository.dropTrigger();
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / mebibyte)} MB`;

async function spread(table: SpreadTable, spreading: Spreading): Promise<void> {
  const { repository, watch, shards, log } = spreading;
  const size = await repository.bytesOf(table);
  log(`${table}: ${inMegabytes(size)} into ${shards} shards ...`);
  const progress = setInterval(() => {
    const say = (bytes: number): void => log(`${table}: ${inMegabytes(bytes)} of about ${inMegabytes(size)}`);
    watch.bytesCopied(table).then(say, () => undefined);
  }, progressMs);
  try {
    await repository.spread(table, shards, await repository.hasRows(table));
  } finally {
    clearInterval(progress);
  }
  log(`${table}: done`);
}

/**
 * Spreads events and frozen payloads over the servers of a Citus cluster, by organization, while nodes of this release
 * run. It skips finished parts, so that it can continue after an interruption. Throws `StartError` for an unsuitable
 * database.
 */
export async function spreadScans(spreading: Spreading): Promise<void> {
  const { repository, shards, isDry, log } = spreading;
  const cluster = await repository.cluster();
  const obstacle = obstacleIn(cluster);
  if (obstacle !== undefined) throw new StartError(obstacle);
  const known = await repository.knownToCitus(spreadTables);
  const left = spreadTables.filter((table) => !known.includes(table));
  if (left.length === 0) return log('All tables are distributed already: nothing to do');
  for (const table of left) {
    if ((await repository.hasRows(table)) && cluster.walLevel !== 'logical') {
      throw new StartError(
        `To distribute ${table} while nodes run, set wal_level = logical on all servers and restart them`,
      );
    }
    if (isDry) {
      log(
        `${table}: ${inMegabytes(await repository.bytesOf(table))} would be distributed over ` +
          `${cluster.shardServers} servers, in ${shards} shards`,
      );
    }
  }
  if (isDry) return;
  if (left.includes('scan_events')) await prepareEvents(spreading);
  if (left.includes('workflow_run_payloads')) await repository.keyPayloadsByOrganization();
  for (const table of left) await spread(table, spreading);
  log(`All tables are distributed over ${cluster.shardServers} servers`);
}
