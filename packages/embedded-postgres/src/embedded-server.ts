import { mkdir, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireServer, serverLogFile, startLockFile, type Acquired, type Site } from './acquire.js';
import { findBinaries } from './binaries.js';
import { findOrMakeCluster } from './cluster.js';
import { findCluster, readNote } from './cluster-place.js';
import { EmbeddedServerError, folderRefusal, messageOf, refusal } from './embedded-server-error.js';
import { Holder, SERVICE_ROLE } from './holder.js';
import { endPostmaster } from './postmaster.js';
import { livingPostmaster } from './postmaster-file.js';
import { trimLog } from './server-log.js';
import { chooseServerUser } from './server-user.js';
import { withStartLock } from './start-lock.js';

/** The service's own PostgreSQL server, shared with other copies of the service on the same data folder. */
export interface EmbeddedServer {
  /** `postgres://user:password@127.0.0.1:port/database`; stays the same as long as this handle lives. */
  readonly url: string;
  /** The folder of its data, which may lie outside the data folder where the server's user cannot reach that. */
  readonly cluster: string;
  /** True if the server ran already. */
  readonly adopted: boolean;
  /** True for the one start that made the data. */
  readonly firstStart: boolean;
  /** Resolves when the server serves: at once, or after a recovery; rejects when stopped. */
  ensureRunning(): Promise<void>;
  /** Lets go of the server, and ends it where no other copy of the service uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  dataDir: string;
  database?: string;
  log?: (line: string) => void;
  /** PostgreSQL settings beside ours; a running server keeps its own. */
  settings?: Record<string, string>;
  /** Parameters of superusers that the service's role may set too. */
  parameters?: readonly string[];
  /** Ends a start in progress, leaving nothing behind. */
  signal?: AbortSignal;
}

/**
 * Adopts or starts the PostgreSQL server of a data folder, making data folder, cluster and database where they are
 * missing. Throws an `EmbeddedServerError` whose sentence says what to do.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { database = SERVICE_ROLE, signal = new AbortController().signal, parameters = [] } = options;
  const dataDir = resolve(options.dataDir);
  try {
    const { site, isNew } = await prepareSite(dataDir, options);
    const acquired = await acquireServer(site, null, signal);
    const server = new WatchedServer(site, acquired, database, isNew);
    try {
      await acquired.holder.setUp(database, parameters);
      signal.throwIfAborted();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    throw folderRefusal(dataDir, error);
  }
}

async function prepareSite(
  wanted: string,
  { settings = {}, log = () => undefined }: EmbeddedServerOptions,
): Promise<{ site: Site; isNew: boolean }> {
  await mkdir(wanted, { recursive: true });
  const dataDir = await realpath(wanted);
  const found = await findCluster(dataDir);
  const user = await chooseServerUser(found === null ? null : (await stat(found)).uid);
  const make = async () => {
    const binaries = await findBinaries(user, dataDir);
    return findOrMakeCluster({ dataDir, user, binaries, durable: settings['fsync'] !== 'off', log });
  };
  const { cluster, isNew } =
    found === null ? await withStartLock(startLockFile(dataDir), make) : { cluster: found, isNew: false };
  const note = await readNote(cluster);
  if (note === null) throw refusal(`The data in ${cluster} lost their password`, 'Restore them from a copy');
  log(`PostgreSQL's data lie in ${cluster}, its log in ${serverLogFile(dataDir)}`);
  return { site: { dataDir, cluster, password: note.password, user, settings, log }, isNew };
}

const LOG_CHECK_MS = 60_000;
const UNHELD_PATIENCE_MS = 10_000;
const BACKOFF_MS = [50, 100, 250, 500, 1_000, 2_000, 5_000];

/** A server that is restarted on its port whenever it dies under us. */
class WatchedServer implements EmbeddedServer {
  readonly url: string;
  readonly cluster: string;
  readonly adopted: boolean;
  private readonly port: number;
  private readonly stopSignal = new AbortController();
  private readonly logCheck: NodeJS.Timeout;
  private running: Promise<Acquired>;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly site: Site,
    acquired: Acquired,
    database: string,
    readonly firstStart: boolean,
  ) {
    this.port = acquired.port;
    this.cluster = site.cluster;
    this.adopted = acquired.adopted;
    this.url = `postgres://${SERVICE_ROLE}:${site.password}@127.0.0.1:${acquired.port}/${encodeURIComponent(database)}`;
    this.running = Promise.resolve(acquired);
    this.watch(acquired);
    this.logCheck = setInterval(() => {
      trimLog(serverLogFile(site.dataDir)).catch((error: unknown) => site.log(messageOf(error)));
    }, LOG_CHECK_MS).unref();
    site.log(`PostgreSQL ${acquired.adopted ? 'was running' : 'started'} on 127.0.0.1:${acquired.port}`);
  }

  async ensureRunning(): Promise<void> {
    for (;;) {
      await this.running;
      if (this.stopping !== undefined) throw new EmbeddedServerError('The PostgreSQL server was stopped.');
      // Our session may outlive a killed server for a moment, and the recovery begins when that session ends.
      if ((await livingPostmaster(this.site.cluster)) !== null) return;
      await sleep(BACKOFF_MS[0]);
    }
  }

  stop(): Promise<void> {
    this.stopping ??= this.letGo();
    return this.stopping;
  }

  private watch(acquired: Acquired): void {
    acquired.holder.onLoss(() => {
      if (this.stopping !== undefined) return;
      this.running = this.recover();
      // Without this, a recovery that a stop cuts short would count as an unhandled rejection.
      this.running.catch(() => undefined);
    });
  }

  private async recover(): Promise<Acquired> {
    const { site, stopSignal } = this;
    site.log('The connection to PostgreSQL is lost; bringing the server back');
    let said = '';
    for (let attempt = 0; ; attempt += 1) {
      try {
        const acquired = await acquireServer(site, this.port, stopSignal.signal);
        if (acquired.port !== this.port) await this.refuseOtherPort(acquired);
        this.watch(acquired);
        site.log(`PostgreSQL is back on 127.0.0.1:${acquired.port}`);
        return acquired;
      } catch (error) {
        stopSignal.signal.throwIfAborted();
        const reason = messageOf(folderRefusal(site.dataDir, error));
        if (reason !== said) site.log(`PostgreSQL is not back yet: ${reason}`);
        said = reason;
      }
      await sleep(BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)], undefined, { signal: stopSignal.signal });
    }
  }

  private async refuseOtherPort({ holder, port }: Acquired): Promise<void> {
    await holder.close();
    throw new Error(`it serves on port ${port}, started by another copy of this service. Restart this one.`);
  }

  private async letGo(): Promise<void> {
    clearInterval(this.logCheck);
    this.stopSignal.abort();
    const acquired = await this.running.catch(() => null);
    const left = acquired !== null && (await this.leave(acquired));
    if (!left) await this.leaveUnheld();
  }

  /** True if it gave the hold back; false if the connection was lost before that. */
  private async leave({ holder, pid }: Pick<Acquired, 'holder' | 'pid'>): Promise<boolean> {
    try {
      if (await holder.release()) await this.end(pid);
      return true;
    } catch {
      return false;
    } finally {
      await holder.close();
    }
  }

  /** Leaves a server alone that cannot tell now whether others use it: it restarts after a crash, say. */
  private async leaveUnheld(): Promise<void> {
    const { cluster } = this.site;
    const deadline = Date.now() + UNHELD_PATIENCE_MS;
    for (;;) {
      const living = await livingPostmaster(cluster);
      if (living === null) return;
      const holder = await Holder.open({ ...this.site, port: living.port }).catch(() => null);
      if (holder !== null && (await this.leave({ holder, pid: living.pid }))) return;
      if (Date.now() > deadline) return this.end(living.pid);
      await sleep(BACKOFF_MS[0]);
    }
  }

  private async end(pid: number): Promise<void> {
    await endPostmaster(this.site.cluster, pid);
    this.site.log('PostgreSQL stopped');
  }
}
