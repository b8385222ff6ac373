import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ChangeBus, everything, type CacheTag } from '../common/changes/change-bus.js';
import { Database } from './database.js';

const channel = 'store_changes';
/** Many changes travel in one NOTIFY: one in each transaction would make commits wait for each other. */
const gatherMs = 8;
/** PostgreSQL takes 8,000 bytes. */
const maxPayloadBytes = 7_900;
const retryMs = 500;
const connectPatienceMs = 5_000;
const endPatienceMs = 1_000;
/** So that a way that was cut without a word is noticed. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
const notify = 'SELECT pg_notify($1, $2)';

/** Waits for what may never come to an end, such as the farewell of a connection that never came about. */
async function patiently(work: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch(() => undefined), sleep(endPatienceMs, undefined, { ref: false })]);
}

function isMessage(value: unknown): value is [node: string, ...cacheTags: CacheTag[]] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}

/** What a node said; anyone who may connect to the database can say something else. */
function parsed(payload: string): [node: string, ...cacheTags: CacheTag[]] | null {
  try {
    const value: unknown = JSON.parse(payload);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}

/** Tells other nodes what changed here, and this node what changed there, by LISTEN and NOTIFY. */
@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly node = randomUUID();
  private readonly untold = new Set<CacheTag>();
  private gathering: NodeJS.Timeout | undefined;
  private telling: Promise<void> | undefined;
  /** The connection that hears, while it does. */
  private listener: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly dataSource: DataSource,
    private readonly bus: ChangeBus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  /** While the pool is still there. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    clearTimeout(this.gathering);
    await patiently(this.send());
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.listener) await patiently(this.listener.end());
  }

  /** Tells the other nodes, together with what else changes in the next milliseconds. */
  tell(cacheTags: readonly CacheTag[]): void {
    for (const cacheTag of cacheTags) this.untold.add(cacheTag);
    if (!this.stopped) this.gathering ??= setTimeout(() => void this.send(), gatherMs);
  }

  /** One message at a time: what changes meanwhile travels in the next one. */
  private send(): Promise<void> {
    this.gathering = undefined;
    this.telling ??= this.sendAll().finally(() => (this.telling = undefined));
    return this.telling;
  }

  private async sendAll(): Promise<void> {
    while (this.untold.size > 0) {
      const whole = JSON.stringify([this.node, ...this.untold]);
      this.untold.clear();
      const payload = Buffer.byteLength(whole) > maxPayloadBytes ? JSON.stringify([this.node, everything]) : whole;
      // A message that is lost costs nothing but time: no answer is kept for longer than two seconds unchecked.
      await this.notify([channel, payload]).catch(() => undefined);
    }
  }

  /** On the connection that hears, so that it waits for no place in a pool that is busy with requests. */
  private async notify(message: [channel: string, payload: string]): Promise<void> {
    const overPool = () => this.database.execute(notify, message);
    if (this.listener) await this.listener.query(notify, message).catch(overPool);
    else await overPool();
  }

  private async listen(): Promise<void> {
    const client = this.newClient();
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch {
      void patiently(client.end());
      this.listenLater();
      return;
    }
    if (this.stopped) return patiently(client.end());
    this.listener = client;
    this.bus.missed();
  }

  private newClient(): Client {
    const { url } = this.dataSource.options as { url?: string };
    const client = new Client({
      connectionString: url,
      application_name: 'store-service changes',
      connectionTimeoutMillis: connectPatienceMs,
      ...keepAlive,
    });
    client.on('notification', ({ payload = '' }) => this.hear(payload));
    client.on('error', () => undefined); // its end follows
    client.on('end', () => this.lose(client));
    return client;
  }

  private lose(client: Client): void {
    if (this.listener !== client) return;
    this.listener = undefined;
    this.bus.missed();
    this.listenLater();
  }

  private listenLater(): void {
    if (!this.stopped) this.retry = setTimeout(() => void this.listen(), retryMs);
  }

  private hear(payload: string): void {
    const message = parsed(payload);
    if (!message) return this.bus.missed();
    const [node, ...cacheTags] = message;
    if (node !== this.node) this.bus.announce(cacheTags);
  }
}
