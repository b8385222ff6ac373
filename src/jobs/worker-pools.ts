import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTaskList, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Pool } from 'pg';
import { DeadWorkers } from './dead-workers.js';
import { countDueJobs } from './jobs.statements.js';
import { LivenessLock } from './liveness-lock.js';
import { onceDatabaseAnswers } from './once-database-answers.js';
import type { Queue, Task } from './task.js';
import { traced } from './traced-job.js';
import { jobsLog, workerLogger } from './worker-log.js';

const workersOfQueue: Record<Queue, number> = { ordinary: 4, outbound: 32, mail: 4 };
const queues = Object.keys(workersOfQueue) as Queue[];
const mostWorkers = Math.max(...Object.values(workersOfQueue));
/** The interval at which workers are woken for due jobs; by themselves they look only rarely. */
const wakeMs = 1_000;
const pollMs = 30_000;
const lookMs = 5_000;
const finishMs = 8_000;
const abortedMs = 5_000;

export interface WorkerPoolsParts {
  connections: Pool;
  tasks: Task[];
  preparedStatements: boolean;
}

/**
 * The worker pools of this node, one for each queue, from one loss of the database to the next. They take jobs as long as
 * they can prove that they are alive; then the jobs in hand are aborted.
 */
export class WorkerPools {
  private readonly inHand = new AbortController();
  private readonly ending = new AbortController();
  private pools: WorkerPool[] = [];
  private locked = Promise.resolve();

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
      this.locked = lock.take(this.pools.map(({ id }) => id));
      await this.locked;
      await this.watch();
    } finally {
      stop.removeEventListener('abort', end);
      await this.finish();
      await lock.release();
    }
  }

  private open(queue: Queue): WorkerPool[] {
    const tasks = this.parts.tasks.filter((task) => task.queue === queue);
    if (tasks.length === 0) return [];
    const pool = runTaskList(
      {
        concurrency: workersOfQueue[queue],
        pollInterval: pollMs,
        noHandleSignals: true,
        noPreparedStatements: !this.parts.preparedStatements,
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
    return [pool];
  }

  private listOf(tasks: Task[], workerId: () => string): TaskList {
    const { signal } = this.inHand;
    const list: TaskList = {};
    for (const { name, handler, queue } of tasks) {
      list[name] = async (payload, { job }) => {
        await this.locked;
        signal.throwIfAborted();
        const lastTry = job.attempts >= job.max_attempts;
        const work = (isAgain: boolean): Promise<void> => {
          const context = { signal, workerId: workerId(), isRetry: isAgain || job.attempts > 1, lastTry };
          return traced(name, job, () => handler(payload, context));
        };
        // What a mail server refuses looks as if the database did.
        await (queue === 'mail' ? work(false) : onceDatabaseAnswers(signal, work));
      };
    }
    return list;
  }

  /** Wakes the workers for due jobs, and frees the jobs of dead ones, until the end. */
  private async watch(): Promise<void> {
    const deadWorkers = new DeadWorkers(this.parts.connections);
    await Promise.all([
      this.every(wakeMs, () => this.wake()),
      this.every(lookMs, async () => {
        const freed = await deadWorkers.look(Date.now());
        if (freed.length > 0) jobsLog.warn(`Freed the jobs of ${freed.length} dead workers`);
      }),
    ]);
  }

  /**
   * Asks once for all workers, where the library would let each ask. New jobs also wake workers by notification, which a pooler
   * may swallow.
   */
  private async wake(): Promise<void> {
    const { rows } = await this.parts.connections.query<{ count: number }>(countDueJobs, [mostWorkers]);
    const count = rows[0]?.count ?? 0;
    if (count > 0 && !this.ending.signal.aborted) for (const pool of this.pools) pool.nudge(count);
  }

  private async every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await work().catch((error: Error) => jobsLog.debug(`The queue cannot be looked at: ${error.message}`));
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  private lost(reason: Error): void {
    if (!this.ending.signal.aborted) jobsLog.warn(`The job queue is out of reach: ${reason.message}`);
    this.inHand.abort(reason);
    this.ending.abort();
  }

  /** Stops taking jobs, lets those in hand finish, and aborts the ones that take longer. */
  private async finish(): Promise<void> {
    const done = new AbortController();
    const finished = Promise.allSettled(this.pools.map((pool) => Promise.resolve(pool.gracefulShutdown())));
    const timeout = sleep(finishMs, undefined, { signal: done.signal })
      .then(() => this.inHand.abort(new Error('The service is stopping')))
      .then(() => sleep(abortedMs, undefined, { signal: done.signal }))
      .catch(() => undefined);
    await Promise.race([finished, timeout]);
    done.abort();
  }
}
