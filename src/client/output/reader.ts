import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/**
 * Whether nobody reads the pipe of this descriptor any more, as after `| head -1`. Only Linux tells without a write: a
 * pipe that nobody reads cannot be opened for writing without waiting (fifo(7)). Elsewhere the next write fails.
 */
export function isReaderGone(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isFIFO()) return false;
    closeSync(openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENXIO';
  }
}
