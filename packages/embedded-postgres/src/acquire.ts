import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { checkCluster } from './cluster.js';
import { findCluster } from './cluster-place.js';
import { EmbeddedServerError, refusal } from './embedded-server-error.js';
import { freePort } from './free-port.js';
import { Holder } from './holder.js';
import { LaunchFailure, endPostmaster, launchPostmaster } from './postmaster.js';
import { lastPort, livingPostmaster, removeMisleadingFile } from './postmaster-file.js';
import type { ServerUser } from './server-user.js';
import { withStartLock } from './start-lock.js';

/** Everything that it takes to find or start the server of one data folder. */
export interface Site {
  dataDir: string;
  cluster: string;
  password: string;
  user: ServerUser;
  settings: Record<string, string>;
  log: (line: string) => void;
}

/** A server that we use. */
export interface Acquired {
  holder: Holder;
  pid: number;
  port: number;
  adopted: boolean;
}

const PAUSE_MS = 50;
const PATIENCE_MS = 30_000;
// Recovery after a crash replays at most max_wal_size of log, which a slow disk takes minutes for.
const RECOVERY_PATIENCE_MS = 600_000;

/** Whether a server of `dataDir` is running now. */
export async function isServed(dataDir: string): Promise<boolean> {
  const cluster = await findCluster(dataDir).catch(() => null);
  return cluster !== null && (await livingPostmaster(cluster)) !== null;
}

/** The log of the server of `dataDir`. */
export function serverLogFile(dataDir: string): string {
  return `${dataDir}/postgres.log`;
}

/** The lock that copies of the service take while they make or start the server of `dataDir`. */
export function startLockFile(dataDir: string): string {
  return `${dataDir}/postgres.lock`;
}

/**
 * Returns the server of `site` with our hold on it: adopts the running one, else starts one, only on `port` if that is given.
 * Waits for one that is starting or stopping; throws an `EmbeddedServerError` after 30 s without a result.
 */
export async function acquireServer(site: Site, port: number | null, signal: AbortSignal): Promise<Acquired> {
  const begun = Date.now();
  let started: number | null = null;
  let patience = PATIENCE_MS;
  while (Date.now() - begun < patience) {
    // A server that we started is held first: who holds it can end it, if nobody else has come to use it meanwhile.
    if (started === null) signal.throwIfAborted();
    const running = await livingPostmaster(site.cluster);
    if (running === null) {
      started = await startUnlessRunning(site, port, signal);
      if (started !== null) continue;
    } else if (running.status === 'starting') {
      patience = RECOVERY_PATIENCE_MS;
    } else if (running.status === 'ready') {
      const holder = await holdOrEnd(site, running, started);
      // Read again: another server may have taken the place of the running one on the same port.
      const held = holder === null ? null : await livingPostmaster(site.cluster);
      if (holder !== null && held !== null) return { ...held, holder, adopted: held.pid !== started };
      await holder?.close();
    }
    await sleep(PAUSE_MS, undefined, started === null ? { signal } : {});
  }
  throw refusal(
    `The PostgreSQL server of ${site.dataDir} neither serves nor ends`,
    `Look into ${serverLogFile(site.dataDir)} and try again`,
  );
}

/** Leaves no server behind that we started and cannot use. */
async function holdOrEnd(
  site: Site,
  running: { pid: number; port: number },
  started: number | null,
): Promise<Holder | null> {
  try {
    return await Holder.open({ ...site, port: running.port });
  } catch (error) {
    if (running.pid === started) await endPostmaster(site.cluster, started);
    throw error;
  }
}

function startUnlessRunning(site: Site, port: number | null, signal: AbortSignal): Promise<number | null> {
  return withStartLock(startLockFile(site.dataDir), async () => {
    if ((await livingPostmaster(site.cluster)) !== null) return null;
    const binaries = await findBinaries(site.user, site.dataDir);
    await checkCluster(site.cluster, site.user, binaries);
    await removeMisleadingFile(site.cluster);
    const chosen = port ?? (await freePort(await lastPort(site.cluster)));
    const logFile = serverLogFile(site.dataDir);
    try {
      return await launchPostmaster({ ...site, binaries, port: chosen, logFile }, signal);
    } catch (error) {
      if (!(error instanceof LaunchFailure)) throw error;
      signal.throwIfAborted();
      return retryOrRefuse(site, error.message);
    }
  });
}

// Somebody took the port since we chose it, another copy was faster, or sessions of a killed server still end.
const PASSING = [
  /Address already in use|could not create any TCP\/IP sockets/,
  /lock file "postmaster\.pid"/,
  /pre-existing shared memory block/,
];

function retryOrRefuse(site: Site, said: string): null {
  if (PASSING.some((pattern) => pattern.test(said))) return null;
  throw launchRefusal(site, said);
}

function launchRefusal(site: Site, said: string): EmbeddedServerError {
  if (/No space left on device/.test(said)) {
    return refusal(`The disk that holds ${site.cluster} is full`, 'Make room');
  }
  if (/Permission denied/.test(said)) {
    return refusal(
      `PostgreSQL runs as ${site.user.name}, who cannot reach ${site.cluster}`,
      'Let every user enter the folders above it (chmod o+x)',
    );
  }
  const lines = said.trim().split('\n').slice(-3).join(' | ');
  return refusal(`PostgreSQL does not start: ${lines}`, `Look into ${serverLogFile(site.dataDir)}`);
}
