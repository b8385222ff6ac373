import type { Environment } from './environment-reader.js';

/** The shortest names that count as mistyped with one wrong character, and with two. */
const oneSlipFrom = 8;
const twoSlipsFrom = 10;

/** How many characters are missing, too many, wrong or swapped with their neighbor (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const steps = [(rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j - 1] ?? 0) + same];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) steps.push((rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(Math.min(...steps));
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? Infinity;
}

/**
 * A sentence for each variable whose name is a mistyped setting: otherwise the setting would silently keep its default.
 * It skips names of one word, since other programs use many of those, and settings that are also given under their
 * correct name.
 */
export function mistypedNames(environment: Environment, settings: ReadonlySet<string>): string[] {
  const isGiven = (name: string) => (environment[name] ?? '').trim() !== '';
  const missing = [...settings].filter((name) => name.includes('_') && name.length >= oneSlipFrom && !isGiven(name));
  const strangers = Object.keys(environment).filter((name) => isGiven(name) && !settings.has(name));
  return strangers.flatMap((name) => {
    const upper = name.toUpperCase();
    const meant = missing.find((setting) => {
      const slips = setting.length >= twoSlipsFrom ? 2 : 1;
      return Math.abs(setting.length - upper.length) <= slips && slipsBetween(upper, setting) <= slips;
    });
    return meant === undefined ? [] : [`${name} is not a setting: write ${meant}, or remove it`];
  });
}
