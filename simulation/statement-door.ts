import pg from 'pg';
import { planSettings } from '../src/database/connections/connection-extras.js';
import { Actor, Life, whereabouts } from './whereabouts.js';

/** A statement that somebody's work wants to send. */
export interface Statement {
  actor: Actor;
  life: Life;
  client: pg.Client;
  /** Its text. */
  text: string;
  /** Its place among the statements of its actor. */
  number: number;
  /** Sends it; resolves or rejects as PostgreSQL answers. */
  send(): Promise<unknown>;
  /** Tells the caller how it ended. */
  answer(result: unknown): void;
  refuse(error: Error): void;
}

type Call = (...parts: unknown[]) => unknown;

/** What pg throws where a connection ends. */
export class ConnectionLost extends Error {
  constructor(
    /** Whether its whole node has ended: what the code there still does is of no matter. */
    readonly isOfDead = false,
  ) {
    super('Connection terminated unexpectedly');
  }
}

function textOf(first: unknown): string {
  return typeof first === 'string' ? first : ((first as { text?: string } | null)?.text ?? '');
}

/** Cuts a connection as the end of a process does: PostgreSQL finds it closed. */
export async function cut(client: pg.Client): Promise<void> {
  const { stream } = client.connection;
  if (stream.destroyed) return;
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.destroy();
  await closed;
}

/**
 * Stands at the public methods of pg's `Client`, for all connections of the process: the statements of somebody's work wait
 * until `take` sends them, and nothing reaches the database from a node that has ended. COPY passes.
 */
export class StatementDoor {
  private readonly lives = new WeakMap<pg.Client, Life>();
  private take: ((statement: Statement) => void) | undefined;

  constructor() {
    this.stand('query', (client, parts, query) => this.queried(client, parts, query));
    this.stand('connect', (client, parts, connect) => this.connected(client, parts, () => connect(parts)));
  }

  /** From now on hands the statements of actors to `take`; without it, they pass. */
  guard(take: ((statement: Statement) => void) | undefined): void {
    this.take = take;
  }

  /** Puts `door` in the place of a public method of all clients. */
  private stand(
    name: 'query' | 'connect',
    door: (client: pg.Client, parts: unknown[], really: (parts: unknown[]) => unknown) => unknown,
  ): void {
    const really = Reflect.get(pg.Client.prototype, name) as Call;
    const method = function (this: pg.Client, ...parts: unknown[]): unknown {
      return door(this, parts, (given) => Reflect.apply(really, this, given));
    };
    Reflect.set(pg.Client.prototype, name, method);
  }

  private connected(client: pg.Client, parts: unknown[], connect: () => unknown): unknown {
    const life = whereabouts.getStore()?.life;
    if (!life) return connect();
    if (life.hasEnded) return refused(parts[0]);
    this.lives.set(client, life);
    life.clients.add(client);
    client.once('end', () => life.clients.delete(client));
    return connect();
  }

  private queried(client: pg.Client, parts: unknown[], query: (rest: unknown[]) => unknown): unknown {
    const life = this.lives.get(client);
    if (!life || typeof (parts[0] as { submit?: unknown } | null)?.submit === 'function') return query(parts);
    const callback = typeof parts.at(-1) === 'function' ? (parts.at(-1) as Call) : undefined;
    if (life.hasEnded) return refused(callback);
    const actor = whereabouts.getStore()?.actor;
    const { take } = this;
    // What a connection begins with: whether one is new says nothing about the work.
    if (!actor || !take || textOf(parts[0]).startsWith(planSettings)) return query(parts);
    const rest = callback ? parts.slice(0, -1) : parts;
    const number = ++actor.statements;
    const ended = new Promise((answer, refuse) => {
      const send = () => query(rest) as Promise<unknown>;
      take({ actor, life, client, text: textOf(parts[0]), number, send, answer, refuse });
    });
    if (!callback) return ended;
    ended.then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
    return undefined;
  }
}

/** As pg refuses: to the callback, or by the promise. */
function refused(callback: unknown): unknown {
  const error = new ConnectionLost(true);
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(() => (callback as Call)(error));
  return undefined;
}
