import { Client } from 'pg';
import { SUPERUSER } from './cluster.js';
import { codeOf, refusal } from './embedded-server-error.js';
import * as sql from './holder.statements.js';

export interface HoldRequest {
  cluster: string;
  port: number;
  password: string;
}

/** The role with which the service signs in: it owns its databases and may make more, and is no superuser. */
// Unspecified: rights of that role. No superuser, so that a hole in some SQL reaches neither files nor programs, and so
// that the sessions which PostgreSQL reserves for superusers stay free for the holder.
export const SERVICE_ROLE = 'store';

const WRONG_PASSWORD = new Set(['28P01', '28000']);

/**
 * A connection that says "this server is in use" by an advisory lock, shared by all copies of the service that use it.
 * It dies with its process, so that a killed copy never counts.
 */
export class Holder {
  private released = false;
  private ended = false;

  private constructor(
    private readonly client: Client,
    private readonly password: string,
  ) {
    // Every loss shows in `end`; an `error` that nobody hears would end the process.
    client.on('error', () => undefined);
    client.once('end', () => {
      this.ended = true;
    });
  }

  /** Connects and takes the lock; null if the server is starting, stopping or another one. */
  static async open(request: HoldRequest): Promise<Holder | null> {
    const client = new Client({
      host: '127.0.0.1',
      port: request.port,
      user: SUPERUSER,
      password: request.password,
      database: 'postgres',
      application_name: 'store-service: holder',
      connectionTimeoutMillis: 5_000,
      query_timeout: 15_000,
      ssl: false,
    });
    const holder = new Holder(client, request.password);
    try {
      await client.connect();
      if ((await holder.isServerOf(request.cluster)) && (await holder.tryShare())) return holder;
    } catch (error) {
      if (WRONG_PASSWORD.has(codeOf(error))) throw passwordRefusal(request.cluster, error);
    }
    await holder.close();
    return null;
  }

  /** Calls `lost` once when the connection ends, or has ended, without having been released. */
  onLoss(lost: () => void): void {
    const report = (): void => {
      if (!this.released) lost();
    };
    if (this.ended) queueMicrotask(report);
    else this.client.once('end', report);
  }

  /** Makes the service's role and database where they are missing; lets the role set these parameters of superusers. */
  async setUp(database: string, parameters: readonly string[]): Promise<void> {
    const { client } = this;
    await client.query(sql.lockSetup);
    try {
      const role = await client.query(sql.roleNamed, [SERVICE_ROLE]);
      if (role.rowCount === 0) {
        await client.query(sql.createRole(SERVICE_ROLE, client.escapeLiteral(this.password)));
      }
      for (const name of parameters) {
        await client.query(sql.allowToSet(client.escapeIdentifier(name), SERVICE_ROLE));
      }
      const found = await client.query(sql.databaseNamed, [database]);
      if (found.rowCount === 0) {
        await client.query(sql.createDatabase(client.escapeIdentifier(database), SERVICE_ROLE));
      }
    } finally {
      await client.query(sql.unlockSetup);
    }
  }

  /** Gives the lock back; true if no other copy of the service holds it, and from then on none can take it. */
  async release(): Promise<boolean> {
    this.released = true;
    await this.client.query(sql.stopSharingUse);
    const { rows } = await this.client.query<{ last: boolean }>(sql.takeUse);
    return rows[0]?.last === true;
  }

  /** Ends the connection; never throws. */
  async close(): Promise<void> {
    this.released = true;
    await this.client.end().catch(() => undefined);
  }

  private async isServerOf(cluster: string): Promise<boolean> {
    const { rows } = await this.client.query<{ data_directory: string }>(sql.dataDirectory);
    return rows[0]?.data_directory === cluster;
  }

  private async tryShare(): Promise<boolean> {
    const { rows } = await this.client.query<{ held: boolean }>(sql.shareUse);
    return rows[0]?.held === true;
  }
}

function passwordRefusal(cluster: string, cause: unknown): Error {
  return refusal(
    `The PostgreSQL server of ${cluster} does not take its stored password`,
    'Restore the password',
    cause,
  );
}
