import { totalmem } from 'node:os';

/** The heap in bytes at which a worker of the tests makes way for a new one: what a file loaded stays in its worker. */
export const workerMemory = Math.min(3 * 2 ** 30, totalmem() / 8);
