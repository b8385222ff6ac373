/** How long an aborted job has to end before it is left to itself. */
const abortedSeconds = 4;

/** A job that took longer than its task allows. */
class DeadlineOver extends Error {
  override name = 'DeadlineOver';

  constructor(deadlineSeconds: number) {
    super(`It took longer than the ${deadlineSeconds} s that its task has`);
  }
}

/**
 * Does the work of a job, whose signal is aborted with `stop`, and when the deadline is over. Where the work ignores that, it
 * is left to itself and counts as failed: it would keep its worker from all other jobs.
 */
export async function withinDeadline(
  deadlineSeconds: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  stop.throwIfAborted();
  const ending = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let onStop: () => void = () => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    const end = (reason: unknown): void => {
      ending.abort(reason);
      timers.push(setTimeout(() => reject(reason as Error), abortedSeconds * 1_000));
    };
    onStop = () => end(stop.reason);
    timers.push(setTimeout(() => end(new DeadlineOver(deadlineSeconds)), deadlineSeconds * 1_000));
  });
  stop.addEventListener('abort', onStop, { once: true });
  try {
    await Promise.race([work(ending.signal), left]);
  } finally {
    stop.removeEventListener('abort', onStop);
    for (const timer of timers) clearTimeout(timer);
  }
}
