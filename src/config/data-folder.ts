import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { finishRestore } from './restored-folder.js';

/** Only the owner may enter, read and write. */
const closed = 0o700;
/** As `closed`, but others may pass through: under root PostgreSQL runs as another user, whose data may lie within. */
const passable = 0o711;

/**
 * Makes the data folder, or closes the existing one: only its owner may read it. Where that fails, the first write into
 * the folder reports it.
 */
export function closeDataFolder(folder: string): void {
  try {
    if (mkdirSync(folder, { recursive: true, mode: closed }) !== undefined) return;
    const { mode, uid } = statSync(folder);
    const owner = process.getuid?.();
    const most = owner === 0 ? passable : closed;
    if (uid === owner && (mode & 0o777 & ~most) !== 0) chmodSync(folder, mode & most);
  } catch {
    return;
  }
}

/** Closes the data folder, and finishes an interrupted restore that could no longer fail. */
export function prepareDataFolder(folder: string): void {
  closeDataFolder(folder);
  finishRestore(folder);
}
