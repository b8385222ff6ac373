import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTaskList, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Pool } from 'pg';
import type { DatabaseOutage } from '../http/database-outage.js';
import { DeadWorkers } from './dead-workers.js';
import { countDueJobs, type DueJobs } from './jobs.statements.js';
import { LivenessLock } from './liveness-lock.js';
import type { JobMetrics, JobResult } from './job-metrics.js';
import { workOn } from './job-work.js';
import { LateJobs } from './late-jobs.js';
import type { Queue, Task } from './task.js';
import { jobsLog, workerLogger } from './worker-log.js';

/** How many jobs a queue runs at once, by the number of its tasks. */
const workersOfQueue: Record<Queue, (tasks: number) => number> = {
  ordinary: () => 4,
  outbound: () => 32,
  mail: () => 8,
  upkeep: (tasks) => tasks,
};
const queues = Object.keys(workersOfQueue) as Queue[];
/** The most due jobs that a look counts: as many as a queue has workers, or more. */
const mostNudged = 32;
/** The interval at which workers are woken for due jobs; by themselves they look only rarely. */
const wakeMs = 1_000;
const pollMs = 30_000;
const lookMs = 5_000;
const lateLookMs = 15_000;
const finishMs = 8_000;
const abortedMs = 5_000;
const never = new Promise<never>(() => undefined);

export interface WorkerPoolsParts {
  connections: Pool;
  tasks: readonly Task[];
  metrics: JobMetrics;
  outage: DatabaseOutage;
  late: LateJobs;
}

/**
 * The worker pools of this node, one for each queue, until the database is lost. They take jobs while they hold their
 * liveness lock; when they lose it, they abort the running jobs.
 */
export class WorkerPools {
  private readonly inHand = new AbortController();
  private readonly ending = new AbortController();
  private pools: { queue: Queue; pool: WorkerPool }[] = [];
  private locked = Promise.resolve();
  private isLost = false;

  constructor(private readonly parts: WorkerPoolsParts) {
    // Each job in hand listens.
    setMaxListeners(0, this.inHand.signal);
  }

  /** Works until `stop` is aborted or the database is lost; throws where it cannot begin. */
  async work(stop: AbortSignal): Promise<void> {
    const end = (): void => this.ending.abort();
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) return;
    const lock = await LivenessLock.connect(this.parts.connections, (reason) => this.lost(reason));
    try {
      this.pools = queues.flatMap((queue) => this.open(queue));
      this.locked = lock.take(this.pools.map(({ pool }) => pool.id));
      await this.locked;
      await this.watch();
    } finally {
      stop.removeEventListener('abort', end);
      await this.finish();
      await lock.release();
    }
  }

  private open(queue: Queue): { queue: Queue; pool: WorkerPool }[] {
    const tasks = this.parts.tasks.filter((task) => task.queue === queue);
    if (tasks.length === 0) return [];
    const pool = runTaskList(
      {
        concurrency: workersOfQueue[queue](tasks.length),
        pollInterval: pollMs,
        noHandleSignals: true,
        logger: workerLogger,
        forbiddenFlags: () => tasks.flatMap(({ forbiddenFlags }) => forbiddenFlags?.() ?? []),
        // Without batches the library leaves the rejection of a lost connection unhandled, which ends the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      this.listOf(tasks, () => pool.id),
      this.parts.connections,
    );
    pool.promise.then(
      () => this.ending.abort(),
      (error: Error) => this.lost(error),
    );
    return [{ queue, pool }];
  }

  private listOf(tasks: Task[], workerId: () => string): TaskList {
    const list: TaskList = {};
    for (const task of tasks) {
      list[task.name] = async (_, { job }) => {
        await this.locked;
        try {
          await this.measured(task, () => workOn(task, job, workerId(), this.inHand.signal));
        } finally {
          // The pool has given up all of its jobs. What ends later would be a rejection that nobody handles.
          if (this.isLost) await never;
        }
      };
    }
    return list;
  }

  private async measured({ name: task, deadlineSeconds }: Task, work: () => Promise<void>): Promise<void> {
    const { metrics } = this.parts;
    metrics.begin(task);
    const begun = performance.now();
    let result: JobResult = 'done';
    try {
      await work();
    } catch (error) {
      result = performance.now() - begun >= deadlineSeconds * 1_000 ? 'late' : 'failed';
      throw error;
    } finally {
      metrics.end(task, result);
    }
  }

  /** Wakes the workers for due jobs, and frees the jobs of dead ones, until the end. */
  private async watch(): Promise<void> {
    const dead = new DeadWorkers(this.parts.connections);
    await Promise.all([
      this.every(wakeMs, () => this.wake()),
      this.every(lookMs, async () => {
        const freed = await dead.look(Date.now());
        if (freed.length > 0) jobsLog.warn(`Freed the jobs of ${freed.length} dead workers`);
      }),
      this.every(lateLookMs, async () => this.parts.late.look(await this.parts.metrics.figures())),
    ]);
  }

  /**
   * Asks the queue once for all workers; by the library alone, each worker would ask. Most new jobs also wake workers
   * by notification, which a pooler may drop; quiet jobs do not notify.
   */
  async wake(): Promise<void> {
    const { rows } = await this.parts.connections.query<DueJobs>(countDueJobs, [mostNudged]);
    const [{ loud, ...quiet } = { loud: 0, mail: 0, ordinary: 0 }] = rows;
    if (this.ending.signal.aborted) return;
    for (const { queue, pool } of this.pools) {
      const count = loud + (queue === 'mail' || queue === 'ordinary' ? quiet[queue] : 0);
      if (count > 0) pool.nudge(count);
    }
  }

  private async every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await work().catch((error: Error) => jobsLog.debug(`The job queue cannot be read: ${error.message}`));
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  private lost(reason: Error): void {
    if (!this.ending.signal.aborted) {
      this.parts.outage.note(reason);
      jobsLog.warn(`The job queue cannot be reached: ${reason.message}`);
    }
    this.isLost = true;
    this.inHand.abort(reason);
    this.ending.abort();
  }

  /** Stops taking jobs, lets those in hand finish, and aborts the ones that take longer. */
  private async finish(): Promise<void> {
    const done = new AbortController();
    // After a loss, workers cannot finish gracefully, and each would print a stack.
    const end = ({ pool }: { pool: WorkerPool }) =>
      Promise.resolve(this.isLost ? pool.forcefulShutdown('The database cannot be reached') : pool.gracefulShutdown());
    const finished = Promise.allSettled(this.pools.map(end));
    const timeout = sleep(finishMs, undefined, { signal: done.signal })
      .then(() => this.inHand.abort(new Error('The service is stopping')))
      .then(() => sleep(abortedMs, undefined, { signal: done.signal }))
      .catch(() => undefined);
    await Promise.race([finished, timeout]);
    done.abort();
  }
}
