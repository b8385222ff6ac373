import type { NamedFinding } from './reports.shapes.js';

// Unspecified: how many of them a response names; it counts all.
const mostNamed = 1_000;

/** Findings with remarks: lists the first ones, and counts all. */
export class NamedFindings {
  readonly named: NamedFinding[] = [];
  count = 0;

  add(index: number | null, reason: string): void {
    if (this.count++ < mostNamed) this.named.push({ index, reason });
  }
}
