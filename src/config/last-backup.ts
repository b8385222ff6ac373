import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const nameOfFile = 'last-backup';

/** Notes in the data folder that a backup of it is complete. */
export async function noteBackup(dataDir: string, time: Date): Promise<void> {
  await writeFile(join(dataDir, nameOfFile), `${time.toISOString()}\n`, { mode: 0o600 });
}

/** When the last backup of the data folder was begun, in seconds since 1970; undefined if there was none. */
export async function lastBackup(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, nameOfFile), 'utf8').catch(() => '');
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? undefined : time / 1_000;
}
