import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** So long without a further delivery, they have stopped: housekeeping finds what lost its job after two minutes. */
const standstillMs = 240_000;
const askMs = 500;

/** What a load was answered, and what it tried. */
interface Answered {
  /** The id of each order by its key. */
  orders: Map<string, number>;
  /** Of events that were answered, and of those that were sent. */
  events: string[];
  sentEvents: Set<string>;
  runs: string[];
  /** How often each delivery arrived. */
  arrived: Map<string, number>;
}

/** How many there are, of what was answered; how many of them are not there, and how many are there beside them. */
export interface Count {
  answered: number;
  lost: number;
  doubled: number;
  /** What became of those that are lost. */
  fates?: string[];
}

async function numbers<T extends object>(database: Client, sql: string, values: unknown[]): Promise<T> {
  const { rows } = await database.query<T>(sql, values);
  return rows[0] as T;
}

/** Each key has one order: the one that was answered, whichever of its requests was. */
async function provenOrders(database: Client, orders: Map<string, number>): Promise<Count> {
  const { there, keyless } = await numbers<{ there: number; keyless: number }>(
    database,
    `SELECT (SELECT count(*) FROM unnest($1::text[], $2::integer[]) AS answered (key, id)
               JOIN idempotency_keys k ON k.key = answered.key AND (k.response ->> 'id')::integer = answered.id
               JOIN orders o ON o.id = answered.id)::integer AS there,
            (SELECT count(*) FROM orders o WHERE NOT EXISTS (
               SELECT FROM idempotency_keys k WHERE (k.response ->> 'id')::integer = o.id))::integer AS keyless`,
    [[...orders.keys()], [...orders.values()]],
  );
  return { answered: orders.size, lost: orders.size - there, doubled: keyless };
}

/** Each event that was answered is there once, none that nobody sent, and those counted by hour are those that there are. */
async function provenEvents(database: Client, { events, sentEvents }: Answered): Promise<Count> {
  const found = await numbers<{ there: number; sent: number; all: number; counted: number }>(
    database,
    `SELECT (SELECT count(DISTINCT id) FROM scan_events WHERE id = ANY ($1::uuid[]))::integer AS there,
            (SELECT count(DISTINCT id) FROM scan_events WHERE id = ANY ($2::uuid[]))::integer AS sent,
            (SELECT count(*) FROM scan_events)::integer AS all,
            (SELECT coalesce(sum(count), 0) FROM scan_event_counts)::integer AS counted`,
    [events, [...sentEvents]],
  );
  const { there, sent, all, counted } = found;
  if (counted !== all) throw new Error(`${counted} events are counted by hour, and ${all} are there`);
  return { answered: events.length, lost: events.length - there, doubled: all - sent };
}

interface Delivery {
  id: string | null;
  run: string;
  fate: string;
}

const deliveriesOf = `
  SELECT d.id, r.id AS run, coalesce(d.status, 'no delivery') || coalesce(': ' || a.error, '') ||
         CASE WHEN r.status <> 'SENT' OR r.reason IS NOT NULL
              THEN ' of a run that is ' || r.status || coalesce(', ' || r.reason, '') ELSE '' END ||
         coalesce(', whose job was tried ' || j.attempts || ' times: ' || left(j.last_error, 80), '') AS fate
    FROM workflow_runs r
    LEFT JOIN webhook_deliveries d ON d.run_id = r.id
    LEFT JOIN LATERAL (
      SELECT error FROM webhook_attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1) AS a ON true
    LEFT JOIN graphile_worker._private_jobs j ON j.payload ->> 'deliveryId' = d.id::text OR j.payload ->> 'runId' = r.id::text
   WHERE r.id = ANY ($1::uuid[])`;

/** Each run that was answered has one delivery, which arrived. Waits as long as more of them do. */
async function provenDeliveries(database: Client, { runs, arrived }: Answered): Promise<Count> {
  for (let best = 0, until = Date.now() + standstillMs; ; await sleep(askMs)) {
    const { rows } = await database.query<Delivery>(deliveriesOf, [runs]);
    const isThere = ({ id, fate }: Delivery): boolean => fate.startsWith('DELIVERED') && arrived.has(id ?? '');
    const there = new Set(rows.filter(isThere).map(({ run }) => run));
    if (there.size > best) [best, until] = [there.size, Date.now() + standstillMs];
    if (there.size < runs.length && Date.now() < until) continue;
    return {
      answered: runs.length,
      lost: runs.length - there.size,
      // By their ids: a delivery stands in two rows while its run has a job too.
      doubled: new Set(rows.map(({ id, run }) => id ?? run)).size - new Set(rows.map(({ run }) => run)).size,
      fates: rows.filter(({ run }) => !there.has(run)).map(({ fate }) => fate),
    };
  }
}

/** Compares what was answered with what a database of the load's own holds. */
export async function proveLoad(database: Client, answered: Answered): Promise<Record<string, Count>> {
  const deliveries = await provenDeliveries(database, answered); // waits for them
  return {
    orders: await provenOrders(database, answered.orders),
    events: await provenEvents(database, answered),
    deliveries,
  };
}
