import { chown, copyFile, open, stat, truncate, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRoot } from './server-user.js';

const LIMIT_BYTES = 8 * 1024 * 1024;

/** Opens PostgreSQL's log for appending. */
export async function openLog(file: string): Promise<FileHandle> {
  await trimLog(file);
  const handle = await open(file, 'a', 0o600);
  await ownAsFolder(file);
  return handle;
}

/** Keeps the log bounded: past 8 MiB it moves to `<file>.1` and begins anew, also under a server that writes to it. */
export async function trimLog(file: string): Promise<void> {
  if ((await logSize(file)) < LIMIT_BYTES) return;
  await copyFile(file, `${file}.1`);
  await ownAsFolder(`${file}.1`);
  // The server holds the file open for appending, and so writes on at the new end.
  await truncate(file, 0);
}

/** The log's size in bytes; 0 if there is none. */
export async function logSize(file: string): Promise<number> {
  return stat(file).then(
    (found) => found.size,
    () => 0,
  );
}

/** The log's text from byte `offset` on, at most its last 64 KiB. */
export async function readLog(file: string, offset: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return '';
  try {
    const { size } = await handle.stat();
    const start = Math.max(offset > size ? 0 : offset, size - 64 * 1024);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** A folder of an ordinary user must stay of use to that user after root served it once. */
async function ownAsFolder(file: string): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = await stat(dirname(file));
  await chown(file, uid, gid);
}
