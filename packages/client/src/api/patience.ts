import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.js';

const firstWaitMs = 1_000;
const longestWaitMs = 5_000;
const patienceMs = 120_000;

/**
 * Repeats a call that fails for a temporary reason, and gives up after two minutes without a response: so watching a scan
 * survives a restart of the service. Notifies when it begins to wait, and when it continues.
 */
export async function patiently<T>(call: () => Promise<T>, notify: (message: string) => void): Promise<T> {
  const start = Date.now();
  for (let waitMs = firstWaitMs, waits = 0; ; waitMs = Math.min(waitMs * 2, longestWaitMs), waits++) {
    try {
      const result = await call();
      if (waits > 0) notify('The service answers again');
      return result;
    } catch (error) {
      if (!(error instanceof Failure && error.isPassing) || Date.now() - start > patienceMs) throw error;
      if (waits === 0) notify(`${error.message}\n       Trying again for two minutes`);
    }
    await sleep(waitMs);
  }
}
