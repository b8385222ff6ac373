import type { Arena } from './arena.js';
import type { BenchRow, Measurement } from './bench-row.js';
import type { MemoryUse } from './contestants.js';
import type { Pace } from './pace.js';

export interface Result {
  row: BenchRow;
  firstRate: number;
  secondRate: number;
  ratio: number;
  p99: number | null;
  failures: string[];
  /** Further remarks; null if the row has none. */
  more: string | null;
  memory: MemoryUse | null;
}

/** The middle value, of an odd number of values. */
export function median(values: number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

function resultOf(row: BenchRow, first: Measurement[], second: Measurement[], memory: MemoryUse | null): Result {
  const times = first.map((one) => one.p99Milliseconds).filter((time) => time !== null);
  return {
    row,
    firstRate: median(first.map((one) => one.rate)),
    secondRate: median(second.map((one) => one.rate)),
    ratio: median(first.map((one, round) => one.rate / (second[round]?.rate ?? NaN))),
    p99: times.length > 0 ? median(times) : null,
    failures: [...first, ...second].flatMap((one) => one.failures),
    more: row.more?.() ?? null,
    memory,
  };
}

/** Warms up the contenders of a row and measures them alternately. */
export async function contest(row: BenchRow, arena: Arena, pace: Pace): Promise<Result> {
  if (row.alone) await arena.leaveAlone(row.alone);
  const watch = row.watched && (await (await arena.contestant(row.watched)).watchMemory());
  const first: Measurement[] = [];
  const second: Measurement[] = [];
  for (let round = 0; round <= pace.rounds; round++) {
    const isWarmUp = round === 0;
    const ofSecond = await row.second.measure(arena, pace, isWarmUp);
    const ofFirst = await row.first.measure(arena, pace, isWarmUp);
    if (isWarmUp) continue;
    second.push(ofSecond);
    first.push(ofFirst);
  }
  return resultOf(row, first, second, watch ? await watch() : null);
}
