import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, spawnChild } from './interruption.js';
import type { Arena } from './arena.js';
import type { BenchRow, Contender } from './bench-row.js';
import { smokePace } from './pace.js';
import { freePort, programOf, root, settingsOf } from './contestants.js';

const starts = 5;
const patienceMs = 60_000;

async function answers(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`What was started for ${url} ended with ${child.exitCode}`);
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await sleep(5);
  }
  throw new Error(`${url} does not answer`);
}

/** How long a program takes from its start to its first response on an existing database, in milliseconds. */
async function startOnce(program: string[], arena: Arena): Promise<number> {
  const port = await freePort();
  const place = { databaseUrl: arena.urlOf('shop'), dataDir: arena.folder, sourceUrl: '', profileFolder: undefined };
  const started = performance.now();
  const child = spawnChild(process.execPath, program, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...settingsOf('service', place) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await answers(child, `http://127.0.0.1:${port}/health`);
    return performance.now() - started;
  } finally {
    await endChild(child, 'SIGTERM');
  }
}

function starting(name: string, program: string[]): Contender {
  return {
    name,
    async measure(arena, pace, isWarmUp) {
      await arena.database('shop');
      const times = isWarmUp || pace === smokePace ? 1 : starts;
      let milliseconds = 0;
      for (let time = 0; time < times; time++) milliseconds += await startOnce(program, arena);
      return { rate: (1_000 * times) / milliseconds, p99Milliseconds: null, failures: [] };
    },
  };
}

/** The time that the service adds to the start of its packages. */
export const startRow: BenchRow = {
  name: 'start',
  what: 'start to /health on a database that is there, beside an empty Nest application with the same packages',
  connections: 1,
  unit: 'starts',
  first: starting('service', programOf('service', undefined)),
  second: starting('empty app', ['bench/empty/app.mjs']),
  bar: 0.6,
};
