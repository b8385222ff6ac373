import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg, { type Client, type QueryResult, type QueryResultRow } from 'pg';
import { isDatabaseAway, isStatementTimeout } from '../../platform/errors/database-errors.js';
import { Settings } from '../../config/settings.js';
import { connectionExtras, planSettings } from './connection-extras.js';
import { DatabaseAddress } from './database-address.js';

/** Slower statements are given up, so that those behind them on the connection do not wait long. */
const statementTimeoutMs = 200;
const mostUnderWay = 64;
const requestsPerConnection = 5;

/** How many connections requests share for one purpose. */
export function sharedConnections(
  { isPooled, preparedStatements }: DatabaseAddress,
  { databasePoolSize }: Settings,
): number {
  // A pooler assigns a session until a connection is idle, so a busy connection would keep its session.
  return preparedStatements && !isPooled ? Math.ceil(databasePoolSize / requestsPerConnection) : 0;
}

interface Prepared {
  name: string;
  text: string;
  values: unknown[];
}

/** One connection, opened when it is first needed, and again after it was lost. */
class Pipeline {
  underWay = 0;
  private client: Promise<Client> | undefined;

  constructor(
    private readonly url: string,
    /** A connection is given up after this time without data. */
    private readonly patienceMs: number,
  ) {}

  async query<Row extends QueryResultRow>(prepared: Prepared): Promise<QueryResult<Row>> {
    this.underWay += 1;
    try {
      const client = await (this.client ??= this.open());
      return await client.query<Row>(prepared);
    } finally {
      this.underWay -= 1;
    }
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    await client?.end();
  }

  private open(): Promise<Client> {
    const client = new pg.Client({
      connectionString: this.url,
      ...connectionExtras(statementTimeoutMs),
      connectionTimeoutMillis: this.patienceMs,
      query_timeout: this.patienceMs,
      application_name: 'store-service reads',
      pipeline: true,
    });
    const forget = () => {
      if (this.client === opened) this.client = undefined;
    };
    const opened = this.begin(client);
    client.on('error', forget);
    client.on('end', forget);
    opened.catch(forget);
    return opened;
  }

  private async begin(client: Client): Promise<Client> {
    await client.connect();
    await client.query(planSettings);
    return client;
  }
}

/**
 * Connections for short reads, on which a statement is sent while those before it are still being answered. With a
 * connection for each statement, both processes would spend more time on waking up than on the read itself.
 */
@Injectable()
export class Pipelines implements OnModuleDestroy {
  private readonly pipelines: Pipeline[];
  private readonly patienceMs: number;
  private closed = false;

  constructor(address: DatabaseAddress, settings: Settings) {
    this.patienceMs = settings.databasePatienceSeconds * 1_000;
    const count = sharedConnections(address, settings);
    this.pipelines = Array.from({ length: count }, () => new Pipeline(address.url, this.patienceMs));
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    await Promise.all(this.pipelines.map((pipeline) => pipeline.close()));
  }

  /**
   * The result of a read, or null if it has to run elsewhere: because there is no room, the read is slow, or the
   * connection is lost. Rejects if the database is silent, since another connection would wait as long. The statement
   * must not write, since it may run twice.
   */
  async query<Row extends QueryResultRow>(prepared: Prepared): Promise<QueryResult<Row> | null> {
    const pipeline = this.leastBusy();
    if (!pipeline) return null;
    const begun = performance.now();
    try {
      return await pipeline.query<Row>(prepared);
    } catch (error) {
      const hasWaited = performance.now() - begun >= this.patienceMs / 2;
      if (hasWaited && isDatabaseAway(error) && !isStatementTimeout(error)) throw error;
      // The pool runs it again, and gets the error if the statement itself is wrong.
      return null;
    }
  }

  private leastBusy(): Pipeline | undefined {
    if (this.closed) return undefined;
    let best = this.pipelines[0];
    for (const pipeline of this.pipelines) if (best && pipeline.underWay < best.underWay) best = pipeline;
    return best && best.underWay < mostUnderWay ? best : undefined;
  }
}
