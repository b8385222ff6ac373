import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTaskList, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Pool } from 'pg';
import { DeadWorkers } from './dead-workers.js';
import { countDueJobs } from './due-jobs.js';
import type { Lane, Task } from './task.js';
import { WorkerLife } from './worker-life.js';
import { jobsLog, workerLogger } from './worker-log.js';

const workersOfLane: Record<Lane, number> = { ordinary: 4, outbound: 32 };
const lanes = Object.keys(workersOfLane) as Lane[];
/** How often the workers are woken for jobs that are due; by themselves they would look only rarely. */
const wakeMs = 1_000;
const pollMs = 30_000;
const lookMs = 5_000;
const finishMs = 8_000;
const abortedMs = 5_000;

export interface CrewParts {
  pool: Pool;
  tasks: Task[];
  preparedStatements: boolean;
}

/**
 * The workers of this node, from one loss of the database to the next: they take jobs as long as they can prove that they
 * live, and what they then still have in hand is aborted.
 */
export class Crew {
  private readonly hands = new AbortController();
  private readonly ending = new AbortController();
  private pools: WorkerPool[] = [];
  private proven = Promise.resolve();

  constructor(private readonly parts: CrewParts) {
    // Each job in hand listens.
    setMaxListeners(0, this.hands.signal);
  }

  /** Works until `stop` is aborted or the database is lost; throws where it cannot begin. */
  async work(stop: AbortSignal): Promise<void> {
    const end = (): void => this.ending.abort();
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) return;
    const life = await WorkerLife.begin(this.parts.pool, (reason) => this.lost(reason));
    try {
      this.pools = lanes.flatMap((lane) => this.openLane(lane));
      this.proven = life.prove(this.pools.map(({ id }) => id));
      await this.proven;
      await this.watch();
    } finally {
      stop.removeEventListener('abort', end);
      await this.finish();
      await life.release();
    }
  }

  private openLane(lane: Lane): WorkerPool[] {
    const tasks = this.parts.tasks.filter((task) => task.lane === lane);
    if (tasks.length === 0) return [];
    const pool = runTaskList(
      {
        concurrency: workersOfLane[lane],
        pollInterval: pollMs,
        noHandleSignals: true,
        noPreparedStatements: !this.parts.preparedStatements,
        logger: workerLogger,
        forbiddenFlags: () => tasks.flatMap(({ passOver }) => passOver?.() ?? []),
        // Without batches the library leaves the rejection of a lost connection unhandled, which ends the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      this.listOf(tasks, () => pool.id),
      this.parts.pool,
    );
    pool.promise.then(
      () => this.ending.abort(),
      (error: Error) => this.lost(error),
    );
    return [pool];
  }

  private listOf(tasks: Task[], workerId: () => string): TaskList {
    const list: TaskList = {};
    for (const { name, handler } of tasks) {
      list[name] = async (payload, { job }) => {
        await this.proven;
        this.hands.signal.throwIfAborted();
        const lastTry = job.attempts >= job.max_attempts;
        await handler(payload, { signal: this.hands.signal, workerId: workerId(), lastTry });
      };
    }
    return list;
  }

  /** Wakes the workers for what is due, and frees the jobs of dead ones, until the end. */
  private async watch(): Promise<void> {
    const deadWorkers = new DeadWorkers(this.parts.pool);
    await Promise.all([
      this.every(wakeMs, () => this.wake()),
      this.every(lookMs, async () => {
        const freed = await deadWorkers.look(Date.now());
        if (freed.length > 0) jobsLog.warn(`Freed the jobs of ${freed.length} dead workers`);
      }),
    ]);
  }

  private async wake(): Promise<void> {
    const count = await countDueJobs(this.parts.pool, Math.max(...Object.values(workersOfLane)));
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
    this.hands.abort(reason);
    this.ending.abort();
  }

  /** Takes no more jobs, lets those in hand finish, and aborts what takes longer. */
  private async finish(): Promise<void> {
    const done = new AbortController();
    const finished = Promise.allSettled(this.pools.map((pool) => Promise.resolve(pool.gracefulShutdown())));
    const patience = sleep(finishMs, undefined, { signal: done.signal })
      .then(() => this.hands.abort(new Error('The service is stopping')))
      .then(() => sleep(abortedMs, undefined, { signal: done.signal }))
      .catch(() => undefined);
    await Promise.race([finished, patience]);
    done.abort();
  }
}
