import { join } from 'node:path';
import { chooseServerUser } from '../../src/embedded-server/server-user.js';
import type { Arena } from '../arena.js';
import { freePort } from '../contestants.js';
import { copy, PlainServer, superuserOf, until } from './plain-server.js';

/** Has commits wait for the standby. */
const synchronous = 'synchronous_standby_names=standby';

/** A primary whose commits wait for its standby, on the data of an arena. */
export class FailoverPair {
  private constructor(
    readonly primary: PlainServer,
    readonly standby: PlainServer,
    /** Of both, as the service is told it. */
    readonly databaseUrl: string,
  ) {}

  /** Takes the place of the arena's own server. */
  static async of(arena: Arena, database: string): Promise<FailoverPair> {
    const user = await chooseServerUser(null);
    const folder = join(arena.folder, 'standby');
    const asSuperuser = superuserOf(arena);
    await copy(asSuperuser, folder, user);
    const { cluster, url } = await arena.leave();
    const [first, second] = [new URL(url).port, String(await freePort())];
    const primary = new PlainServer(cluster, user, asSuperuser.href);
    const standby = new PlainServer(folder, user, asSuperuser.href.replace(first, second));
    await primary.start(synchronous);
    await standby.start('wal_retrieve_retry_interval=200');
    await until(primary.url, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
    const one = new URL(url);
    one.pathname = `/${database}`;
    const both = one.href.replace(`127.0.0.1:${first}`, `127.0.0.1:${first},127.0.0.1:${second}`);
    return new FailoverPair(primary, standby, `${both}?target_session_attrs=read-write`);
  }

  /** Starts the old primary again, as if nobody had been promoted. */
  async returnPrimary(): Promise<void> {
    await this.primary.start(synchronous);
  }

  async killPrimary(): Promise<void> {
    await this.primary.kill('SIGKILL');
  }

  async promote(): Promise<void> {
    await until(this.standby.url, 'SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    await this.standby.kill('SIGQUIT');
    await this.primary.kill('SIGQUIT');
  }
}
