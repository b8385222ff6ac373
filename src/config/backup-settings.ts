import { join, resolve } from 'node:path';
import { CronExpressionParser } from 'cron-parser';
import type { EnvironmentReader } from './environment-reader.js';
import { type BucketPlace, bucketTakes, parseBucketUrl } from './storage-settings.js';

/** Where backups that the service makes by itself lie. */
export type BackupPlace = { folder: string } | { bucket: BucketPlace };

/** How many backups are kept: of the last days with one the newest of each, and of the last weeks. */
export interface KeptBackups {
  daily: number;
  weekly: number;
}

export interface BackupSettings {
  /** A cron expression in UTC; null: the service makes none by itself. */
  schedule: string | null;
  place: BackupPlace;
  keep: KeptBackups;
  /** The key of backups: none where neither is set. */
  passphrase: string | undefined;
  /** A file that holds it. */
  passphraseFile: string | undefined;
}

const fewestCharacters = 12;

/** Whether the passphrase is long enough. */
export function isPassphrase(text: string): boolean {
  return text.length >= fewestCharacters && text.length <= 1_000;
}

/** The form of a passphrase. */
export const passphraseTakes = `${fewestCharacters} to 1000 characters`;

const nightly = '15 3 * * *';

/** The last time before `now`, or the one before that, at which a schedule of backups is due. */
export function lastBackupTimes(schedule: string, now: Date): { last: Date; before: Date } {
  const times = CronExpressionParser.parse(schedule, { tz: 'UTC', currentDate: now });
  return { last: times.prev().toDate(), before: times.prev().toDate() };
}

function parseSchedule(value: string): { cron: string | null } | undefined {
  if (value === 'off') return { cron: null };
  // The parser would take six fields, the first of seconds, and H, which is a random time.
  if (value.split(/\s+/).length !== 5 || /(^|[\s,])H/i.test(value)) return undefined;
  try {
    lastBackupTimes(value, new Date());
    return { cron: value };
  } catch {
    return undefined;
  }
}

function parseKept(value: string): KeptBackups | undefined {
  const [, daily, weekly = '0'] = /^(\d{1,3}) daily(?:, (\d{1,3}) weekly)?$/.exec(value) ?? [];
  return daily === undefined || Number(daily) === 0 ? undefined : { daily: Number(daily), weekly: Number(weekly) };
}

function readPlace(read: EnvironmentReader, dataDir: string): BackupPlace {
  const value = read.text('BACKUP_TO');
  if (value === undefined || !/^\w+:\/\//.test(value)) return { folder: resolve(value ?? join(dataDir, 'backups')) };
  read.secret('BACKUP_TO', bucketTakes, (url) => parseBucketUrl(url) !== undefined);
  const bucket = parseBucketUrl(value);
  return bucket ? { bucket } : { folder: '' };
}

/** Reads the settings of backups. The embedded server is backed up every night unless they say something else. */
export function readBackupSettings(
  read: EnvironmentReader,
  { dataDir, isEmbedded }: { dataDir: string; isEmbedded: boolean },
): BackupSettings {
  const { cron } = read.parsed(
    'BACKUP_SCHEDULE',
    'a cron expression of five fields in UTC, such as "15 3 * * *" for 3:15 every night, or off',
    { cron: isEmbedded ? nightly : null },
    parseSchedule,
  );
  const takesKept = 'how many to keep, such as "7 daily, 4 weekly" or "30 daily"';
  const keep = read.parsed('BACKUP_KEEP', takesKept, { daily: 7, weekly: 4 }, parseKept);
  const passphrase = read.secret('BACKUP_PASSPHRASE', passphraseTakes, isPassphrase);
  const passphraseFile = read.text('BACKUP_PASSPHRASE_FILE');
  if (read.text('BACKUP_PASSPHRASE') !== undefined && passphraseFile !== undefined) {
    read.problems.push('BACKUP_PASSPHRASE and BACKUP_PASSPHRASE_FILE are both set: remove one');
  }
  return { schedule: cron, place: readPlace(read, dataDir), keep, passphrase, passphraseFile };
}
