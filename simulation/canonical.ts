import { createHash } from 'node:crypto';
import type { HistoryEntry } from './history.js';

/** What is made of true chance: ids, tokens, keys, secrets, signatures. */
const chances =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|eyJ[\w-]+\.[\w-]+\.[\w-]+|\b(?:srt|ssk|sk|whsec|demo)_[\w+/=-]+|token=[\w.-]+|v1,[\w+/=]+/g;

/** What of an entry is the same in every run of its seed. Of headers, only those that clients chose. */
function partsOf(entry: HistoryEntry): unknown {
  if (entry.kind === 'request') {
    const { answer, headers: _, ...rest } = entry;
    return { ...rest, answer: 'lost' in answer ? answer : { status: answer.status, body: answer.body } };
  }
  if (entry.kind === 'delivery') {
    const { headers: _, ...rest } = entry;
    return rest;
  }
  return entry;
}

/** The history with whatever comes of chance replaced by its place among the first appearances: equal for equal runs. */
export function canonical(history: readonly HistoryEntry[]): string[] {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `#${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  return history.map((entry) => JSON.stringify(partsOf(entry)).replace(chances, nameOf));
}

/** A short name of a history: equal for equal runs. */
export function digestOf(history: readonly HistoryEntry[]): string {
  return createHash('sha256').update(canonical(history).join('\n')).digest('hex').slice(0, 16);
}

/** The first place at which two histories differ, with both lines; null where they do not. */
export function firstDifference(
  one: readonly HistoryEntry[],
  other: readonly HistoryEntry[],
): { n: number; lines: [string, string] } | null {
  const [mine, theirs] = [canonical(one), canonical(other)];
  const n = Array.from({ length: Math.max(mine.length, theirs.length) }, (_, at) => at).find(
    (at) => mine[at] !== theirs[at],
  );
  return n === undefined ? null : { n, lines: [mine[n] ?? '(its end)', theirs[n] ?? '(its end)'] };
}
