import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'graphile-worker';
import { isDatabaseAway, isStatementTimeout } from '../errors/database-errors.js';
import { tracing } from '../tracing/tracing.js';
import { withinDeadline } from './job-deadline.js';
import type { Task } from './task.js';

/** Does the work of a job in its queuer's trace. */
function traced(task: string, { id, attempts, payload }: Job, work: () => Promise<void>): Promise<void> {
  const on = tracing();
  if (!on) return work();
  const { trace: traceparent } = (payload ?? {}) as { trace?: unknown };
  return on.job({ task, id, attempt: attempts, traceparent }, work);
}

const firstPauseMs = 500;
const longestPauseMs = 5_000;

/**
 * Does the work of a job, and again while the database is away or too busy: this does not count as a failure of the
 * job, since the queue waits e^n seconds after the nth failure, and the job would run minutes after the database is
 * back.
 */
async function onceDatabaseAnswers(signal: AbortSignal, work: (isAgain: boolean) => Promise<void>): Promise<void> {
  for (let pauseMs = firstPauseMs, isAgain = false; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2), isAgain = true) {
    try {
      return await work(isAgain);
    } catch (error) {
      if (!isDatabaseAway(error) || isStatementTimeout(error)) throw error;
    }
    await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal });
  }
}

/** Does the work of a job as this worker, within the task's deadline; throws where it failed, or `signal` was aborted. */
export function workOn(task: Task, job: Job, workerId: string, signal: AbortSignal): Promise<void> {
  const { name, handler, queue, deadlineSeconds } = task;
  const lastTry = job.attempts >= job.max_attempts;
  return withinDeadline(deadlineSeconds, signal, (inTime) => {
    const work = (isAgain: boolean): Promise<void> => {
      const context = { signal: inTime, workerId, isRetry: isAgain || job.attempts > 1, lastTry };
      return traced(name, job, () => handler(job.payload, context));
    };
    // A refusal by a mail server looks like one by the database.
    return queue === 'mail' ? work(false) : onceDatabaseAnswers(inTime, work);
  });
}
