import { existsSync } from 'node:fs';
import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const inMemory = '/dev/shm';
/** What must be free there, and left of the memory for all else, in bytes: all databases of a run take some 2 GiB. */
const roomNeeded = 4 * 2 ** 30;
const memoryNeeded = 8 * 2 ** 30;

async function hasRoom(): Promise<boolean> {
  if (!existsSync(inMemory) || freemem() < memoryNeeded) return false;
  const { bavail, bsize } = await statfs(inMemory);
  return bavail * bsize >= roomNeeded;
}

/**
 * A new folder for a PostgreSQL of the tests, which every user can enter: in memory where there is plenty, since cloning
 * and dropping databases is all about making and removing files, else among the temporary ones.
 */
export async function makeDatabaseFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join((await hasRoom()) ? inMemory : tmpdir(), prefix));
  await chmod(folder, 0o755); // PostgreSQL runs as a user of its own when the tests run as root
  return folder;
}
