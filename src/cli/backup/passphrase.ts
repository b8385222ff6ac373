import { readFile } from 'node:fs/promises';
import { type BackupSettings, isPassphrase, passphraseTakes } from '../../config/backup-settings.js';
import { StartError } from '../../config/start-error.js';

/** The passphrase of the settings, or of the file that they name; undefined if they have none. */
export async function passphraseOf({
  passphrase,
  passphraseFile,
}: Pick<BackupSettings, 'passphrase' | 'passphraseFile'>): Promise<string | undefined> {
  if (passphraseFile === undefined) return passphrase;
  const text = await readFile(passphraseFile, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(`The file of BACKUP_PASSPHRASE_FILE, ${passphraseFile}, cannot be read (${code ?? message})`);
  });
  const found = text.trim();
  if (!isPassphrase(found)) throw new StartError(`${passphraseFile} does not hold a passphrase of ${passphraseTakes}`);
  return found;
}
