import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { codeOf } from './embedded-server-error.js';
import { exists } from './processes.js';
import { isPostmasterOf, readPostmasterFile } from './postmaster-file.js';
import { logSize, openLog, readLog } from './server-log.js';
import { spawnOptions, type ServerUser } from './server-user.js';

export interface Launch {
  binaries: Binaries;
  user: ServerUser;
  cluster: string;
  port: number;
  settings: Record<string, string>;
  logFile: string;
}

/** PostgreSQL ended before it served; the message is its own, from its log. */
export class LaunchFailure extends Error {}

// Errors of single statements go to the service, which logs them; here they would repeat personal data.
const DEFAULTS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '100',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  cluster_name: 'store-service',
};

const POLL_MS = 10;
const REAPING_MS = 200;

/**
 * Starts PostgreSQL in a session of its own and returns its process id once it serves; throws a `LaunchFailure` if it
 * ends before.
 */
export async function launchPostmaster(launch: Launch, signal: AbortSignal): Promise<number> {
  const { cluster, logFile } = launch;
  const log = await openLog(logFile);
  const offset = await logSize(logFile);
  const child = spawn(launch.binaries.postgres, postgresArguments(launch), {
    ...spawnOptions(launch.user),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  const ended = endOf(child);
  // Handled below, but perhaps after it has happened; until then it must not count as unhandled.
  ended.catch(() => undefined);
  try {
    while (!(await isReady(cluster, child.pid))) {
      const isOver = await Promise.race([ended, sleep(POLL_MS, false)]);
      if (isOver) throw new LaunchFailure(await readLog(logFile, offset));
      if (signal.aborted && child.pid !== undefined) await endPostmaster(cluster, child.pid);
    }
    return child.pid ?? 0;
  } finally {
    await log.close();
  }
}

function postgresArguments({ cluster, port, settings }: Launch): string[] {
  const pairs = Object.entries({ ...DEFAULTS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster, '-p', String(port), ...pairs];
}

function endOf(child: ChildProcess): Promise<true> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve(true));
  });
}

async function isReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const file = await readPostmasterFile(cluster);
  return file !== null && file.pid === pid && file.status === 'ready';
}

const STEPS = [
  { signal: 'SIGINT', patienceMs: 10_000 }, // fast: sessions are ended, a checkpoint written
  { signal: 'SIGQUIT', patienceMs: 10_000 }, // immediate: the next start recovers from the log
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const;

/** Ends the server of `cluster`, gently at first, and returns when its process is gone. */
export async function endPostmaster(cluster: string, pid: number): Promise<void> {
  for (const { signal, patienceMs } of STEPS) {
    if (!(await isPostmasterOf(cluster, pid))) break;
    sendSignal(pid, signal);
    if (await isGoneWithin(cluster, pid, patienceMs)) break;
  }
  // A server of our own making leaves a zombie until Node has heard of its end; a parent that exits now would orphan
  // it.
  for (let waitedMs = 0; exists(pid) && waitedMs < REAPING_MS; waitedMs += POLL_MS) await sleep(POLL_MS);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

async function isGoneWithin(cluster: string, pid: number, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    if (!(await isPostmasterOf(cluster, pid))) return true;
    await sleep(POLL_MS);
  }
  return false;
}
