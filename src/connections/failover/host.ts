import pg from 'pg';
import type { DatabaseHost } from '../../config/database-url.js';
import { stateOfHost } from './host.statements.js';
import type { HostState } from './primary-choice.js';

/** A host counts as silent after so long without an answer. */
const silenceMs = 2_000;

/** A server that may be the primary. */
export class Host {
  private pool: pg.Pool | undefined;
  /** Why the last question failed; null where it was answered. */
  error: Error | null = null;

  constructor(private readonly place: DatabaseHost) {}

  get name(): string {
    return this.place.name;
  }

  get port(): number {
    return this.place.port;
  }

  /** Asks it what it is, on a connection that is kept. */
  async ask(): Promise<HostState> {
    try {
      const { rows } = await this.connection().query<{ isStandby: boolean; timeline: string | null }>({
        text: stateOfHost,
        query_timeout: silenceMs,
      } as pg.QueryConfig);
      this.error = null;
      const { isStandby = true, timeline } = rows[0] ?? {};
      return isStandby || timeline == null ? { isStandby: true } : { isStandby, timeline: parseInt(timeline, 16) };
    } catch (error) {
      this.error = error as Error;
      return null;
    }
  }

  /** Closes the connection; the next question opens another one. */
  async rest(): Promise<void> {
    const { pool } = this;
    this.pool = undefined;
    await pool?.end();
  }

  private connection(): pg.Pool {
    if (this.pool) return this.pool;
    this.pool = new pg.Pool({
      connectionString: this.place.url,
      max: 1,
      connectionTimeoutMillis: silenceMs,
      application_name: 'store-service primary watch',
      allowExitOnIdle: true,
    });
    this.pool.on('error', () => undefined); // a lost idle connection is replaced by the pool
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    return this.pool;
  }
}
