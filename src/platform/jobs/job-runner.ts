import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import pg from 'pg';
import { DatabaseOutage } from '../http/database-outage.js';
import { ServiceLife } from '../http/service-life.js';
import { isOutage } from '../errors/database-errors.js';
import { DatabaseAddress } from '../../database/connections/database-address.js';
import type { JobHold } from './job-hold.js';
import { JobMetrics } from './job-metrics.js';
import { JobQueue } from './job-queue.js';
import { LateJobs } from './late-jobs.js';
import type { RecurringTask, Task, TaskHandler, TaskOptions } from './task.js';
import { jobsLog } from './worker-log.js';
import { WorkerPools } from './worker-pools.js';

/** One to listen for each queue, one for the liveness locks, two to fetch and settle jobs. */
const connectionCount = 7;
const restartMs = 1_000;

function nextTime(everySeconds: number): Date {
  const periodMs = everySeconds * 1_000;
  return new Date((Math.floor(Date.now() / periodMs) + 1) * periodMs);
}

/**
 * Runs the jobs of the queue on this node (graphile-worker). Modules register their tasks on creation; nothing runs before
 * `start`. While the database is away, it waits.
 */
@Injectable()
export class JobRunner implements BeforeApplicationShutdown {
  private readonly tasks = new Map<string, Task>();
  private readonly recurring: RecurringTask[] = [];
  /** The pool of the queue, once it runs. */
  connections: pg.Pool | undefined;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private pools: WorkerPools | undefined;
  private lastFault: string | undefined;
  private hold: JobHold | undefined;
  private readonly late = new LateJobs();

  constructor(
    private readonly address: DatabaseAddress,
    private readonly queue: JobQueue,
    private readonly jobMetrics: JobMetrics,
    private readonly outage: DatabaseOutage,
    life: ServiceLife,
  ) {
    // The service still serves requests for a while; jobs go to other nodes at once.
    life.onStopping(() => this.stopping.abort());
  }

  /** Registers the handler of a task's jobs. The queue tries a job again later where the handler throws. */
  register(name: string, handler: TaskHandler, options: TaskOptions): void {
    if (this.tasks.has(name)) throw new Error(`Two tasks are named ${name}`);
    this.jobMetrics.know(name);
    const held: TaskHandler = (payload, context) =>
      this.hold
        ? this.hold.run(context.signal, (signal) => handler(payload, { ...context, signal }))
        : handler(payload, context);
    this.tasks.set(name, { name, handler: held, queue: 'ordinary', ...options });
  }

  /** Registers a task that runs periodically, each time on one node. */
  registerRecurring(task: RecurringTask): void {
    const { name, everySeconds, deadlineSeconds } = task;
    if (deadlineSeconds >= everySeconds) throw new Error(`The task ${name} may still run at its next time`);
    this.recurring.push(task);
    const handler: TaskHandler = async (_payload, context) => {
      await this.plan(task);
      await task.handler(context);
    };
    this.register(name, handler, { queue: 'upkeep', deadlineSeconds });
  }

  /** What was registered. */
  get registered(): { tasks: readonly Task[]; recurring: readonly RecurringTask[] } {
    return { tasks: [...this.tasks.values()], recurring: this.recurring };
  }

  get isStarted(): boolean {
    return this.running !== undefined;
  }

  /** Lets `hold` keep jobs from running. */
  holdBy(hold: JobHold): void {
    this.hold = hold;
  }

  /** The next time of each recurring task. */
  get nextTimes(): { name: string; at: Date }[] {
    return this.recurring.map(({ name, everySeconds }) => ({ name, at: nextTime(everySeconds) }));
  }

  /** Plans the recurring tasks that are not planned. */
  async planAll(): Promise<void> {
    for (const task of this.recurring) await this.plan(task, true);
  }

  /** Lets the workers of this node look for due jobs now rather than within a second. */
  async wake(): Promise<void> {
    await this.pools?.wake();
  }

  /** Begins to take jobs. */
  start(): void {
    this.running ??= this.run();
  }

  /** Stops taking jobs; those in hand finish, or go back into the queue where they take long. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private async run(): Promise<void> {
    const connections = this.connect();
    this.connections = connections;
    while (!this.stopping.signal.aborted) {
      try {
        await this.planAll();
        const { jobMetrics: metrics, outage } = this;
        const parts = {
          connections,
          tasks: this.registered.tasks,
          metrics,
          outage,
          late: this.late,
        };
        this.pools = new WorkerPools(parts);
        await this.pools.work(this.stopping.signal);
      } catch (error) {
        this.outOfReach(error as Error);
      }
      await sleep(restartMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
    await connections.end();
  }

  /** Says it once where it is no outage of the database, which is logged for all. */
  private outOfReach(error: Error): void {
    this.outage.note(error);
    if (isOutage(error) || error.message === this.lastFault) return;
    this.lastFault = error.message;
    jobsLog.warn(`The job queue is out of reach: ${error.message}`);
  }

  private plan({ name, everySeconds }: RecurringTask, ifAbsent = false): Promise<void> {
    return this.queue.add(name, {}, { key: name, runAt: nextTime(everySeconds), ifAbsent });
  }

  private connect(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.address.directUrl,
      max: connectionCount,
      connectionTimeoutMillis: 5_000,
      application_name: 'store-service jobs',
      keepAlive: true,
    });
    // A lost connection is replaced; the next query on it throws.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  }
}
