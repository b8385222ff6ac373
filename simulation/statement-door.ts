import { AsyncResource } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { planSettings } from '../src/database/connections/connection-extras.js';
import { type Actor, type Life, whereabouts } from './whereabouts.js';

/** A statement that somebody's work wants to send; a COPY with all of its lines. */
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
/** What pg sends as its own `Query`: the stream of a COPY. */
type Submitted = Writable & { text?: string; submit(connection: unknown): unknown };

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

function isSubmitted(first: unknown): first is Submitted {
  return typeof (first as { submit?: unknown } | null)?.submit === 'function';
}

/** Statements that tell nobody anything. */
const silent = /^\s*(?:SELECT|SET|SHOW|LISTEN|BEGIN|START)\b(?![^]*(?:pg_notify|add_job))/i;

/** A connection's process of PostgreSQL, and the ports of those whose locks it waits for. */
export interface Process {
  pid: number;
  blockers: number[];
}

/**
 * Stands at the public methods of pg's `Client`, for all connections of the process: the statements of nodes wait until `take`
 * sends them, and nothing reaches the database from a node that has ended.
 */
export class StatementDoor {
  private readonly lives = new WeakMap<pg.Client, Life>();
  private readonly ports = new WeakMap<pg.Client, number>();
  /** Connections that are being made. */
  private readonly opening = new Set<pg.Client>();
  private readonly listening = new Set<pg.Client>();
  /** The last question to those who listen. */
  private heard: Promise<unknown> = Promise.resolve();
  /** The ports of connections that were cut, which PostgreSQL may not have noticed. */
  private readonly cutOff = new Set<number>();
  /** How many statements that passed are yet to be answered, by their connections. */
  private readonly passing = new Map<pg.Client, number>();
  private take: ((statement: Statement) => void) | undefined;
  private readonly really: Call;

  constructor() {
    this.really = this.stand('query', (client, parts, query) => this.queried(client, parts, query));
    this.stand('connect', (client, parts, connect) => this.connected(client, parts, () => connect(parts)));
  }

  /** From now on hands the statements of nodes to `take`; without it, they pass. */
  guard(take: ((statement: Statement) => void) | undefined): void {
    this.take = take;
  }

  /** Whether PostgreSQL has yet to answer something that passed, such as what a connection begins with. */
  get isPassing(): boolean {
    return this.passing.size > 0 || this.opening.size > 0;
  }

  /** The port of a connection on this side, by which PostgreSQL knows it. */
  portOf(client: pg.Client): number | undefined {
    return this.ports.get(client);
  }

  /** Cuts a connection as the end of a process does: PostgreSQL finds it closed. */
  async cut(client: pg.Client): Promise<void> {
    const { stream } = client.connection;
    const port = this.ports.get(client);
    if (port !== undefined) this.cutOff.add(port);
    this.forget(client);
    if (stream.destroyed) return;
    const closed = new Promise((resolve) => stream.once('close', resolve));
    // What its node does about that is the node's, and not the simulator's.
    const life = this.lives.get(client);
    if (life) whereabouts.run({ life }, () => stream.destroy());
    else stream.destroy();
    await closed;
  }

  /** The ports of connections that were cut, which PostgreSQL has not noticed, given whoever is connected. */
  cutOffOf(connected: ReadonlyMap<number, Process>): number[] {
    for (const port of this.cutOff) if (!connected.has(port)) this.cutOff.delete(port);
    return [...this.cutOff];
  }

  get hasCutOff(): boolean {
    return this.cutOff.size > 0;
  }

  isCutOff(client: pg.Client): boolean {
    return this.cutOff.has(this.ports.get(client) ?? 0);
  }

  /** Waits until whoever listens has heard what a statement told, now that it has ended. */
  async beHeard({ client, text }: Statement): Promise<void> {
    if (silent.test(text) || client.getTransactionStatus() === 'T') return;
    // PostgreSQL hands on what was told before it says that it is ready for more. A client is asked one question at a time.
    const ask = (one: pg.Client) => Promise.resolve(Reflect.apply(this.really, one, ['SELECT 1']));
    this.heard = this.heard.then(() => Promise.allSettled([...this.listening].map(ask)));
    await this.heard;
  }

  /** Puts `door` in the place of a public method of all clients; returns what was there. */
  private stand(
    name: 'query' | 'connect',
    door: (client: pg.Client, parts: unknown[], really: (parts: unknown[]) => unknown) => unknown,
  ): Call {
    const really = Reflect.get(pg.Client.prototype, name) as Call;
    const method = function (this: pg.Client, ...parts: unknown[]): unknown {
      return door(this, parts, (given) => Reflect.apply(really, this, given));
    };
    Reflect.set(pg.Client.prototype, name, method);
    return really;
  }

  private connected(client: pg.Client, parts: unknown[], connect: () => unknown): unknown {
    const life = whereabouts.getStore()?.life;
    if (!life) return connect();
    if (life.hasEnded) return refused(parts[0]);
    this.lives.set(client, life);
    life.clients.add(client);
    this.opening.add(client);
    client.once('connect', () => {
      this.opening.delete(client);
      const { localPort } = client.connection.stream as Socket;
      if (localPort !== undefined) this.ports.set(client, localPort);
    });
    client.once('error', () => this.opening.delete(client));
    client.once('end', () => {
      this.forget(client);
      life.clients.delete(client);
    });
    return connect();
  }

  private queried(client: pg.Client, parts: unknown[], query: (rest: unknown[]) => unknown): unknown {
    const life = this.lives.get(client);
    if (!life) return query(parts);
    const [first] = parts;
    const callback = typeof parts.at(-1) === 'function' ? (parts.at(-1) as Call) : undefined;
    if (life.hasEnded) return isSubmitted(first) ? first.destroy(new ConnectionLost(true)) : refused(callback);
    const { take } = this;
    const text = textOf(first);
    if (text.startsWith('LISTEN')) this.listening.add(client);
    const actor = whereabouts.getStore()?.actor ?? life.house;
    // What a connection begins with passes: whether one is new says nothing about the work.
    const passes = !take || text.startsWith(planSettings);
    if (isSubmitted(first)) {
      if (take) this.hold(first, (rest) => take({ actor, life, client, text, number: ++actor.statements, ...rest }));
      return query(parts);
    }
    const rest = callback ? parts.slice(0, -1) : parts;
    // Whatever sends it: how long a statement may take is its node's, too.
    const send = AsyncResource.bind(() => query(rest) as Promise<unknown>);
    const ended = passes
      ? this.pass(client, send)
      : new Promise((answer, refuse) => {
          take({ actor, life, client, text, number: ++actor.statements, send, answer, refuse });
        });
    if (!callback) return ended;
    ended.then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
    return undefined;
  }

  /** Counts it as long as it is not answered. */
  private async pass(client: pg.Client, send: () => Promise<unknown>): Promise<unknown> {
    this.passing.set(client, (this.passing.get(client) ?? 0) + 1);
    try {
      return await send();
    } finally {
      const left = (this.passing.get(client) ?? 1) - 1;
      if (left > 0) this.passing.set(client, left);
      else this.passing.delete(client);
    }
  }

  /** A connection that ends answers nothing any more. */
  private forget(client: pg.Client): void {
    this.opening.delete(client);
    this.passing.delete(client);
    this.listening.delete(client);
  }

  /** Has a stream wait for its turn before its first byte is sent; the turn ends with the stream. */
  private hold(stream: Submitted, take: (rest: Pick<Statement, 'send' | 'answer' | 'refuse'>) => void): void {
    const submit = stream.submit.bind(stream);
    const ended = finished(stream);
    ended.catch(() => undefined);
    const ignore = (): void => undefined;
    stream.submit = (connection: unknown) => {
      const send = (): Promise<unknown> => {
        submit(connection);
        return ended;
      };
      // The stream tells its caller itself how it ended.
      take({ send, answer: ignore, refuse: ignore });
    };
  }
}

/** As pg refuses: to the callback, or by the promise. */
function refused(callback: unknown): unknown {
  const error = new ConnectionLost(true);
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(() => (callback as Call)(error));
  return undefined;
}
