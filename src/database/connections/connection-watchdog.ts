import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg, { type Client, type Pool, type PoolClient } from 'pg';
import { Settings } from '../../config/settings.js';
import { DatabaseAddress } from './database-address.js';
import { areYouThere } from './connection-watchdog.statements.js';

/** How often a waiting statement is checked within `DATABASE_PATIENCE_SECONDS`. */
const looksOfPatience = 8;
/** A busy server may respond slowly, so a transaction, which may have done much work, is given up later than a read. */
const transactionSilenceMs = 10_000;

/** Whether an error came from the server. */
function isAnswer(error: unknown): boolean {
  return (error as { severity?: string }).severity !== undefined;
}

/**
 * Notices that the database has fallen silent. A connection whose cable is cut stays open, and TCP gives up its
 * statement only after a quarter of an hour. So while a connection is in use for long, another connection checks that
 * the server responds. If it does not, reads are ended at once, and transactions after ten seconds of silence. While
 * the server responds, a statement may take as long as its own limit allows.
 */
@Injectable()
export class ConnectionWatchdog implements OnModuleDestroy {
  /** The connections in use, and since when. */
  private readonly inUse = new Map<PoolClient, number>();
  private client: Client | undefined;
  private looking: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;
  private silentSince: number | undefined;
  /** Half of the patience passes before the question, and half may pass before the answer. */
  private readonly halfMs: number;

  constructor(
    private readonly address: DatabaseAddress,
    { databasePatienceSeconds }: Settings,
  ) {
    this.halfMs = (databasePatienceSeconds * 1_000) / 2;
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.looking);
    await this.asking;
    this.drop();
  }

  /** Watches the connections of a pool while they are in use. */
  watch(pool: Pool): void {
    pool.on('acquire', (client) => {
      this.inUse.set(client, performance.now());
      this.looking ??= setInterval(() => this.look(), (this.halfMs * 2) / looksOfPatience).unref();
    });
    pool.on('release', (_error, client) => this.inUse.delete(client));
    pool.on('remove', (client) => this.inUse.delete(client));
  }

  private look(): void {
    if (this.inUse.size === 0) {
      clearInterval(this.looking);
      this.looking = undefined;
      return;
    }
    if (this.waiting().length > 0) this.asking ??= this.ask().finally(() => (this.asking = undefined));
  }

  /** Those in use for half of the patience or longer. */
  private waiting(): PoolClient[] {
    const since = performance.now() - this.halfMs;
    return [...this.inUse].filter(([, from]) => from <= since).map(([client]) => client);
  }

  private async ask(): Promise<void> {
    const waiting = this.waiting();
    const askedAt = performance.now();
    if (await this.isThere()) {
      this.silentSince = undefined;
      return;
    }
    this.drop();
    this.silentSince ??= askedAt;
    const isLong = performance.now() - this.silentSince >= transactionSilenceMs;
    for (const client of waiting) {
      if (!isLong && (client as unknown as Client).getTransactionStatus() === 'T') continue;
      // Its statement then fails as if the server were lost.
      if (this.inUse.delete(client)) void (client as unknown as Client).end().catch(() => undefined);
    }
  }

  private async isThere(): Promise<boolean> {
    const answered = this.question().then(
      () => true,
      (error: unknown) => isAnswer(error),
    );
    const pause = (ms: number) => sleep(ms, undefined, { ref: false });
    // A response that came while this process was busy is read before the time is up.
    const silence = pause(this.halfMs)
      .then(() => pause(0))
      .then(() => false);
    return Promise.race([answered, silence]);
  }

  private async question(): Promise<void> {
    this.client ??= await this.open();
    await this.client.query(areYouThere);
  }

  private async open(): Promise<Client> {
    const client = new pg.Client({
      connectionString: this.address.url,
      connectionTimeoutMillis: this.halfMs,
      application_name: 'store-service pulse',
    });
    const forget = () => {
      if (this.client === client) this.client = undefined;
    };
    client.on('error', forget).on('end', forget);
    await client.connect();
    return client;
  }

  private drop(): void {
    const { client } = this;
    this.client = undefined;
    void client?.end().catch(() => undefined);
  }
}
