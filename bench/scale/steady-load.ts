import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import { headersOf } from '../contestants.js';
import { shoppers } from '../fill.js';
import { benchId } from '../scanning/fill-organization.js';
import { Follower } from './load/follower.js';
import { type Count, proveLoad } from './load/load-proof.js';
import { PersistentCaller } from './load/persistent-caller.js';
import { PictureLoad } from './load/picture-load.js';
import { WebhookLoad } from './load/webhook-load.js';

const asCaller = headersOf('service');
const json = { 'content-type': 'application/json' };
const asOrganization = { ...json, ...asCaller.asOrganization };
const shipping = { first_name: 'Ada', last_name: 'Bench', address: '1 Loop Road', city: 'Leeds', zip_code: 'LS1' };
/** Of an organization that reads alone: what it lists, replicas may serve, however much others write. */
export const readerKey = `ssk_${'reads'.repeat(8)}`;
/** Requests a second: fewer, as RATE says, on a machine that has other work. */
const intervalMs = 1_000 / Number(process.env['RATE'] ?? 50);
const scans = 100;

/** What a load came to. */
export interface LoadReport {
  requests: number;
  failures: string[];
  /** From the first failure to the last. */
  secondsOfFailure: number;
  /** When the last failure was, by `performance.now()`; 0 if there was none. */
  lastFailureAt: number;
  /** How often what failed was sent again, and how much of it never succeeded. */
  repeats: number;
  givenUp: number;
  /** Of what was answered, by kind. */
  counts: Record<string, Count>;
  /** Lists that lacked what their caller had appended before. */
  stale: number;
  follower: { missed: number; twice: number; restarts: number };
}

/**
 * Fifty times a second an order, an append, a run of a workflow that sends a webhook, or a read, regardless of those
 * before, and a follower of the events. What is not answered is repeated as clients do: the order with its key, the
 * events with their ids. At the end, the proof of what it left.
 */
export class SteadyLoad {
  private readonly caller: PersistentCaller;
  private readonly webhooks: WebhookLoad;
  private readonly follower: Follower;
  private readonly pictures: PictureLoad | null;
  private readonly orders = new Map<string, number>();
  private readonly events: string[] = [];
  private readonly sentEvents = new Set<string>();
  private stale = 0;
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  private constructor(baseUrl: string, withPictures: boolean) {
    this.caller = new PersistentCaller(baseUrl);
    this.webhooks = new WebhookLoad(this.caller, asOrganization);
    this.follower = new Follower(this.caller, asCaller.asOrganization);
    this.pictures = withPictures ? new PictureLoad(this.caller) : null;
  }

  static async start(baseUrl: string, withPictures: boolean): Promise<SteadyLoad> {
    const load = new SteadyLoad(baseUrl, withPictures);
    await load.webhooks.open();
    await load.follower.open();
    load.running = load.run();
    return load;
  }

  /** Ends the load, and compares what was answered with what the database holds. */
  async finish(database: Client): Promise<LoadReport> {
    this.stopping.abort();
    await this.running;
    await Promise.all(this.underWay);
    await this.follower.finish(this.events);
    const { caller, follower, orders, events, sentEvents } = this;
    const { runs, arrived } = this.webhooks;
    const counts = await proveLoad(database, { orders, events, sentEvents, runs, arrived });
    if (this.pictures) {
      counts['pictures'] = { answered: this.pictures.pictures.length, lost: await this.pictures.lost(), doubled: 0 };
    }
    const given = new Set(follower.given);
    const times = caller.failures.map(({ at }) => at);
    return {
      requests: caller.requests,
      failures: caller.failures.map(({ what }) => what),
      secondsOfFailure: times.length > 0 ? (caller.lastFailureAt - Math.min(...times)) / 1_000 : 0,
      lastFailureAt: caller.lastFailureAt,
      repeats: caller.repeats,
      givenUp: caller.givenUp,
      counts,
      stale: this.stale,
      follower: {
        missed: events.filter((id) => !given.has(id)).length,
        twice: follower.given.length - given.size,
        restarts: follower.restarts,
      },
    };
  }

  /** Ends it without a proof; nothing where it has ended. */
  abandon(): void {
    this.stopping.abort();
    this.follower.stop();
    this.webhooks.close();
  }

  private async run(): Promise<void> {
    const [order, append] = [(n: number) => this.order(n), (n: number) => this.append(n)];
    const list = (n: number) => this.read(`/api/v1/products/?skip=${n % 900}&limit=10`);
    const product = (n: number) => this.read(`/api/v1/products/${1 + (n % 900)}`);
    const { pictures } = this;
    const extra = pictures ? (n: number) => pictures.upload(n) : list;
    const events = () => this.read('/api/v1/events?size=10', { 'x-api-key': readerKey });
    const kinds = [order, append, list, product, () => this.webhooks.run(), order, append, events, product, extra];
    const { signal } = this.stopping;
    for (let n = 0; !signal.aborted; n++) {
      const kind = kinds[n % kinds.length] ?? order;
      const one = kind(n).catch(() => undefined); // the caller keeps account
      this.underWay.add(one);
      void one.then(() => this.underWay.delete(one));
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Of a shopper who has no other order in progress: each comes back after half a minute and more. */
  private async order(n: number): Promise<void> {
    const shopper = 1 + (Math.floor(n / 5) % shoppers);
    const headers = { ...json, ...asCaller.asShopper(shopper) };
    const line = { product_id: 1 + (n % 900), quantity: 1 };
    await this.caller.persist({ method: 'POST', path: '/api/v1/cart/add', headers, body: JSON.stringify(line) });
    const key = `order-${n}`;
    const path = '/api/v1/orders/checkout';
    const keyed = { ...headers, 'idempotency-key': key };
    const body = JSON.stringify({ shipping });
    const { id } = await this.caller.persist<{ id: number }>({ method: 'POST', path, headers: keyed, body });
    this.orders.set(key, id);
  }

  /** Appends, and lists what was appended. */
  private async append(n: number): Promise<void> {
    const scanId = benchId('scan', n % scans);
    const ids = Array.from({ length: 5 }, () => uuidV7());
    for (const id of ids) this.sentEvents.add(id);
    const event = { title: 'Request sent', description: 'GET /', level: 'INFO', stage: 'EXECUTION' };
    const body = JSON.stringify(ids.map((id) => ({ ...event, id })));
    const path = `/api/v1/scans/${scanId}/events`;
    await this.caller.persist({ method: 'POST', path, headers: asOrganization, body });
    this.events.push(...ids);
    type Page = { data: { id: string }[] };
    const list = { method: 'GET', path: `/api/v1/events?scanIds=${scanId}&size=50`, headers: asOrganization } as const;
    const { data } = await this.caller.once<Page>(list);
    const listed = new Set(data.map(({ id }) => id));
    if (!ids.every((id) => listed.has(id))) this.stale++;
  }

  private async read(path: string, headers = {}): Promise<void> {
    await this.caller.once({ method: 'GET', path, headers });
  }
}
