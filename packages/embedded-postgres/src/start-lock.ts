import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './embedded-server-error.js';
import { birth, isSameProcess } from './processes.js';

const PATIENCE_MS = 30_000;
const UNWRITTEN_MS = 2_000;

/**
 * Runs `work` while no other copy of the service on this folder runs its own. It only saves double work: an atomic rename and
 * PostgreSQL's own postmaster.pid ensure that a cluster is made once and served once. So it simply takes away a dead holder's
 * lock, and after 30 s the work continues without one.
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mine = await takeLock(file);
  try {
    return await work();
  } finally {
    if (mine !== null && (await readLock(file)) === mine) await rm(file, { force: true });
  }
}

async function takeLock(file: string): Promise<string | null> {
  const mine = `${process.pid} ${(await birth(process.pid)) ?? ''}`;
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    try {
      await writeFile(file, mine, { flag: 'wx', mode: 0o600 });
      return mine;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await sleep(25);
  }
  return null;
}

async function isAbandoned(file: string): Promise<boolean> {
  const text = await readLock(file);
  const [pid = '', born = ''] = (text ?? '').split(' ');
  if (pid === '') return isOlderThan(file, UNWRITTEN_MS);
  return !(await isSameProcess(Number(pid), born === '' ? null : born));
}

async function isOlderThan(file: string, ageMs: number): Promise<boolean> {
  return stat(file).then(
    (found) => Date.now() - found.mtimeMs > ageMs,
    () => false,
  );
}

function readLock(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}
