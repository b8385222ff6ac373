import { setTimeout as sleep } from 'node:timers/promises';

/** The result of `work`; rejects where it takes longer, since the other process may hang. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: done.signal, ref: false }).then(
    () => Promise.reject(new Error('The other process does not answer')),
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
