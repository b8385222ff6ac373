import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { AppParts } from '../src/app.module.js';
import { makeAdmin } from '../src/cli/serving.js';
import { Secrets } from '../src/config/secrets.js';
import { loadSettings } from '../src/config/settings.js';
import { DatabaseAddress } from '../src/database/connections/database-address.js';
import { KeyCheck } from '../src/database/key-check.js';
import { JobRunner } from '../src/platform/jobs/job-runner.js';
import { DeadWorkers } from '../src/platform/jobs/dead-workers.js';
import { workerIsAlive } from '../src/platform/jobs/jobs.statements.js';
import { makeLogger } from '../src/platform/http/request-log.js';
import { Caller } from './caller.js';
import { realNow, type SimulatedClock } from './clock.js';
import { FaultPlan } from './fault-plan.js';
import { type Answer, type EndState, History, isLost } from './history.js';
import { SimulatedNode } from './node.js';
import { SimulatedOutside } from './outside.js';
import { Random } from './random.js';
import { Receivers } from './receivers.js';
import { simulationModule } from './simulation.module.js';
import type { StatementDoor } from './statement-door.js';
import type { SimulatedTimers } from './timers.js';
import { Turnstile } from './turnstile.js';
import { Actor, Life, whereabouts } from './whereabouts.js';

/** How long a dead worker keeps its jobs: `src/platform/jobs/worker-pools.ts` frees them after two looks. */
const graceMs = 15_000;
/** How long PostgreSQL may take, by the real clock, to notice that one has ended. */
const longestDyingMs = 60_000;
const livingWorkers = `SELECT id FROM unnest($1::text[]) AS id WHERE ${workerIsAlive('id')}`;
export const adminPassword = 'correct-horse-7';

interface WorldParts {
  seed: string;
  databaseUrl: string;
  clock: SimulatedClock;
  timers: SimulatedTimers;
  door: StatementDoor;
  /** Settings as environment variables, on top of the simulation's own. */
  env?: Record<string, string>;
}

/** Two nodes on one database, and what is around them. */
export class World {
  readonly random: Random;
  readonly history: History;
  readonly faults: FaultPlan;
  readonly clock: SimulatedClock;
  readonly receivers: Receivers;
  readonly outside: SimulatedOutside;
  readonly turnstile: Turnstile;
  private readonly door: StatementDoor;
  /** Lines that the nodes logged as errors. */
  readonly errors: string[] = [];
  private readonly nodes: [SimulatedNode | undefined, SimulatedNode | undefined] = [undefined, undefined];
  private readonly callers = new Map<string, Caller>();
  /** Workers that have ended, and since when. */
  private ended: { workerId: string; at: number }[] = [];
  private lives = 0;
  private works = 0;

  private constructor(
    private readonly parts: AppParts,
    private readonly database: pg.Pool,
    private readonly dataDir: string,
    { seed, clock, timers, door }: WorldParts,
  ) {
    this.random = new Random(`seed ${seed}`);
    this.clock = clock;
    this.history = new History(() => clock.now);
    this.faults = new FaultPlan(this.random.split('faults'));
    this.receivers = new Receivers(this.random.split('receivers'));
    this.outside = new SimulatedOutside(this.history, this.random.split('outside'), this.receivers);
    this.parts = { ...parts, testMode: simulationModule(this.outside) };
    this.door = door;
    this.turnstile = new Turnstile({ door, clock, timers, database }, this.random.split('turns'), {
      befalls: (statement) => this.faults.befalls(statement),
      endNode: (life, why) => this.endNode(life, why),
      jump: () => this.jump(),
      note: (what) => this.history.add({ kind: 'fault', what }),
    });
  }

  static async open(given: WorldParts): Promise<World> {
    const { databaseUrl, clock, seed, env = {} } = given;
    const database = new pg.Pool({ connectionString: databaseUrl, max: 2, idleTimeoutMillis: 0 });
    database.on('error', () => undefined);
    clock.reset();
    await clock.rule(database);
    const dataDir = await mkdtemp(join(tmpdir(), 'simulation-'));
    const settings = loadSettings({
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DATABASE_PATIENCE_SECONDS: '20',
      DEMO_DATA: 'true',
      STOREFRONT: 'false',
      CONSOLE: 'false',
      DOCS: 'false',
      BACKUP_SCHEDULE: 'off',
      LOG_LEVEL: 'error',
      ADMIN_USERNAME: 'simulated-admin',
      ADMIN_PASSWORD: adminPassword,
      EGRESS_ALLOW: '127.0.0.1/32',
      ORDER_UNPAID_MINUTES: '240',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      ...env,
    });
    const key = createHash('sha256').update(seed).digest();
    const errors: string[] = [];
    const parts = {
      settings,
      secrets: new Secrets(key.toString('hex'), key),
      database: DatabaseAddress.of(databaseUrl, settings),
      logger: makeLogger(settings, {
        write: (line) => void (line.includes('"stream":"security"') || errors.push(line)),
      }),
    };
    const world = new World(parts, database, dataDir, given);
    Object.assign(world, { errors });
    await world.startNode(0);
    const first = world.nodes[0] as SimulatedNode;
    await whereabouts.run({ life: first.life }, async () => {
      await first.nest.get(KeyCheck).run();
      await makeAdmin(first.nest, settings);
    });
    await world.startNode(1);
    return world;
  }

  /** Somebody by name; made at the first call. */
  caller(name: string): Caller {
    const known = this.callers.get(name) ?? new Caller(name, this);
    this.callers.set(name, known);
    return known;
  }

  hear(actor: Actor): Promise<void> {
    return this.turnstile.hear(actor);
  }

  /** Where a node is; undefined while it is down. */
  urlOf(node: 0 | 1): string | undefined {
    return this.nodes[node]?.url;
  }

  get livingNodes(): SimulatedNode[] {
    return this.nodes.filter((node) => node !== undefined);
  }

  /** The names of the tasks that run periodically. */
  get recurringTasks(): string[] {
    return this.livingNodes.flatMap(({ nest }) => nest.get(JobRunner).registered.recurring.map(({ name }) => name));
  }

  /** The work of a node's worker in a step: the jobs that are due. */
  workerOf(node: SimulatedNode): { actor: Actor; work: () => Promise<void> } {
    const actor = new Actor(node.workerName, this.random.split(`worker ${++this.works}`));
    const work = async (): Promise<void> => {
      const ids: string[] = [];
      await Promise.race([node.runDueJobs(actor, (workerId) => ids.push(workerId)), node.life.ended]);
      this.ended.push(...ids.map((workerId) => ({ workerId, at: this.clock.ms })));
    };
    return { actor, work };
  }

  /** Does what several callers do one after the other, with whatever time it needs. */
  async inOneStep<T>(name: string, work: () => Promise<T>): Promise<T> {
    const results: T[] = [];
    const actor = new Actor(name, this.random.split(name), true);
    await this.turnstile.step([{ actor, work: async () => void results.push(await work()) }]);
    return results[0] as T;
  }

  async advance(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds, this.database);
  }

  /** Starts the nodes that are down, and frees what the jobs of killed ones hold after a while. */
  async mend(): Promise<void> {
    for (const node of [0, 1] as const) if (!this.nodes[node]) await this.startNode(node);
    const gone = this.ended.filter(({ at }) => this.clock.ms - at >= graceMs);
    this.ended = this.ended.filter((one) => !gone.includes(one));
    if (gone.length === 0) return;
    const ids = gone.map(({ workerId }) => workerId);
    await this.untilDead(ids);
    await new DeadWorkers(this.database).free(ids);
  }

  /** Waits until PostgreSQL has noticed the end of these workers: how long that takes is not the seed's to say. */
  private async untilDead(workerIds: string[]): Promise<void> {
    const begun = realNow();
    while ((await this.rows(livingWorkers, [workerIds])).length > 0) {
      if (realNow() - begun > longestDyingMs)
        throw new Error(`Workers live on that have ended: ${workerIds.join(', ')}`);
      await sleep(1);
    }
  }

  /** Reads and rows for the judge. */
  get end(): EndState {
    return {
      at: this.clock.now.toISOString(),
      read: async (method, path, as) => {
        const caller = this.caller(as);
        caller.begin();
        const ask = async (): Promise<Answer> => {
          const answer = await caller.call(method, path);
          if (isLost(answer)) throw new Error(`${method} ${path} was not answered at the end: ${answer.lost}`);
          return answer;
        };
        const answer = await ask();
        if (answer.status >= 500) throw new Error(`${method} ${path} was answered with ${answer.status} at the end`);
        if (answer.status !== 401) return answer;
        await caller.renew?.();
        const again = await ask();
        if (again.status === 401) throw new Error(`${as} is not known any more at the end: ${method} ${path}`);
        return again;
      },
      rows: (sql) => this.rows(sql),
    };
  }

  async rows(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await this.database.query<Record<string, unknown>>(sql, values)).rows;
  }

  /** Stops the nodes; what does not come to an end is killed. */
  async close(isStuck: boolean): Promise<void> {
    await Promise.all(this.livingNodes.map((node) => (isStuck ? node.kill() : node.stop())));
    await this.database.end();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async startNode(node: 0 | 1): Promise<void> {
    const number = ++this.lives;
    const life = new Life(node, number, this.random.split(`life ${number}`));
    const find = (name: string): Actor | undefined => this.callers.get(name)?.actor;
    this.nodes[node] = await SimulatedNode.start(life, this.parts, this.door, find);
  }

  private async endNode(life: Life, why: string): Promise<void> {
    const node = this.nodes[life.node];
    if (!node || node.life !== life) return;
    this.history.add({ kind: 'fault', what: `node ${life.node} was killed ${why}` });
    this.nodes[life.node] = undefined;
    life.end();
    // One after the other: which of them learns it first is the seed's to say.
    for (const caller of this.callers.values()) await caller.miss(life.node);
    await node.kill();
    this.turnstile.drop(life);
    // PostgreSQL rolls back what the connections had begun.
    await this.turnstile.untilNoticed();
  }

  private async jump(): Promise<void> {
    await this.clock.jump(this.faults.jump(), this.database);
    this.history.add({ kind: 'clock', to: this.clock.now.toISOString() });
  }
}

/** The body of an answer with this status. Throws for any other: something that must not fail did. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the documents say that the body is
export function bodyOf<T>(answer: Answer | null | { lost: string }, ...statuses: number[]): T {
  if (answer && !isLost(answer) && statuses.includes(answer.status)) return answer.body as T;
  throw new Error(`Expected ${statuses.join(' or ')}, and there was ${JSON.stringify(answer)}`);
}
