import type { BenchRow, Contender } from './bench-row.js';
import { missingFor, type Side } from './contestants.js';
import { rest, sweep } from './fill.js';
import { ask } from './load.js';
import type { BenchPath } from './paths.js';

/** A side's name in the table, with its database where that is not the usual one. */
export function nameOf({ kind, database }: Side): string {
  return database === 'shop' || database === 'events' ? kind : `${kind} (${database})`;
}

function asking(path: BenchPath, side: Side): Contender {
  return {
    name: nameOf(side),
    measure: async (arena, pace, isWarmUp) => {
      const contestant = await arena.contestant(side);
      const database = await arena.database(side.database);
      await (path.writes ? sweep(database, pace.quietMs) : rest(database));
      const warmUp = path.writes ? pace.warmUpOfWrites : pace.warmUp;
      return ask(path, contestant, isWarmUp ? warmUp : pace.load);
    },
  };
}

/** A row that sends both sides the same requests, each connection as fast as responses come. */
export function httpRow(name: string, path: BenchPath, [first, second]: [Side, Side], bar: number | null): BenchRow {
  const { what, connections } = path;
  const missing = () => missingFor(first.kind) ?? missingFor(second.kind);
  const contenders = { first: asking(path, first), second: asking(path, second) };
  const alone = path.writes ? { alone: [first, second] } : {};
  return { name, what, connections, unit: 'requests', ...contenders, ...alone, missing, bar };
}

/** A row that sends one side two kinds of requests, alternately. */
export function pathsRow(
  name: string,
  [path, other]: [BenchPath, BenchPath],
  side: Side,
  bar: number | null,
): BenchRow {
  const { what, connections } = path;
  const second = { ...asking(other, side), name: other.what };
  return { name, what, connections, unit: 'requests', first: asking(path, side), second, bar };
}
