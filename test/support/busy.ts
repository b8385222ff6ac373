import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any overload of a test's machine. */
const mostTries = 300;
const pauseMs = 200;

/**
 * Repeats a request that the service refuses with 503, as clients do: an overloaded machine may make it wait too long for a
 * lock, and then nothing was changed. For tests whose subject is not that refusal.
 */
export async function unlessBusy<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    if (answer.status !== 503 || tries === mostTries) return answer;
    await sleep(pauseMs);
  }
}
