import type { Settings } from '../../config/settings.js';
import { StartError } from '../../config/start-error.js';

/** The file of `--backup` or `--restore`. */
export function commandFile(args: string[], command: '--backup' | '--restore'): string {
  const rest = args.slice(args.indexOf(command) + 1).filter((word) => !word.startsWith('--'));
  const [file] = rest;
  if (file !== undefined && rest.length === 1) return file;
  throw new StartError(`Name one file: npm run ${command.slice(2)} -- FILE`);
}

/** These commands are for the embedded server: other PostgreSQL servers have better ones. */
export function refuseOwnDatabase({ databaseUrl }: Settings): void {
  if (databaseUrl === undefined) return;
  throw new StartError(
    'DATABASE_URL names your own PostgreSQL server: back it up with pg_dump --format=custom --file=FILE ' +
      '"$DATABASE_URL", ' +
      'restore it with pg_restore --clean --if-exists --dbname="$DATABASE_URL" FILE, and keep DATA_DIR/uploads, ' +
      'JWT_SECRET and ENCRYPTION_KEY beside it (docs/scale.md)',
  );
}

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
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new StartError('Stopped before the end: nothing was changed') : error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
