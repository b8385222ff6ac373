import type { ImportedIssue } from '../../scanning/reports/reports.shapes.js';
import type { Ignored } from './policy.js';

/** Whether an entry needs each issue to be looked at: counts are by rule alone. */
export function isByIssue({ path, asset }: Ignored): boolean {
  return path !== undefined || asset !== undefined;
}

/** The pattern as an expression: `*` is within a folder, `**` across them; a folder means all in it. */
function expressionOf(pattern: string, isPath: boolean): RegExp {
  const parts = pattern.split(/(\*\*\/|\*\*|\*)/).map((part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return isPath ? '[^/]*' : '.*';
    return part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
  });
  const folder = isPath ? '(?:/.*)?' : '';
  return new RegExp(`^${parts.join('').replace(/\/$/, '')}${folder}$`, 's');
}

/** Entries of a policy that are in force, for looking at many issues. */
export class IgnoredIssues {
  private readonly entries: { entry: Ignored; path: RegExp | null; asset: RegExp | null }[];

  constructor(entries: readonly Ignored[]) {
    this.entries = entries.map((entry) => ({
      entry,
      path: entry.path === undefined ? null : expressionOf(entry.path.replace(/^\.?\//, ''), true),
      asset: entry.asset === undefined ? null : expressionOf(entry.asset, false),
    }));
  }

  /** The first entry that holds of an issue; undefined where none does. */
  of({ rule, place, assetName }: Pick<ImportedIssue, 'rule' | 'place' | 'assetName'>): Ignored | undefined {
    return this.entries.find(
      ({ entry, path, asset }) =>
        (entry.rule === undefined || entry.rule === rule) &&
        (path === null || (place !== null && path.test(place))) &&
        (asset === null || asset.test(assetName)),
    )?.entry;
  }
}

/** What an entry ignores, in words: `rule log-injection in test/**`. */
export function ignoredInWords({ rule, path, asset }: Ignored): string {
  const parts = [
    rule === undefined ? '' : `rule ${rule}`,
    path === undefined ? '' : `in ${path}`,
    asset === undefined ? '' : `of asset ${asset}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
