import type { KeptBackups } from '../../config/backup-settings.js';

const form = /^store-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/;

/** The name of a backup that was begun at a time. */
export function backupName(begun: Date): string {
  return `store-${begun.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

/** Those of the names that are backups which the service made by itself, newest first. */
export function backupNames(names: readonly string[]): string[] {
  return names
    .filter((name) => form.test(name))
    .sort()
    .toReversed();
}

/** Monday of the week of a day. */
function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/**
 * The backups that are no longer kept: of the last days and weeks that have some, the newest of each stays, and `made`
 * stays whatever its time is, as a clock may have been turned back.
 */
export function outlivedBackups(names: readonly string[], { daily, weekly }: KeptBackups, made: string): string[] {
  const newestFirst = backupNames(names);
  const dayOf = (name: string): string => form.exec(name)?.[1] ?? '';
  const newestOf = (periodOf: (day: string) => string, most: number): string[] => {
    const newest = new Map<string, string>();
    for (const name of newestFirst) {
      const period = periodOf(dayOf(name));
      if (!newest.has(period)) newest.set(period, name);
    }
    return [...newest.values()].slice(0, most);
  };
  const kept = new Set([made, ...newestOf((day) => day, daily), ...newestOf(weekOf, weekly)]);
  return newestFirst.filter((name) => !kept.has(name));
}
