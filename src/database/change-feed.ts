import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ChangeBus, type Topic } from '../common/changes/change-bus.js';
import { Database } from './database.js';

const channel = 'store_changes';
/** Many changes travel in one NOTIFY: one in each transaction would make commits wait for each other. */
const gatherMs = 5;
/** PostgreSQL takes 8,000 bytes. */
const maxPayloadBytes = 7_900;
const everything = '*';
const retryMs = 500;
const endPatienceMs = 1_000;

/** Ends a connection; one that never came about may never say that it ended. */
async function ended(client: Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), sleep(endPatienceMs, undefined, { ref: false })]);
}

/** Tells other nodes what changed here, and this node what changed there, by LISTEN and NOTIFY. */
@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly node = randomUUID();
  private readonly untold = new Set<Topic>();
  private gathering: NodeJS.Timeout | undefined;
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

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.gathering);
    clearTimeout(this.retry);
    if (this.listener) await ended(this.listener);
  }

  /** Tells the other nodes, together with what else changes in the next milliseconds. */
  tell(topics: readonly Topic[]): void {
    for (const topic of topics) this.untold.add(topic);
    if (!this.stopped) this.gathering ??= setTimeout(() => void this.send(), gatherMs);
  }

  private async send(): Promise<void> {
    this.gathering = undefined;
    const whole = JSON.stringify([this.node, ...this.untold]);
    this.untold.clear();
    const payload = Buffer.byteLength(whole) > maxPayloadBytes ? JSON.stringify([this.node, everything]) : whole;
    // A message that is lost costs nothing but time: no answer is kept for longer than two seconds unchecked.
    await this.database.execute('SELECT pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const { url } = this.dataSource.options as { url?: string };
    const client = new Client({ connectionString: url, application_name: 'store-service changes', keepAlive: true });
    client.on('notification', ({ payload = '' }) => this.hear(payload));
    client.on('error', () => undefined);
    client.on('end', () => this.listenAgain());
    this.listener = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.bus.missed();
    } catch {
      void ended(client);
      this.listenAgain();
    }
  }

  private listenAgain(): void {
    if (this.stopped) return;
    this.bus.missed();
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.listen(), retryMs);
  }

  private hear(payload: string): void {
    const [node, ...topics] = JSON.parse(payload) as string[];
    if (node === this.node) return;
    if (topics.includes(everything)) this.bus.missed();
    else this.bus.announce(topics);
  }
}
