import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.js';

/** The parts of a data folder that a backup holds and a restore replaces. */
export const backedUpNames = ['postgres', 'postgres-place.json', 'uploads', 'jwt-secret', 'encryption-key'];

/** A completely unpacked backup: `new` holds the restored files, `before` the files that they replace. */
const ready = 'restore.ready';
/** The same, after the replaced files have been moved out of it. */
const placing = 'restore.placing';

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Another process has already moved it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Commits the restore in `draft`, a folder within the data folder: it will be finished whatever happens. */
export function commitRestore(dataDir: string, draft: string): void {
  mkdirSync(join(draft, 'before'));
  renameSync(draft, join(dataDir, ready));
}

/** Whether a restore waits to be finished. */
function isBegun(dataDir: string): boolean {
  return existsSync(join(dataDir, ready)) || existsSync(join(dataDir, placing));
}

/**
 * Finishes a committed restore: moves the replaced files into a folder `before-restore-…`, and the restored ones into place.
 * Any process may do so at any time, even where another was killed at it. Returns that folder where something made way.
 */
export function finishRestore(dataDir: string): string | undefined {
  if (!isBegun(dataDir)) return undefined;
  try {
    const [waiting, moving] = [join(dataDir, ready), join(dataDir, placing)];
    for (const name of backedUpNames) moveIfThere(join(dataDir, name), join(waiting, 'before', name));
    moveIfThere(waiting, moving);
    return place(dataDir, moving);
  } catch (error) {
    throw new StartError(
      `A restore into ${dataDir} cannot be finished (${(error as Error).message}): correct the cause and start again`,
    );
  }
}

function place(dataDir: string, moving: string): string | undefined {
  for (const name of backedUpNames) moveIfThere(join(moving, 'new', name), join(dataDir, name));
  const before = join(moving, 'before');
  const isEmpty = !existsSync(before) || readdirSync(before).length === 0;
  const aside = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  if (!isEmpty) moveIfThere(before, aside);
  rmSync(moving, { recursive: true, force: true });
  return isEmpty ? undefined : aside;
}
