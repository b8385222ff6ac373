import { StartError } from '../../config/start-error.js';

/** The word that names the backup of `--backup` or `--restore`. */
export function commandFile(args: string[], command: '--backup' | '--restore'): string {
  const [file] = namesAfter(args, command);
  if (file !== undefined) return file;
  throw new StartError('Name one file, or latest: npm run restore -- FILE');
}

/** The one word after a command, if there is one. */
export function namesAfter(args: string[], command: '--backup' | '--restore'): [string?] {
  const rest = args.slice(args.indexOf(command) + 1).filter((word) => !word.startsWith('--'));
  if (rest.length > 1) throw new StartError(`Name one file: npm run ${command.slice(2)} -- FILE`);
  return rest.length === 0 ? [] : [rest[0]];
}

/** What backs up a PostgreSQL server of one's own. */
export const databaseTools =
  'back it up with pg_dump --format=custom --file=FILE URL, and restore it with pg_restore --clean --if-exists ' +
  '--no-owner --dbname=URL FILE, where URL is that of DATABASE_URL (docs/scale.md)';

/** As `12.3 MB`. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const sentences: Record<string, string> = {
  EEXIST: 'the file exists already: name another file, or move this one away',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is mounted read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is not a folder',
};

/** A failed write of `path` as a sentence; anything else as it is. */
export function sentenceOfDisk(error: unknown, path: string): unknown {
  const said = sentences[(error as NodeJS.ErrnoException).code ?? ''];
  return said === undefined ? error : new StartError(`${path} cannot be written: ${said}`);
}

/** Runs `work`, which SIGTERM or SIGINT ends: it then tidies up and throws. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  const signals = ['SIGTERM', 'SIGINT'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  // The service that runs this command is gone.
  process.on('disconnect', onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new StartError('Stopped before the end: nothing was changed') : error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    process.off('disconnect', onSignal);
  }
}
