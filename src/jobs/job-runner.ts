import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { Crew } from './crew.js';
import { JobQueue } from './job-queue.js';
import type { RecurringTask, Task, TaskHandler } from './task.js';
import { jobsLog } from './worker-log.js';

/** Two to listen, one that proves the workers' life, two to fetch and settle jobs. */
const connections = 5;
const restartMs = 1_000;

function nextTime(everySeconds: number): Date {
  const periodMs = everySeconds * 1_000;
  return new Date((Math.floor(Date.now() / periodMs) + 1) * periodMs);
}

/**
 * Runs the jobs of the queue on this node (graphile-worker). Modules register their tasks when they are made; nothing runs
 * before `start`. A database that goes away is waited for.
 */
@Injectable()
export class JobRunner implements BeforeApplicationShutdown {
  private readonly tasks = new Map<string, Task>();
  private readonly recurring: RecurringTask[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly settings: Settings,
  ) {}

  /** Registers what handles the jobs of a name. A handler that throws is tried again later, by the queue. */
  register(name: string, handler: TaskHandler, choices: Partial<Pick<Task, 'lane' | 'passOver'>> = {}): void {
    if (this.tasks.has(name)) throw new Error(`Two tasks are named ${name}`);
    this.tasks.set(name, { name, handler, lane: 'ordinary', ...choices });
  }

  /** Registers a task that runs again and again, each time on one node. */
  registerRecurring(task: RecurringTask): void {
    this.recurring.push(task);
    this.register(task.name, async (_payload, context) => {
      await this.plan(task);
      await task.handler(context);
    });
  }

  /** Begins to take jobs. */
  start(): void {
    this.running ??= this.run();
  }

  /** Stops taking jobs; those in hand are finished, or given back where they take long. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private async run(): Promise<void> {
    const pool = this.openPool();
    while (!this.stopping.signal.aborted) {
      try {
        for (const task of this.recurring) await this.plan(task, true);
        const parts = { pool, tasks: [...this.tasks.values()], preparedStatements: this.settings.preparedStatements };
        await new Crew(parts).work(this.stopping.signal);
      } catch (error) {
        jobsLog.warn(`The job queue is out of reach: ${(error as Error).message}`);
      }
      await sleep(restartMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
    await pool.end();
  }

  private plan({ name, everySeconds }: RecurringTask, ifAbsent = false): Promise<void> {
    return this.queue.add({ task: name, payload: {}, key: name, runAt: nextTime(everySeconds), ifAbsent });
  }

  private openPool(): pg.Pool {
    const { url } = this.dataSource.options as { url?: string };
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: 5_000,
      application_name: 'store-service jobs',
      keepAlive: true,
    });
    // A lost connection is replaced; the next query on it tells.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  }
}
