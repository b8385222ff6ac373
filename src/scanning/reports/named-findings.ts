import type { NamedFinding } from './reports.shapes.js';

// Unspecified: how many of them an answer names; beyond, it counts them.
const mostNamed = 1_000;

/** Findings of which there is something to say: the first of them by name, all of them by number. */
export class NamedFindings {
  readonly named: NamedFinding[] = [];
  count = 0;

  add(index: number | null, reason: string): void {
    if (this.count++ < mostNamed) this.named.push({ index, reason });
  }
}
