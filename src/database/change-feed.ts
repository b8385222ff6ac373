import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import pg, { type Client, type QueryConfig } from 'pg';
import { ChangeBus, everything, type CacheTag } from '../platform/changes/change-bus.js';
import { channel, listen, notify } from './change-feed.statements.js';
import { DatabaseAddress } from './connections/database-address.js';
import { Database } from './database.js';

/**
 * Many changes travel in one NOTIFY: one in each transaction would make commits wait for each other. Those of one
 * request leave together, and a node that is busy sends one message in each interval; others see a change well within
 * 50 ms.
 */
const gatherMs = 2;
const intervalMs = 24;
/** PostgreSQL takes 8,000 bytes. */
const maxPayloadBytes = 7_900;
const retryMs = 500;
const connectPatienceMs = 5_000;
const endPatienceMs = 1_000;
/**
 * The interval and time limit of checks that the listening connection is alive: TCP notices a silent cut much later.
 */
const beatMs = 2_000;
const silenceMs = 2_000;

/** Fails and ends the connection if no response comes. */
async function ask(client: Client, text: string, values: string[] = []): Promise<void> {
  try {
    await client.query({ text, values, query_timeout: silenceMs } as QueryConfig);
  } catch (error) {
    const isAnswer = (error as { severity?: string }).severity !== undefined;
    // With a statement under way it closes the socket at once.
    if (!isAnswer) void client.end().catch(() => undefined);
    throw error;
  }
}

/** Waits at most a second: a connection that never opened may never end. */
async function patiently(work: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch(() => undefined), sleep(endPatienceMs, undefined, { ref: false })]);
}

function isMessage(value: unknown): value is [node: string, ...cacheTags: CacheTag[]] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}

/** A node's message, or null: anyone who may connect to the database can send anything. */
function parsed(payload: string): [node: string, ...cacheTags: CacheTag[]] | null {
  try {
    const value: unknown = JSON.parse(payload);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}

/** Publishes this node's changes to other nodes, and receives theirs, by LISTEN and NOTIFY. */
@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  /** This node recognizes its own messages by it. */
  private readonly node = randomUUID();
  private readonly unpublished = new Set<CacheTag>();
  private gathering: NodeJS.Timeout | undefined;
  private sentAt = -Infinity;
  private publishing: Promise<void> | undefined;
  /** The receiving connection, while it receives. */
  private listener: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly address: DatabaseAddress,
    private readonly bus: ChangeBus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  /** Before the pool closes. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    clearTimeout(this.gathering);
    await patiently(this.sendAll());
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.listener) await patiently(this.listener.end());
  }

  /** Publishes cache tags to the other nodes, in one message with those of the next milliseconds. */
  publish(cacheTags: readonly CacheTag[]): void {
    for (const cacheTag of cacheTags) this.unpublished.add(cacheTag);
    if (!this.stopped) this.gathering ??= setTimeout(() => void this.send(), this.pauseMs());
  }

  private pauseMs(): number {
    return Math.max(gatherMs, this.sentAt + intervalMs - performance.now());
  }

  /** Sends one message at a time: later changes wait for the next one. */
  private send(): Promise<void> {
    this.gathering = undefined;
    this.publishing ??= this.sendGathered().finally(() => {
      this.publishing = undefined;
      if (this.unpublished.size > 0) this.publish([]);
    });
    return this.publishing;
  }

  private async sendGathered(): Promise<void> {
    const whole = JSON.stringify([this.node, ...this.unpublished]);
    this.unpublished.clear();
    this.sentAt = performance.now();
    const payload = Buffer.byteLength(whole) > maxPayloadBytes ? JSON.stringify([this.node, everything]) : whole;
    // A lost message delays a change by at most two seconds: no response is cached longer.
    await this.notify([channel, payload]).catch(() => undefined);
  }

  private async sendAll(): Promise<void> {
    await this.publishing;
    if (this.unpublished.size > 0) await this.send();
  }

  /** Sends on the listening connection, since the pool may be busy with requests. */
  private async notify(message: [channel: string, payload: string]): Promise<void> {
    const overPool = () => this.database.execute(notify, message);
    if (this.listener) await ask(this.listener, notify, message).catch(overPool);
    else await overPool();
  }

  private async listen(): Promise<void> {
    const client = this.newClient();
    try {
      await client.connect();
      await ask(client, listen);
    } catch {
      void patiently(client.end());
      this.listenLater();
      return;
    }
    if (this.stopped) return patiently(client.end());
    this.listener = client;
    this.bus.missed();
    void this.beat(client);
  }

  private async beat(client: Client): Promise<void> {
    while (this.listener === client && !this.stopped) {
      await sleep(beatMs, undefined, { ref: false });
      if (this.listener === client) await ask(client, listen).catch(() => undefined);
    }
  }

  private newClient(): Client {
    const client = new pg.Client({
      connectionString: this.address.directUrl,
      application_name: 'store-service changes',
      connectionTimeoutMillis: connectPatienceMs,
    });
    client.on('notification', ({ payload = '' }) => this.receive(payload));
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

  private receive(payload: string): void {
    const message = parsed(payload);
    if (!message) return this.bus.missed();
    const [node, ...cacheTags] = message;
    if (node !== this.node) this.bus.announce(cacheTags);
  }
}
