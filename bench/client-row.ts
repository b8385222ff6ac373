import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchRow, Contender } from './bench-row.js';
import type { Pace } from './pace.js';

const start = promisify(execFile);
const starts = 20;
const bundler = new URL('../packages/client/build.mjs', import.meta.url).href;

let bundled: Promise<string> | undefined;

/** The client as `npm run pack:client` packs it, made once. */
function bundle(): Promise<string> {
  return (bundled ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-bench-client-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const make = `await (await import(${JSON.stringify(bundler)})).bundleClient(${JSON.stringify(folder)})`;
    await start(process.execPath, ['--input-type=module', '-e', make]);
    return join(folder, 'store.cjs');
  })());
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

/** Starts Node.js again and again, and returns how many times a second. */
class Starting implements Contender {
  readonly times: number[] = [];

  constructor(
    readonly name: string,
    private readonly args: () => Promise<string[]>,
  ) {}

  async measure(_arena: unknown, _pace: Pace, isWarmUp: boolean) {
    const args = await this.args();
    const times: number[] = [];
    for (let time = 0; time < (isWarmUp ? 2 : starts); time++) {
      const started = performance.now();
      await start(process.execPath, args);
      times.push(performance.now() - started);
    }
    if (!isWarmUp) this.times.push(...times);
    const seconds = times.reduce((sum, ms) => sum + ms, 0) / 1_000;
    return { rate: times.length / seconds, p99Milliseconds: null, failures: [] };
  }
}

const help = new Starting('store --help', async () => [await bundle(), '--help']);
const nothing = new Starting('node -e 0', () => Promise.resolve(['-e', '0']));

/** The time that the client adds to the start of Node.js. */
export const clientRow: BenchRow = {
  name: 'client-start',
  what: '`store --help` of the packed client, beside Node.js that does nothing',
  connections: 1,
  unit: 'starts',
  first: help,
  second: nothing,
  bar: 0.6,
  more: () => {
    const [whole, node] = [medianOf(help.times), medianOf(nothing.times)];
    return `median ${whole.toFixed(0)} ms, of which ${(whole - node).toFixed(0)} ms are not Node.js`;
  },
};
