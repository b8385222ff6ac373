import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.js';
import { underLoad } from './shop-cluster.js';

const shiftsMs = [-30_000, 0, 30_000];
const loadMs = 15_000;
const clock = new URL('shifted-clock.mjs', import.meta.url);

/** The clocks of three nodes are half a minute apart. */
export function clocksApart(arena: Arena): Promise<string[]> {
  const settings = (node: number) => ({
    NODE_OPTIONS: `--import=${clock.href}`,
    CLOCK_SHIFT_MS: String(shiftsMs[node] ?? 0),
  });
  return underLoad(arena, { nodes: shiftsMs.length, settings }, () => sleep(loadMs));
}
