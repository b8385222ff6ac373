import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import type { Random } from './random.js';
import { ConnectionLost, cut, type Statement, type StatementDoor } from './statement-door.js';
import type { Actor, Life } from './whereabouts.js';

/**
 * How long nothing may happen before those who neither wait for a turn nor are done count as waiting for others: longer than
 * anything takes on its way between a client and a node, or a password's hash.
 */
const patienceMs = 300;
/** How long what a request left behind may take to its next statement. */
const leftoverMs = 15;
/** How long a statement may take before it is looked up whether it waits for a lock. */
const lockLookMs = 3;
/** How long a step may make no progress at all. */
const stuckMs = 60_000;

/** What befalls a statement. */
export type Befalling = 'nothing' | 'lost-before' | 'lost-after' | 'hang-up' | 'node-before' | 'node-after' | 'clock';

/** What the simulator does about a fault that is more than a lost connection. */
export interface Faults {
  befalls(statement: Statement): Befalling;
  endNode(life: Life, why: string): Promise<void>;
  jump(): Promise<void>;
  note(what: string): void;
}

const waitingForLocks = `
  SELECT count(*)::integer AS waiting FROM pg_stat_activity
   WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`;

/**
 * Lets the statements of a step through one at a time, in the order of the seed. A statement that waits for a lock lets the
 * next one go; it goes on when PostgreSQL gives it the lock.
 */
export class Turnstile {
  private waiting: Statement[] = [];
  private readonly sent = new Set<Statement>();
  private actors: Actor[] = [];
  private happenedAt = 0;
  private wake: () => void = () => undefined;

  constructor(
    private readonly door: StatementDoor,
    private readonly random: Random,
    private readonly faults: Faults,
    /** Connections of the simulator's own. */
    private readonly database: Pool,
  ) {}

  /** Does the work of all actors, and what it leaves behind. */
  async step(works: { actor: Actor; work: () => Promise<void> }[]): Promise<void> {
    this.actors = works.map(({ actor }) => actor);
    this.door.guard((statement) => this.arrive(statement));
    this.happened();
    const done = works.map(async ({ actor, work }) => {
      try {
        await work();
      } finally {
        actor.isDone = true;
        this.happened();
      }
    });
    const all = Promise.allSettled(done);
    try {
      while (await this.one());
    } finally {
      this.door.guard(undefined);
    }
    for (const end of await all) if (end.status === 'rejected') throw end.reason;
  }

  /** Refuses what a node that has ended wants to send. */
  drop(life: Life): void {
    const [theirs, others] = [
      this.waiting.filter((one) => one.life === life),
      this.waiting.filter((one) => one.life !== life),
    ];
    this.waiting = others;
    for (const statement of theirs) statement.refuse(new ConnectionLost(statement.life.hasEnded));
    this.happened();
  }

  private arrive(statement: Statement): void {
    this.waiting.push(statement);
    this.happened();
  }

  private happened(): void {
    this.happenedAt = performance.now();
    this.wake();
  }

  /** Lets one statement through; false once all is done. */
  private async one(): Promise<boolean> {
    await this.untilQuiet();
    const next = this.choose();
    if (next) await this.pass(next);
    return next !== undefined || this.sent.size > 0 || this.actors.some(({ isDone }) => !isDone);
  }

  /** The first statement of one of the connections. */
  private choose(): Statement | undefined {
    const first = new Map<Client, Statement>();
    for (const statement of this.waiting) {
      if (!first.has(statement.client) && ![...this.sent].some(({ client }) => client === statement.client))
        first.set(statement.client, statement);
    }
    const heads = [...first.values()].sort((one, other) => orderOf(one, other));
    if (heads.length === 0) return undefined;
    const next = this.random.pick(heads);
    this.waiting = this.waiting.filter((statement) => statement !== next);
    return next;
  }

  private async pass(statement: Statement): Promise<void> {
    const befalling = this.faults.befalls(statement);
    const { life, actor } = statement;
    const where = `${actor.name} at node ${life.node}, statement ${statement.number}`;
    if (befalling === 'hang-up' && actor.hangUp) {
      this.faults.note(`the connection of ${where} was cut by the client`);
      actor.hangUp();
    }
    if (befalling === 'clock') await this.faults.jump();
    if (befalling === 'lost-before') {
      this.faults.note(`the database connection of ${where} was lost before it was sent`);
      await cut(statement.client);
      return statement.refuse(new ConnectionLost(statement.life.hasEnded));
    }
    if (befalling === 'node-before') {
      await this.faults.endNode(life, `before ${where}`);
      return statement.refuse(new ConnectionLost(statement.life.hasEnded));
    }
    await this.send(statement, befalling);
  }

  private async send(statement: Statement, befalling: Befalling): Promise<void> {
    const { life, actor } = statement;
    const where = `${actor.name} at node ${life.node}, statement ${statement.number}`;
    this.sent.add(statement);
    const end = async (): Promise<void> => {
      const outcome = await statement.send().then(
        (result) => () => statement.answer(result),
        (error: Error) => () => statement.refuse(error),
      );
      if (befalling === 'lost-after') {
        this.faults.note(`the database connection of ${where} was lost after it was sent`);
        await cut(statement.client);
        statement.refuse(new ConnectionLost(statement.life.hasEnded));
      } else if (befalling === 'node-after' && !life.hasEnded) {
        await this.faults.endNode(life, `after ${where}`);
        statement.refuse(new ConnectionLost(statement.life.hasEnded));
      } else {
        outcome();
      }
      this.sent.delete(statement);
      this.happened();
    };
    const ended = end();
    await Promise.race([ended, this.untilLocked()]);
  }

  /** Resolves when all statements that were sent wait for locks. */
  private async untilLocked(): Promise<void> {
    for (;;) {
      await sleep(lockLookMs);
      if (this.sent.size === 0) return;
      const { rows } = await this.database.query<{ waiting: number }>(waitingForLocks);
      if ((rows[0]?.waiting ?? 0) >= this.sent.size) return;
    }
  }

  /** Resolves when everybody waits for a turn, for a lock or for somebody else, or is done. */
  private async untilQuiet(): Promise<void> {
    for (const begun = performance.now(); ;) {
      await turn();
      await turn();
      if (this.sent.size > 0) await this.untilLocked();
      const busy = this.actors.filter((actor) => !actor.isDone && !this.isWaiting(actor));
      if (busy.length === 0 && this.sent.size === 0) return this.untilLeftovers();
      if (busy.length === 0 && this.waiting.length > 0) return;
      const silence = performance.now() - this.happenedAt;
      if (silence > patienceMs && this.choosable) return;
      if (performance.now() - begun > stuckMs) throw new Error(`Nothing goes on: ${this.describe()}`);
      await this.untilSomething(patienceMs);
    }
  }

  /** What is done for nobody any more may still be on its way to its next statement. */
  private async untilLeftovers(): Promise<void> {
    if (this.waiting.length > 0 || this.actors.some(({ isDone }) => !isDone)) return;
    while (this.waiting.length === 0 && performance.now() - this.happenedAt < leftoverMs)
      await this.untilSomething(leftoverMs);
  }

  private get choosable(): boolean {
    return this.waiting.some(({ client }) => ![...this.sent].some((sent) => sent.client === client));
  }

  private isWaiting(actor: Actor): boolean {
    return this.waiting.some((one) => one.actor === actor) || [...this.sent].some((one) => one.actor === actor);
  }

  private async untilSomething(ms: number): Promise<void> {
    const timer = new AbortController();
    const happened = new Promise<void>((resolve) => (this.wake = resolve));
    await Promise.race([happened, sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }

  private describe(): string {
    const names = this.actors.filter(({ isDone }) => !isDone).map(({ name }) => name);
    const statements = [...this.waiting, ...this.sent].map(({ actor, text }) => `${actor.name}: ${text.slice(0, 80)}`);
    return `${names.join(', ')} not done; ${statements.join('; ')}`;
  }
}

function orderOf(one: Statement, other: Statement): number {
  return compare(one.actor.name, other.actor.name) || compare(one.text, other.text) || one.number - other.number;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
