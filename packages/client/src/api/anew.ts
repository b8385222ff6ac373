import { Failure } from '../failure.js';

const mostTries = 5;

/**
 * Reads, changes and writes back by `If-Match`, and starts over each time somebody else has changed it in between. Five refusals
 * in a row are the caller's to report.
 */
export async function anewIfChanged<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      const isChangedMeanwhile = error instanceof Failure && error.refusal?.status === 412;
      if (!isChangedMeanwhile || tries >= mostTries) throw error;
    }
  }
}
