import type { NotKept } from './reports.dto.js';

// Unspecified: how much of what is not kept a response names; it counts all.
const mostParts = 200;
const mostPaths = 100;
const longestPart = 200;

/** The parts of a finding that are kept: true for a whole part, else those within it; lists are transparent. */
export type Kept = true | { [key: string]: Kept };

/** Whether a value says something. */
function isSaid(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  if (typeof value !== 'object') return true;
  return Array.isArray(value) ? value.some(isSaid) : Object.values(value).some(isSaid);
}

/** What a report says beyond what is kept of it, in all its findings together. */
export class ReportRemarks {
  private readonly parts = new Map<string, number>();
  private readonly paths = new Set<string>();
  /** What was cut from rules, in words. */
  readonly ruleCuts: string[] = [];
  /** How many findings are at absolute paths that lie below no known root. */
  absolutePathCount = 0;

  /** The parts that are not kept, with the number of findings that have them. */
  get notKept(): NotKept[] {
    return [...this.parts].map(([part, findings]) => ({ part, findings }));
  }

  get absolutePaths(): string[] {
    return [...this.paths];
  }

  /** Names what of a finding is not kept, such as `results[].graphs`. */
  compare(finding: unknown, kept: Kept, name: string): void {
    const parts = new Set<string>();
    collect(finding, kept, name, parts);
    for (const part of parts) this.add(part);
  }

  /** Names what was cut from a rule. */
  cutRule(reason: string): void {
    if (this.ruleCuts.length < mostParts) this.ruleCuts.push(`Rule ${reason}`);
  }

  addAbsolute(paths: Iterable<string>): void {
    let has = false;
    for (const path of paths) {
      has = true;
      if (this.paths.size < mostPaths) this.paths.add(path);
    }
    if (has) this.absolutePathCount++;
  }

  private add(part: string): void {
    const known = this.parts.get(part);
    // Keys are as long and as many as whoever wrote the report likes.
    if (known === undefined && this.parts.size >= mostParts) this.parts.set('…', (this.parts.get('…') ?? 0) + 1);
    else this.parts.set(part, (known ?? 0) + 1);
  }
}

function collect(value: unknown, kept: Kept | undefined, name: string, parts: Set<string>): void {
  if (kept === true) return;
  if (kept === undefined) {
    if (isSaid(value)) parts.add(name.slice(0, longestPart).toWellFormed());
    return;
  }
  if (Array.isArray(value)) {
    for (const element of value) collect(element, kept, name.endsWith('[]') ? name : `${name}[]`, parts);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    if (isSaid(value)) parts.add(name.slice(0, longestPart).toWellFormed());
    return;
  }
  for (const key in value) {
    const part = Object.hasOwn(kept, key) ? kept[key] : undefined;
    collect((value as Record<string, unknown>)[key], part, `${name}.${key}`, parts);
  }
}
