import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Expression } from './expressions.js';
import { until } from './receiver.js';

/** What a process did, in a measure that no other work on the machine affects. */
export interface CountedWork {
  /** The steps of its JavaScript since the last call: its blocks, each counted as often as it ran. */
  steps(): Promise<number>;
  /** The regular expressions that long texts have been matched against so far. */
  expressions(): Promise<Expression[]>;
}

const counter = new URL('counted-work.mjs', import.meta.url).href;

/** The options and environment with which a process counts its work; `folder` is its own. */
export function counting(folder: string): { options: string[]; env: Record<string, string> } {
  return { options: ['--import', counter], env: { COUNTED_WORK_FILE: join(folder, 'counted-work') } };
}

/** The work of a process started with them. */
export async function countedWork(folder: string): Promise<CountedWork> {
  const file = join(folder, 'counted-work');
  let url = '';
  await until(async () => (url = await readFile(file, 'utf8').catch(() => '')) !== '');
  const ask = async () =>
    (await (await fetch(url)).json()) as { steps: number; expressions: { pattern: string; flags: string }[] };
  return {
    steps: async () => (await ask()).steps,
    expressions: async () =>
      (await ask()).expressions.map(({ pattern, flags }) => ({ place: 'A long text', pattern, flags })),
  };
}
