import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** The compressed forms of a built file, best first. */
const forms = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

export interface ServedFile {
  body: Buffer;
  type: string;
  encoding: string | undefined;
  etag: string;
  /** The file name has a hash of its content, so the file never changes. */
  isImmutable: boolean;
}

const built = fileURLToPath(new URL('../../../packages/console/dist/', import.meta.url));

/** The folder of the built pages: `nest build` copies it to the same place below `dist`. */
export function consoleFolder(): string | undefined {
  return existsSync(join(built, 'index.html')) && existsSync(join(built, 'assets')) ? built : undefined;
}

/** The built files of the console, read at the first request and kept: together about a megabyte. */
export class ConsoleFiles {
  private readonly names: ReadonlySet<string>;
  private readonly read = new Map<string, Promise<ServedFile>>();

  constructor(private readonly folder: string) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    this.names = new Set(names.map((name) => name.replaceAll(sep, '/')));
  }

  /**
   * The file of a path below `/console/`, in the best form that the caller accepts; undefined if there is none. A new
   * build removes the files of the previous one.
   */
  async find(path: string, acceptEncoding: string): Promise<ServedFile | undefined> {
    if (!this.names.has(path) || types[extname(path)] === undefined) return undefined;
    const form = forms.find(({ encoding, ending }) => takes(acceptEncoding, encoding) && this.names.has(path + ending));
    const name = path + (form?.ending ?? '');
    let file = this.read.get(name);
    if (!file) {
      file = this.load(path, name, form?.encoding);
      this.read.set(name, file);
      file.catch(() => this.read.delete(name));
    }
    return file.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }

  private async load(path: string, name: string, encoding: string | undefined): Promise<ServedFile> {
    const body = await readFile(join(this.folder, name));
    return {
      body,
      encoding,
      type: types[extname(path)] ?? '',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      isImmutable: path.startsWith('assets/'),
    };
  }
}

function takes(acceptEncoding: string, encoding: string): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name, quality = ''] = part.trim().toLowerCase().split(';');
    return name === encoding && quality.trim() !== 'q=0';
  });
}
