import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';

/** Of each root, the bytes of its array that a part sends: elements with the commas between them. */
export type PartRanges = Partial<Record<PayloadRoot, [from: number, to: number]>>;

/** Where the arrays may be cut: the lengths after elements. */
export type RootCuts = Partial<Record<PayloadRoot, number[]>>;

/** About how far cuts are from each other; an element that is longer stands between two. */
const cutBytes = 1024 * 1024;

/** Notes where an array may be cut, while it is written; `at` is called after elements with the length so far. */
export class Cuts {
  readonly places: number[] = [];
  private last = 0;
  private before = 0;

  at(bytes: number): void {
    if (bytes - this.last >= cutBytes) {
      if (this.before > this.last) this.places.push(this.before);
      this.places.push(bytes);
      this.last = bytes;
    }
    this.before = bytes;
  }
}

/** The pieces of an array between its cuts, without brackets, and without the commas before them. */
function piecesOf(bytes: number, cuts: number[]): [from: number, to: number][] {
  const end = bytes - 1;
  const places = [...cuts.filter((cut) => cut < end), end];
  return places.map((to, at): [number, number] => [(places[at - 1] ?? 0) + 1, to]).filter(([from, to]) => from < to);
}

/** Divides these roots into parts of at most so many bytes, in order; each root is whole, or continued in the next part. */
export function partsOf(rootBytes: RootBytes, cuts: RootCuts, most: number): PartRanges[] {
  const parts: PartRanges[] = [];
  let [part, filled]: [PartRanges, number] = [{}, 0];
  for (const root of payloadRoots) {
    for (const [from, to] of piecesOf(rootBytes[root] ?? 0, cuts[root] ?? [])) {
      if (filled > 0 && filled + to - from + 1 > most) {
        parts.push(part);
        [part, filled] = [{}, 0];
      }
      part[root] = [part[root]?.[0] ?? from, to];
      filled += to - from + 1;
    }
  }
  return [...parts, part];
}
