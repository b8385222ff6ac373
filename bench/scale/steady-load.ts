import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { uuidV7 } from '../../src/common/crypto/uuid-v7.js';
import { headersOf } from '../contestants.js';
import { benchId } from '../scanning/fill-organization.js';

const asCaller = headersOf('service');
const json = { 'content-type': 'application/json' };
const shipping = { first_name: 'Ada', last_name: 'Bench', address: '1 Loop Road', city: 'Leeds', zip_code: 'LS1' };
const answerMs = 15_000;
const intervalMs = 20;

interface Failure {
  at: number;
  what: string;
}

/** What a load came to. */
export interface LoadReport {
  requests: number;
  failures: string[];
  /** From the first failure to the last. */
  secondsOfFailure: number;
  /** When the last failure was, by `performance.now()`; 0 where there was none. */
  lastFailureAt: number;
  /** Orders and events that were answered and are not there, or are there twice. */
  lost: number;
  doubled: number;
}

/** Fifty requests a second, of orders, appends and reads, whatever becomes of them; and the proof of what they left. */
export class SteadyLoad {
  private requests = 0;
  private readonly failures: Failure[] = [];
  private readonly orders: number[] = [];
  private readonly events: string[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly baseUrl: string) {
    this.running = this.run();
  }

  /** Ends the load, and compares what was answered with what the database holds. */
  async finish(database: Client): Promise<LoadReport> {
    this.stopping.abort();
    await this.running;
    await Promise.all(this.underWay);
    const counted = async (sql: string, ids: unknown[]) => {
      const { rows } = await database.query<{ there: number; twice: number }>(sql, [ids]);
      const { there = 0, twice = 0 } = rows[0] ?? {};
      return { lost: ids.length - there, twice };
    };
    const ofOrders = await counted(
      `SELECT count(*)::integer AS there,
              (SELECT count(*) FROM (SELECT FROM order_items GROUP BY order_id, product_id HAVING count(*) > 1) AS d)::integer
                AS twice
         FROM orders WHERE id = ANY ($1::integer[])`,
      this.orders,
    );
    const ofEvents = await counted(
      `SELECT count(DISTINCT id)::integer AS there, (count(*) - count(DISTINCT id))::integer AS twice
         FROM scan_events WHERE id = ANY ($1::uuid[])`,
      this.events,
    );
    const times = this.failures.map(({ at }) => at);
    return {
      requests: this.requests,
      failures: this.failures.map(({ what }) => what),
      secondsOfFailure: times.length > 0 ? (Math.max(...times) - Math.min(...times)) / 1_000 : 0,
      lastFailureAt: Math.max(0, ...times),
      lost: ofOrders.lost + ofEvents.lost,
      doubled: ofOrders.twice + ofEvents.twice,
    };
  }

  private async run(): Promise<void> {
    const kinds = [
      (n: number) => this.order(n),
      (n: number) => this.append(n),
      (n: number) => this.read(`/api/v1/products/?skip=${n % 900}&limit=10`),
      (n: number) => this.read(`/api/v1/products/${1 + (n % 900)}`),
    ];
    const { signal } = this.stopping;
    for (let n = 0; !signal.aborted; n++) {
      const one = (kinds[n % kinds.length] ?? kinds[0])?.(n).catch((error: unknown) => {
        this.failures.push({ at: performance.now(), what: error instanceof Error ? error.message : String(error) });
      });
      if (one) {
        this.underWay.add(one);
        void one.then(() => this.underWay.delete(one));
      }
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async order(n: number): Promise<void> {
    const headers = { ...json, ...asCaller.asShopper(1 + (n % 900)) };
    const line = { product_id: 1 + (n % 900), quantity: 1 };
    await this.send('POST', '/api/v1/cart/add', headers, JSON.stringify(line));
    const body = JSON.stringify({ shipping });
    const { id } = (await this.send('POST', '/api/v1/orders/checkout', headers, body)) as { id: number };
    this.orders.push(id);
  }

  private async append(n: number): Promise<void> {
    const ids = Array.from({ length: 5 }, () => uuidV7());
    const event = { title: 'Request sent', description: 'GET /', level: 'INFO', stage: 'EXECUTION' };
    const body = JSON.stringify(ids.map((id) => ({ ...event, id })));
    const path = `/api/v1/scans/${benchId('scan', n % 100)}/events`;
    await this.send('POST', path, { ...json, ...asCaller.asOrganization }, body);
    this.events.push(...ids);
  }

  private async read(path: string): Promise<void> {
    await this.send('GET', path, {});
  }

  private async send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<unknown> {
    this.requests++;
    const what = `${method} ${path.replace(/\?.*/, '').replace(/\/\d[\w-]*/g, '/…')}`;
    const sent = { method, headers, signal: AbortSignal.timeout(answerMs), ...(body === undefined ? {} : { body }) };
    let response: Response;
    try {
      response = await fetch(`${this.baseUrl}${path}`, sent);
    } catch (error) {
      const { cause = error } = error as Error;
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${what}: ${words}`, { cause: error });
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${what}: ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  }
}
