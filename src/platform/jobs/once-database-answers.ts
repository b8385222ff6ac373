import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway, isStatementTimeout } from '../errors/database-errors.js';

const firstPauseMs = 500;
const longestPauseMs = 5_000;

/**
 * Does the work of a job, and again while the database is away or too busy: that is no failure of the job, and the queue
 * would have it wait e^n seconds after its nth, so that what had bad luck five times came minutes after all was well.
 */
export async function onceDatabaseAnswers(
  signal: AbortSignal,
  work: (isAgain: boolean) => Promise<void>,
): Promise<void> {
  for (let pauseMs = firstPauseMs, isAgain = false; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2), isAgain = true) {
    try {
      return await work(isAgain);
    } catch (error) {
      if (!isDatabaseAway(error) || isStatementTimeout(error)) throw error;
    }
    await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal });
  }
}
