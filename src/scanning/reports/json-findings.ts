import { type JsonHit, JsonReader, pathInWords } from './json/index.js';
import type { ReportBytes, ReportEntry } from './report-finding.js';
import { type Fields, fieldsOf } from './report-text.js';

/** A list in a JSON report whose elements are findings, and how one of them is read: as one finding, or as several. */
export interface JsonList {
  /** As `JsonSelection` writes it, such as `Results[].Secrets[]`. */
  path: string;
  /** What an element is, in words: "vulnerability". */
  noun: string;
  read(element: Fields, at: JsonHit['at']): Iterable<ReportEntry>;
}

/** How many entries are handed on together. */
const atOnce = 50;

/** What has to stand at each place on the way to a list. */
function kindsOnTheWay(lists: readonly JsonList[]): Map<string, 'array' | 'object'> {
  const kinds = new Map<string, 'array' | 'object'>();
  for (const { path } of lists) {
    for (const { 0: step, index } of path.matchAll(/\[\]|\.?[^.[\]]+/g)) {
      if (index > 0) kinds.set(path.slice(0, index), step === '[]' ? 'array' : 'object');
    }
  }
  return kinds;
}

function* entriesOfHit(hit: JsonHit, list: JsonList): Iterable<ReportEntry> {
  const { noun } = list;
  if (hit.kind !== 'value') return;
  const isObject = typeof hit.value === 'object' && hit.value !== null && !Array.isArray(hit.value);
  if (hit.fault !== null) yield { skipped: `The ${noun} ${hit.fault}` };
  else if (!isObject) yield { skipped: `The ${noun} is not an object` };
  else yield* list.read(fieldsOf(hit.value), hit.at);
}

/** The findings of the lists in the order of the document; whatever stands in the place of a list is skipped by name. */
export async function* entriesIn(bytes: ReportBytes, lists: readonly JsonList[]): AsyncGenerator<ReportEntry[]> {
  const byPath = new Map(lists.map((list) => [list.path, list]));
  const kinds = kindsOnTheWay(lists);
  for await (const hits of new JsonReader({ paths: [...byPath.keys()] }).read(bytes())) {
    let entries: ReportEntry[] = [];
    for (const hit of hits) {
      const list = byPath.get(hit.path);
      const kind = kinds.get(hit.path);
      if (list) {
        for (const entry of entriesOfHit(hit, list)) {
          entries.push(entry);
          if (entries.length < atOnce) continue;
          yield entries;
          entries = [];
        }
      } else if (kind !== undefined && hit.kind !== kind) {
        entries.push({ skipped: `${pathInWords(hit.at) || 'The report'} is not an ${kind}` });
      }
    }
    if (entries.length > 0) yield entries;
  }
}
