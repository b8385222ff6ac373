import { stat } from 'node:fs';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client, Pool } from 'pg';
import { realNow, type SimulatedClock } from './clock.js';
import type { Random } from './random.js';
import { ConnectionLost, type Process, type Statement, type StatementDoor } from './statement-door.js';
import type { SimulatedTimers } from './timers.js';
import type { Actor, Life } from './whereabouts.js';

/**
 * For how many rounds of the event loop nothing may happen before those who neither wait for a turn nor are done count as
 * waiting for others in the process: more than anything has on its way between a client and a node.
 */
const stillRounds = 48;
/** The same where everybody waits for a turn: what else a node had begun to do comes to the door. */
const fewRounds = 6;
/** In each of so many rounds, the thread pool has done what it was asked for. */
const roundsOfPool = 8;
/** How long a statement may take before it is looked up whether it waits for a lock; each further look waits twice as long. */
const lockLookMs = 3;
const longestLookMs = 48;
/** How long a step may make no progress at all, by the real clock. */
const stuckMs = 60_000;
/** How much time may pass in a step while all wait. */
const longestStepMs = 3_600_000;

/** Somebody does not come to an end, however much time passes. */
export class NeverDone extends Error {}

/** What befalls a statement. */
export type Befalling = 'nothing' | 'lost-before' | 'lost-after' | 'hang-up' | 'node-before' | 'node-after' | 'clock';

/** What the simulator does about a fault that is more than a lost connection. */
export interface Faults {
  befalls(statement: Statement): Befalling;
  endNode(life: Life, why: string): Promise<void>;
  jump(): Promise<void>;
  note(what: string): void;
}

/** What a step is made of. */
export interface Work {
  actor: Actor;
  work: () => Promise<void>;
}

/** Something that somebody waits for has happened. */
interface Unheard {
  by: Pick<Statement, 'actor' | 'text' | 'number'>;
  tell: () => Promise<void> | void;
}

interface Surroundings {
  door: StatementDoor;
  clock: SimulatedClock;
  timers: SimulatedTimers;
  /** Connections of the simulator's own. */
  database: Pool;
}

/**
 * Who is connected, by its port, and for whose locks each waits: by the table of locks, which knows at once who was given one. Shared
 * writes (`write-pipeline.ts`) wait a tenth of a second by PostgreSQL's clock: they are left to wait, so that it is always over.
 */
const connections = `
  SELECT pid, client_port AS port,
         CASE WHEN application_name = 'store-service writes' THEN '{}' ELSE pg_blocking_pids(pid) END AS blockers
    FROM pg_stat_activity
   WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

const looked = promisify(stat);

/**
 * Lets the statements of a step through one at a time, in the order of the seed. A statement that waits for a lock lets the
 * next one go; it goes on when PostgreSQL gives it the lock. Time passes when all wait for it.
 */
export class Turnstile {
  private waiting: Statement[] = [];
  private readonly sent = new Set<Statement>();
  /** Statements that PostgreSQL has ended, and requests that a node has answered: nobody has heard of them yet. */
  private unheard: Unheard[] = [];
  private isStepping = false;
  /** The processes of PostgreSQL that were stopped while they wait for a lock, by the ports of their connections. */
  private readonly stopped = new Map<number, number>();
  private actors: Actor[] = [];
  private happenings = 0;
  private progressAt = 0;

  constructor(
    private readonly around: Surroundings,
    private readonly random: Random,
    private readonly faults: Faults,
  ) {}

  /** Does the work of all actors, and what it leaves behind. */
  async step(works: Work[]): Promise<void> {
    const { door, clock, timers } = this.around;
    const end = clock.elapsed + longestStepMs;
    this.actors = [];
    this.isStepping = true;
    door.guard((statement) => this.arrive(statement));
    this.happened();
    const all: Promise<void>[] = [];
    try {
      while ((timers.dueIn ?? 1) <= 0) {
        timers.fire();
        await this.untilQuiet();
      }
      for (const work of works) {
        all.push(this.begin(work));
        await this.untilQuiet();
      }
      while (await this.one()) {
        if (clock.elapsed > end) throw new NeverDone(`An hour passed, and not all is done: ${this.describe()}`);
      }
    } finally {
      this.isStepping = false;
      door.guard(undefined);
      for (const port of this.stopped.keys()) this.goOn(port);
    }
    for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason;
  }

  /** Resolves when whoever was answered may go on. */
  hear(actor: Actor): Promise<void> {
    if (!this.isStepping) return Promise.resolve();
    return new Promise((resolve) => {
      this.unheard.push({ by: { actor, text: '', number: actor.statements }, tell: resolve });
      this.happened();
    });
  }

  /** Refuses what a node that has ended wants to send. */
  drop(life: Life): void {
    const theirs = this.waiting.filter((one) => one.life === life);
    this.waiting = this.waiting.filter((one) => one.life !== life);
    for (const statement of theirs) statement.refuse(new ConnectionLost(statement.life.hasEnded));
    this.happened();
  }

  /** Waits until PostgreSQL has noticed which connections were cut, but for those that wait for locks. */
  async untilNoticed(): Promise<void> {
    for (;;) {
      const connected = await this.connected();
      if (this.doWait(this.around.door.cutOffOf(connected), connected)) return;
      await sleep(1);
    }
  }

  private begin({ actor, work }: Work): Promise<void> {
    this.actors.push(actor);
    const done = work().finally(() => {
      actor.isDone = true;
      this.happened();
    });
    done.catch(() => undefined);
    return done;
  }

  private arrive(statement: Statement): void {
    this.waiting.push(statement);
    this.happened();
  }

  private happened(): void {
    this.happenings += 1;
    this.progressAt = realNow();
  }

  /** Lets one statement through, or time pass; false once all is done. */
  private async one(): Promise<boolean> {
    await this.untilQuiet();
    const next = this.choose();
    if (next) await this.pass(next);
    else if (this.waiting.length === 0 && this.sent.size === 0 && this.actors.every(({ isDone }) => isDone))
      return false;
    else await this.letTimePass();
    return true;
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

  /** Nobody can go on: the next timer is over. */
  private async letTimePass(): Promise<void> {
    const { clock, timers, database } = this.around;
    const { dueIn } = timers;
    if (dueIn !== undefined) {
      if (dueIn > 0) await clock.advance(dueIn, database);
      return timers.fire();
    }
    if (realNow() - this.progressAt > stuckMs) throw new Error(`Nothing goes on: ${this.describe()}`);
    await sleep(lockLookMs);
  }

  private async pass(statement: Statement): Promise<void> {
    const befalling = this.faults.befalls(statement);
    const { life, actor } = statement;
    const where = `${actor.name} at node ${life.node}, statement ${statement.number}`;
    if (befalling === 'hang-up' && actor.hangUp) {
      this.faults.note(`the connection of ${where} was cut by the client`);
      actor.hangUp('the client hung up');
      for (let round = 0; round < stillRounds; round++) await this.round(round);
    }
    if (befalling === 'clock') await this.faults.jump();
    if (befalling === 'lost-before') {
      this.faults.note(`the database connection of ${where} was lost before it was sent`);
      await this.cut(statement);
      return;
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
      // Where its connection was cut, its process still waits.
      if (!this.around.door.isCutOff(statement.client)) this.goOn(this.portOf(statement));
      if (!life.hasEnded) await this.around.door.beHeard(statement);
      const tell = async (): Promise<void> => {
        if (befalling === 'lost-after') {
          this.faults.note(`the database connection of ${where} was lost after it was sent`);
          await this.cut(statement);
        } else if (befalling === 'node-after' && !life.hasEnded) {
          await this.faults.endNode(life, `after ${where}`);
          statement.refuse(new ConnectionLost(statement.life.hasEnded));
        } else {
          outcome();
        }
      };
      this.unheard.push({ by: statement, tell });
      this.sent.delete(statement);
      this.happened();
    };
    const isOver = new AbortController();
    await Promise.race([end().finally(() => isOver.abort()), this.untilLocked(isOver.signal)]);
  }

  private async cut(statement: Statement): Promise<void> {
    await this.around.door.cut(statement.client);
    await this.untilNoticed();
    statement.refuse(new ConnectionLost(statement.life.hasEnded));
  }

  /**
   * Resolves when all statements that were sent wait for locks, and not for each other; or when nobody needs to know any more.
   * Those count whose connections were cut while they wait: PostgreSQL will notice once they have their locks.
   */
  private async untilLocked(needless?: AbortSignal): Promise<void> {
    const { door } = this.around;
    const isOver = (): boolean => needless?.aborted === true || (this.sent.size === 0 && !door.hasCutOff);
    let wait = lockLookMs;
    while (!isOver()) {
      await sleep(wait);
      wait = Math.min(2 * wait, longestLookMs);
      const connected = await this.connected();
      if (isOver()) return;
      const ports = new Set([...door.cutOffOf(connected), ...[...this.sent].map((one) => this.portOf(one))]);
      const before = this.stopped.size;
      const inCycle = [...ports].find((port) => isInCycle(connected, port));
      if (inCycle === undefined && this.doWait([...ports], connected)) return;
      // PostgreSQL ends it.
      if (inCycle !== undefined) this.goOn(inCycle);
      if (this.stopped.size !== before) wait = lockLookMs;
      if (realNow() - this.progressAt > stuckMs) throw new Error(`PostgreSQL does not answer: ${this.describe()}`);
    }
  }

  /**
   * Whether all of these connections wait for locks. PostgreSQL wakes all who wait for a row once it was changed, and the quickest
   * gets the next lock of it. So a process is stopped while it waits, and goes on once it was given its lock: one after the other,
   * in this order.
   */
  private doWait(ports: readonly number[], connected: ReadonlyMap<number, Process>): boolean {
    const isLocked = (port: number): boolean => (connected.get(port)?.blockers.length ?? 0) > 0;
    const running = ports.filter((port) => !this.stopped.has(port));
    if (!running.every(isLocked)) return false;
    for (const port of running) this.stop(port, connected.get(port));
    const next = ports.find((port) => !isLocked(port));
    if (next !== undefined) this.goOn(next);
    return next === undefined;
  }

  private stop(port: number, its: Process | undefined): void {
    if (its && signal(its.pid, 'SIGSTOP')) this.stopped.set(port, its.pid);
  }

  private goOn(port: number): void {
    const pid = this.stopped.get(port);
    if (pid !== undefined) signal(pid, 'SIGCONT');
    this.stopped.delete(port);
  }

  private portOf({ client }: Statement): number {
    return this.around.door.portOf(client) ?? 0;
  }

  private async connected(): Promise<Map<number, Process>> {
    const { rows } = await this.around.database.query<Process & { port: number }>(connections);
    const ports = new Map(rows.map(({ pid, port }) => [pid, port]));
    const portsOf = (pids: readonly number[]): number[] => pids.map((pid) => ports.get(pid) ?? 0);
    return new Map(rows.map(({ pid, port, blockers }) => [port, { pid, blockers: portsOf(blockers) }]));
  }

  /**
   * Resolves when everybody waits for a turn, for a lock, for time or for somebody else, or is done. A commit may let several
   * go on at once, and so may what a node does once for all who ask for it: they hear of it one after the other.
   */
  private async untilQuiet(): Promise<void> {
    await this.untilLocked();
    do {
      const next = this.unheard.sort((one, other) => orderOf(one.by, other.by)).shift();
      await next?.tell();
      await this.untilStill();
    } while (this.unheard.length > 0);
  }

  private async untilStill(): Promise<void> {
    const begun = realNow();
    for (let still = 0; still < (this.isSomebodyBusy ? stillRounds : fewRounds);) {
      const before = this.happenings;
      await this.round(still);
      if (this.around.door.isPassing) await sleep(1);
      still = before === this.happenings && !this.around.door.isPassing ? still + 1 : 0;
      if (realNow() - begun > stuckMs && this.around.door.isPassing)
        throw new Error(`A connection stays half open: ${this.describe()}`);
    }
  }

  /** A round of the event loop; some are with all that Node.js's only thread for files and passwords had to do. */
  private async round(number: number): Promise<void> {
    if (number % roundsOfPool === roundsOfPool - 1) await looked('/');
    await turn();
  }

  /** Whether somebody may be on the way to a statement, or all are done and may have left something to do behind. */
  private get isSomebodyBusy(): boolean {
    return (
      this.actors.some((actor) => !actor.isDone && !this.isWaiting(actor)) ||
      (this.waiting.length === 0 && this.sent.size === 0)
    );
  }

  private isWaiting(actor: Actor): boolean {
    const isTheirs = (one: Statement): boolean => actor.isAnybody || one.actor === actor;
    return this.waiting.some(isTheirs) || [...this.sent].some(isTheirs);
  }

  private describe(): string {
    const names = this.actors.filter(({ isDone }) => !isDone).map(({ name }) => name);
    const statements = [...this.waiting, ...this.sent].map(({ actor, text }) => `${actor.name}: ${text.slice(0, 80)}`);
    return `${names.join(', ')} not done; ${statements.join('; ')}`;
  }
}

/** Whether somebody waits for those who wait for it: PostgreSQL will end one of them. */
function isInCycle(connected: ReadonlyMap<number, Process>, port: number): boolean {
  const comesBack = (from: number, seen: Set<number>): boolean =>
    (connected.get(from)?.blockers ?? []).some((next) => {
      if (next === port) return true;
      return !seen.has(next) && comesBack(next, seen.add(next));
    });
  return comesBack(port, new Set());
}

/** Signals a process of PostgreSQL; false if it has ended. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function orderOf(one: Unheard['by'], other: Unheard['by']): number {
  return compare(one.actor.name, other.actor.name) || compare(one.text, other.text) || one.number - other.number;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
