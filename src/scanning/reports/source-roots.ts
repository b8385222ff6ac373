import { posix } from 'node:path';

const fileScheme = /^file:(?:\/\/localhost(?=\/)|\/\/(?=\/))?/i;

/** The uri with escapes such as `%20` decoded; escapes of invalid UTF-8 stay. */
export function decoded(uri: string): string {
  if (!uri.includes('%')) return uri;
  return uri.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/**
 * One spelling of an absolute path, decoded, whether it came as a path or as a file URI, of Windows or not: `/ci/app/a
 * b.js`, `c:/app/a.js`. Null for a relative path and for other URIs.
 */
export function absolutePath(given: string): string | null {
  const isFile = fileScheme.test(given);
  const path = (isFile ? given.replace(fileScheme, '') : given).replaceAll('\\', '/');
  const [, drive, rest] = /^\/?([a-z]):(\/.*)?$/is.exec(path) ?? [];
  if (drive !== undefined) return `${drive.toLowerCase()}:${posix.normalize(rest ?? '/')}`;
  if (!isFile && !path.startsWith('/')) return null;
  return posix.normalize(path.startsWith('/') ? path : `/${path}`);
}

/** The folder with a slash at its end; null for a relative one, and for one that holds everything. */
function folderOf(given: string): string | null {
  const path = absolutePath(decoded(given));
  if (path === null || /^(?:[a-z]:)?\/$/.test(path)) return null;
  return path.endsWith('/') ? path : `${path}/`;
}

/** The folders in which tools ran: what lies below one has the same path on every machine. */
export class SourceRoots {
  private readonly folders: string[];
  private readonly spellings: string[];

  /** The roots in the order in which they are tried; those that are no absolute path are omitted. */
  constructor(given: readonly string[]) {
    this.folders = [...new Set(given.flatMap((root) => folderOf(root) ?? []))];
    this.spellings = this.folders.flatMap(spellingsOf).sort((one, other) => other.length - one.length);
  }

  /** The path of an absolute path below the first root that holds it; null if none does. */
  below(path: string): string | null {
    const folder = this.folders.find((one) => path.startsWith(one));
    return folder === undefined ? null : path.slice(folder.length);
  }

  /** The text with the paths in it below the roots: messages name files, too. */
  without(text: string): string {
    let shorter = text;
    for (const spelling of this.spellings) {
      if (shorter.includes(spelling)) shorter = shorter.replaceAll(spelling, '');
    }
    return shorter;
  }
}

/** The ways in which a message may write a folder. */
function spellingsOf(folder: string): string[] {
  const isWindows = /^[a-z]:/.test(folder);
  const paths = isWindows ? [folder, `${folder.slice(0, 1).toUpperCase()}${folder.slice(1)}`] : [folder];
  const uris = paths.map((path) => `file://${isWindows ? '/' : ''}${encodeURI(path.toWellFormed())}`);
  return [...uris, ...paths, ...(isWindows ? paths.map((path) => path.replaceAll('/', '\\')) : [])];
}
