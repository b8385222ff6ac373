import type { ImportedIssue } from '@store-service/sdk';
import type { Ignored } from './policy.js';

/** Whether an entry needs each issue to be looked at: counts are by rule alone. */
export function isByIssue({ path, asset }: Ignored): boolean {
  return path !== undefined || asset !== undefined;
}

/**
 * Whether items fit patterns one by one, of which some stand for any number of items. It looks at each pair once or so.
 */
function fitsAll<Pattern, Item>(
  patterns: readonly Pattern[],
  items: readonly Item[],
  { isMany, fits }: { isMany: (pattern: Pattern) => boolean; fits: (pattern: Pattern, item: Item) => boolean },
): boolean {
  let at = 0;
  let many = -1;
  let takenByMany = 0;
  for (let item = 0; item < items.length;) {
    const pattern = patterns[at];
    if (pattern !== undefined && isMany(pattern)) {
      many = at++;
      takenByMany = item;
    } else if (pattern !== undefined && fits(pattern, items[item] as Item)) {
      at++;
      item++;
    } else if (many >= 0) {
      at = many + 1;
      item = ++takenByMany;
    } else return false;
  }
  return patterns.slice(at).every(isMany);
}

/** Whether a text fits a pattern in which `*` stands for any characters. */
function isLike(pattern: string, text: string): boolean {
  return fitsAll(pattern.split(''), text.split(''), {
    isMany: (sign) => sign === '*',
    fits: (sign, other) => sign === other,
  });
}

/** The same of a path, where `*` stands for characters within a folder, `**` for folders; a folder means all in it. */
function isPathLike(pattern: string, path: string): boolean {
  const parts = pattern
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('/');
  return fitsAll([...parts, '**'], path.split('/'), { isMany: (part) => part === '**', fits: isLike });
}

/** Entries of a policy that are in force, for looking at many issues. */
export class IgnoredIssues {
  constructor(private readonly entries: readonly Ignored[]) {}

  /** The first entry that holds of an issue; undefined if none does. */
  of({ rule, place, assetName }: Pick<ImportedIssue, 'rule' | 'place' | 'assetName'>): Ignored | undefined {
    return this.entries.find(
      (entry) =>
        (entry.rule === undefined || entry.rule === rule) &&
        (entry.path === undefined || (place !== null && isPathLike(entry.path, place))) &&
        (entry.asset === undefined || isLike(entry.asset, assetName)),
    );
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
