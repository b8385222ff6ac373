import { setTimeout as sleep } from 'node:timers/promises';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import type { EventArrivals } from '../../src/scanning/scan-events/scan-events.dto.js';
import type { ApiAnswer, ApiClient } from './api-client.js';
import { shipping } from './checkout.js';
import { newEvent } from './events.js';
import { until } from './receiver.js';

const pauseMs = 20;

export interface LoadParts {
  api: ApiClient;
  token: string;
  scanId: string;
  productId: number;
  workflowId: string;
}

/** Responses that are neither a success nor a 503 with a Retry-After. */
function isOutage({ status, headers, body }: ApiAnswer<unknown>): boolean {
  const { code } = body as { code?: string };
  return status === 503 && code === 'database_unavailable' && Number(headers.get('retry-after')) > 0;
}

/**
 * A client that orders, appends events, runs a workflow and follows events, over and over. After a 503 it repeats the
 * request as a client does: the order with its key, the events with their ids, the follower with its cursor.
 */
export class WriteLoad {
  /** The successful writes: an order by its key, and the ids of events and runs. */
  readonly orders = new Map<string, number>();
  readonly events: string[] = [];
  readonly runs: string[] = [];
  /** The ids of the events that the follower received, in order. */
  readonly followed: string[] = [];
  readonly surprises: string[] = [];
  outages = 0;
  /** The number of times that the follower was told to start anew. */
  restarts = 0;
  private cursor = '';
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>;

  constructor(private readonly parts: LoadParts) {
    const loops = [() => this.order(), () => this.append(), () => this.run(), () => this.follow()];
    this.running = this.follow().then(() => Promise.all(loops.map((loop) => this.repeat(loop))));
  }

  /** Waits until each kind of write has succeeded this many more times. */
  async goesOn(times: number): Promise<void> {
    const before = [this.orders.size, this.events.length, this.runs.length];
    const have = () => [this.orders.size, this.events.length, this.runs.length];
    const wanted = before.map((count) => count + times);
    await until(
      () => have().every((count, kind) => count >= (wanted[kind] ?? 0)),
      `${times} more orders, appends and runs`,
    );
  }

  /** Ends the load once each loop has its response. */
  async finish(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Lets the follower ask until it has everything that was appended, and once more. */
  async catchUp(): Promise<void> {
    const all = () => this.restarts > 0 || this.followed.length >= this.events.length;
    await until(async () => (await this.follow(), all()), 'the events that were appended, at the follower');
    await this.follow();
  }

  private async repeat(loop: () => Promise<void>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await loop();
      await sleep(pauseMs);
    }
  }

  /** Sends a request until it succeeds, and returns the response. */
  private async persist<T>(method: string, path: string, json?: unknown, headers = {}): Promise<T | undefined> {
    const { api, token } = this.parts;
    for (;;) {
      const answer = await api.send<T>(method, `/api/v1/${path}`, { token, json, headers });
      if (answer.status < 300) return answer.body;
      if (answer.status === 422 && path.startsWith('events/arrivals')) return undefined;
      if (!isOutage(answer)) {
        this.surprises.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return undefined;
      }
      this.outages += 1;
      await sleep(pauseMs);
    }
  }

  private async order(): Promise<void> {
    await this.persist('POST', 'cart/add', { product_id: this.parts.productId, quantity: 1 });
    const key = `order-${uuidV7()}`;
    const order = await this.persist<{ id: number }>(
      'POST',
      'orders/checkout',
      { shipping },
      { 'idempotency-key': key },
    );
    if (order) this.orders.set(key, order.id);
  }

  private async append(): Promise<void> {
    const id = uuidV7();
    if (await this.persist('POST', `scans/${this.parts.scanId}/events`, [newEvent({ id })])) this.events.push(id);
  }

  private async run(): Promise<void> {
    const answer = await this.persist<{ runId: string }>('POST', `workflows/${this.parts.workflowId}/run`);
    if (answer) this.runs.push(answer.runId);
    await sleep(pauseMs * 5);
  }

  private async follow(): Promise<void> {
    const after = this.cursor === '' ? '' : `&after=${encodeURIComponent(this.cursor)}`;
    const page = await this.persist<EventArrivals>('GET', `events/arrivals?size=100${after}`);
    if (!page) this.restarts += 1;
    this.cursor = page?.nextCursor ?? '';
    this.followed.push(...(page?.data ?? []).map(({ id }) => id));
  }
}
