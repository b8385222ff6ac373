import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codeOf } from './embedded-server-error.js';

/** True if there is a process of that id, a zombie included. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Returns the command line of a living process, as its arguments where the system tells them apart; null if there is no
 * such process, or only a zombie; undefined if it lives and the system does not say.
 */
export async function commandLine(pid: number): Promise<string[] | null | undefined> {
  if (!exists(pid)) return null;
  if (process.platform === 'win32') return undefined;
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
    if (text !== undefined) return text === '' ? null : text.split('\0');
    if (!exists(pid)) return null;
  }
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.trim() === '' ? null : [stdout.trim()];
  } catch {
    return exists(pid) ? undefined : null;
  }
}

/**
 * The start of a process, in the system's own unit, which distinguishes a reused id from its first holder; null if
 * unknown.
 */
export async function birth(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The second field is the program's name in brackets, and may hold spaces; the 22nd is the time of birth.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** True if the process `pid` lives and began at `born`. */
export async function isSameProcess(pid: number, born: string | null): Promise<boolean> {
  return (await commandLine(pid)) !== null && (await birth(pid)) === born;
}
