import { availableParallelism } from 'node:os';
import type { EnvironmentReader } from './environment-reader.js';

/** Beyond it, the smallest pools of all would take more connections than a PostgreSQL has by default. */
const most = 16;

function parse(value: string): number | undefined {
  if (value === 'auto') return Math.min(availableParallelism(), most);
  return /^\d{1,2}$/.test(value) && Number(value) > 0 && Number(value) <= most ? Number(value) : undefined;
}

/** Reads the number of processes that serve. */
export function readWorkers(read: EnvironmentReader): number {
  return read.parsed('WORKERS', `auto, or a whole number from 1 to ${most}`, 1, parse);
}
