import { join } from 'node:path';
import { chooseServerUser } from '@store-service/embedded-postgres';
import type { Arena } from '../arena.js';
import { freePort } from '../contestants.js';
import { copy, PlainServer, superuserOf, until } from './plain-server.js';
import { startPrimaryProxy, startRoleCheck } from './primary-proxy.js';

/** Has commits wait for the standby. */
const synchronous = 'synchronous_standby_names=standby';

/** A primary whose commits wait for its standby, on the data of an arena. */
export class FailoverPair {
  private constructor(
    readonly primary: PlainServer,
    readonly standby: PlainServer,
    /** The one address, which HAProxy leads to the primary. */
    readonly databaseUrl: string,
    private readonly parts: readonly { stop(): Promise<void> }[],
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
    const checks = [await startRoleCheck(primary.url), await startRoleCheck(standby.url)] as const;
    const proxy = await startPrimaryProxy(arena.folder, [
      { port: Number(first), checkPort: checks[0].port },
      { port: Number(second), checkPort: checks[1].port },
    ]);
    one.port = String(proxy.port);
    return new FailoverPair(primary, standby, one.href, [proxy, ...checks]);
  }

  async killPrimary(): Promise<void> {
    await this.primary.kill('SIGKILL');
  }

  async promote(): Promise<void> {
    await until(this.standby.url, 'SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    for (const part of this.parts) await part.stop();
    await this.standby.kill('SIGQUIT');
    await this.primary.kill('SIGQUIT');
  }
}
