import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { birth, isSameProcess } from './processes.js';

/**
 * Makes a folder in which something grows until it is whole and is renamed. Its name says which process works in it, so that
 * the leftovers of killed processes can be removed first; `clear` removes what such a folder has left elsewhere.
 */
export async function makeDraft(
  parent: string,
  prefix: string,
  clear: (folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  await removeAbandoned(parent, prefix, clear);
  return mkdtemp(join(parent, `${prefix}${process.pid}-${(await birth(process.pid)) ?? ''}-`));
}

async function removeAbandoned(
  parent: string,
  prefix: string,
  clear: (folder: string) => Promise<void>,
): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const [pid, born] = name.slice(prefix.length).split('-');
    if (await isSameProcess(Number(pid), born === undefined || born === '' ? null : born)) continue;
    await clear(join(parent, name)).catch(() => undefined);
    // An initdb may outlive its parent for a moment and still write there.
    const patience = { maxRetries: 5, retryDelay: 100 };
    await rm(join(parent, name), { recursive: true, force: true, ...patience }).catch(() => undefined);
  }
}
