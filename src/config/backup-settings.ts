import type { EnvironmentReader } from './environment-reader.js';

/** The key of backups: none where neither is set. */
export interface BackupSettings {
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

/** Reads BACKUP_PASSPHRASE and BACKUP_PASSPHRASE_FILE. */
export function readBackupSettings(read: EnvironmentReader): BackupSettings {
  const passphrase = read.secret('BACKUP_PASSPHRASE', passphraseTakes, isPassphrase);
  const passphraseFile = read.text('BACKUP_PASSPHRASE_FILE');
  if (read.text('BACKUP_PASSPHRASE') !== undefined && passphraseFile !== undefined) {
    read.problems.push('BACKUP_PASSPHRASE and BACKUP_PASSPHRASE_FILE are both set: remove one');
  }
  return { passphrase, passphraseFile };
}
