import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commandLine } from './processes.js';

/** PostgreSQL's own account of itself in `postmaster.pid` (documentation, "Database File Layout"). */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

const UNWRITTEN_MS = 5_000;

/** Reads `postmaster.pid`; null if it is absent or still empty. */
export async function readPostmasterFile(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() };
}

/** The living server of this cluster, or null. A file that names a dead or a foreign process counts for nothing. */
export async function livingPostmaster(cluster: string): Promise<Postmaster | null> {
  const named = await readPostmasterFile(cluster);
  return named !== null && (await isPostmasterOf(cluster, named.pid)) ? named : null;
}

/** True if the process `pid` is the PostgreSQL server of `cluster`. */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  const words = await commandLine(pid);
  if (words === null) return false;
  if (words === undefined) return true;
  const [program = '', ...rest] = words;
  if (rest.length === 0) return program.includes('postgres') && program.includes(cluster);
  return basename(program) === 'postgres' && rest.includes(cluster);
}

/**
 * Removes a `postmaster.pid` that would trip PostgreSQL itself up: one whose process id now belongs to another program,
 * and one that a crash left empty. It leaves a dead process's to PostgreSQL, which also looks for shared memory still
 * in use.
 */
export async function removeMisleadingFile(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const found = await stat(file).catch(() => null);
  if (found === null) return;
  const named = await readPostmasterFile(cluster);
  if (named === null && Date.now() - found.mtimeMs < UNWRITTEN_MS) return;
  if (named !== null && (await isPostmasterOf(cluster, named.pid))) return;
  const again = await readPostmasterFile(cluster);
  if (again?.pid === named?.pid) await rm(file, { force: true });
}

/** The port of the last start, which PostgreSQL notes in `postmaster.opts`; null if there was none. */
export async function lastPort(cluster: string): Promise<number | null> {
  const options = await readFile(join(cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  const port = /"-p" "(\d+)"/.exec(options)?.[1];
  return port === undefined ? null : Number(port);
}
