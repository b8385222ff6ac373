import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arena } from './arena.js';
import type { BenchRow } from './bench-row.js';
import type { Pace } from './pace.js';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string };
}

/** The format of `node --cpu-prof`; times in microseconds of the monotonic clock. */
interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
  startTime: number;
}

const shown = 14;
/** Functions of Node's native part, by purpose. */
const native: [RegExp, string][] = [
  [/^(writev?|write(Buffer|Utf8String|Latin1String)|shutdown)$/, 'writing to sockets, and what they wake'],
  [/^\(garbage collector\)$/, 'garbage collector'],
  [/^\(program\)$/, 'V8 and the event loop'],
];

/** The owner of a function: a package, a part of Node, or a folder of this project. */
function partOf({ functionName, url }: ProfileNode['callFrame']): string {
  const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packageName !== undefined) return packageName;
  const folder = /\/dist\/src\/((?:[^/]+\/){0,2})/.exec(url)?.[1];
  if (folder !== undefined) return `src/${folder}`;
  if (url.startsWith('node:')) return url.includes('_http') ? 'node:http' : 'node, the rest';
  return native.find(([pattern]) => pattern.test(functionName))?.[1] ?? 'node, the rest';
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The time spent in each part during the load, and idle. */
function timesOf({ nodes, samples, timeDeltas, startTime }: CpuProfile, from: number, to: number): Map<string, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    now += delta;
    const frame = frames.get(id);
    if (now < from || now > to || !frame) continue;
    const part = frame.functionName === '(idle)' ? 'idle' : partOf(frame);
    times.set(part, (times.get(part) ?? 0) + delta);
  }
  return times;
}

function tableOf(times: Map<string, number>): string {
  const idle = times.get('idle') ?? 0;
  times.delete('idle');
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0);
  const share = (time: number, whole: number) => `${((100 * time) / whole).toFixed(1).padStart(5)} %`;
  const parts = [...times].sort(([, one], [, other]) => other - one).slice(0, shown);
  return [
    ...parts.map(([part, time]) => `${share(time, busy)}  ${part}`),
    `${share(idle, busy + idle)}  of all: idle`,
  ].join('\n');
}

async function profileInto(folder: string, row: BenchRow, pace: Pace): Promise<Map<string, number>> {
  const arena = await Arena.open(pace, folder);
  try {
    await row.first.measure(arena, pace, true);
    const from = microseconds();
    const { rate } = await row.first.measure(arena, pace, false);
    const to = microseconds();
    console.log(`  ${Math.round(rate)} ${row.unit}/s while it is watched; of the time that it worked:`);
    await arena.close();
    const [file = ''] = await readdir(folder);
    return timesOf(JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile, from, to);
  } finally {
    await arena.close();
  }
}

/** Shows where the first contender of each row spends its time, by `node --cpu-prof`. */
export async function profile(rows: BenchRow[], pace: Pace): Promise<void> {
  for (const row of rows) {
    const folder = await mkdtemp(join(tmpdir(), 'store-profile-'));
    try {
      console.log(`${row.name}: ${row.what} ...`);
      console.log(tableOf(await profileInto(folder, row, pace)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
