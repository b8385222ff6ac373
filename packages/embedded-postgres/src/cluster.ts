import { randomBytes } from 'node:crypto';
import { chmod, lchown, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import {
  clusterVersion,
  findCluster,
  innerPlace,
  setAsideUnfinished,
  writeMarker,
  writeNote,
} from './cluster-place.js';
import { makeDraft } from './drafts.js';
import { outerName, tidyOutside } from './outside.js';
import { codeOf, messageOf, refusal } from './embedded-server-error.js';
import { canWrite, isRoot, runAs, type ServerUser } from './server-user.js';
import { systemFolder } from './system-folder.js';

/** The role that makes and watches over the cluster; the service itself signs in with a lesser one. */
export const SUPERUSER = 'postgres';

export interface ClusterRequest {
  dataDir: string;
  user: ServerUser;
  binaries: Binaries;
  /** False if the caller turned fsync off, and so does not mind a cluster lost with the machine. */
  durable: boolean;
  log: (line: string) => void;
}

/** The place where a cluster grows until it is whole. */
export interface Nursery {
  folder: string;
  inDataDir: boolean;
}

const NURSERY = 'postgres.new-';

/**
 * Returns the cluster of the data folder, making it if there is none; `isNew` is true for the one call that made it.
 */
export async function findOrMakeCluster(request: ClusterRequest): Promise<{ cluster: string; isNew: boolean }> {
  const { dataDir, log } = request;
  const found = await findCluster(dataDir);
  if (found !== null) return { cluster: found, isNew: false };
  const aside = await setAsideUnfinished(dataDir);
  if (aside !== null) log(`A PostgreSQL cluster that was never finished now lies in ${aside}`);
  const nursery = await openNursery(request);
  try {
    const whole = await growCluster(request, nursery.folder);
    const cluster = nursery.inDataDir ? await settleInside(whole, dataDir) : await settleOutside(whole, request);
    if (cluster !== null) return { cluster, isNew: true };
  } finally {
    await rm(nursery.folder, { recursive: true, force: true });
  }
  const winner = await findCluster(dataDir);
  if (winner === null) throw refusal(`Another process is working in ${dataDir}`, 'Start the service again');
  return { cluster: winner, isNew: false };
}

/**
 * The data lie in the data folder where PostgreSQL's user can reach it, else in a folder of the system. Unspecified:
 * what else root may change to let that user in. We open no folder that somebody closed.
 */
export async function openNursery({
  dataDir,
  user,
  log,
}: Pick<ClusterRequest, 'dataDir' | 'user' | 'log'>): Promise<Nursery> {
  const inside = await tryNursery(user, dataDir);
  if (inside !== null) return { folder: inside, inDataDir: true };
  for (const parent of ['/var/lib', '/opt']) {
    const system = await systemFolder(parent);
    const folder = system === null ? null : await tryNursery(user, system);
    if (folder === null) continue;
    log(`${user.name} cannot reach ${dataDir}, so the data lie in ${dirname(folder)}`);
    return { folder, inDataDir: false };
  }
  throw refusal(
    `PostgreSQL runs as ${user.name}, who can write neither in ${dataDir} nor in /var/lib/store-service`,
    'Set DATA_DIR to a folder that every user can enter',
  );
}

async function tryNursery(user: ServerUser, parent: string): Promise<string | null> {
  const folder = await makeDraft(parent, NURSERY);
  if (user.ids !== undefined) await lchown(folder, user.ids.uid, user.ids.gid);
  if (await canWrite(user, folder)) return folder;
  await rm(folder, { recursive: true, force: true });
  return null;
}

/** Runs initdb and leaves the note that marks the cluster as finished. */
async function growCluster({ user, binaries, durable, dataDir }: ClusterRequest, nursery: string): Promise<string> {
  const cluster = join(nursery, 'cluster');
  const passwordFile = join(nursery, 'password');
  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  await give(passwordFile, user);
  const run = (ctype: string) => runAs(user, binaries.initdb, initdbArguments(cluster, passwordFile, ctype, durable));
  const first = await run('C.UTF-8');
  // pg_trgm sees letters beyond ASCII only under such an LC_CTYPE; if the system has none, all else works without.
  const outcome = first.code !== 0 && /locale/.test(first.stderr) ? await run('C') : first;
  if (outcome.code !== 0) throw initdbRefusal(dataDir, user, outcome.stderr || outcome.stdout);
  await give(await writeNote(cluster, { password, dataDir, durable }), user);
  return cluster;
}

function initdbArguments(cluster: string, passwordFile: string, ctype: string, durable: boolean): string[] {
  const place = ['-D', cluster, '-U', SUPERUSER, `--pwfile=${passwordFile}`];
  const manners = ['--auth=scram-sha-256', '--no-instructions', '-c', 'timezone=UTC'];
  const language = ['--locale=C', `--lc-ctype=${ctype}`, '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return [...place, ...manners, ...language, '--encoding=UTF8', ...(durable ? [] : ['--no-sync'])];
}

function initdbRefusal(dataDir: string, user: ServerUser, output: string): Error {
  const said = output.trim();
  if (/No space left/.test(said)) return refusal(`The disk of ${dataDir} is full`, 'Make about 100 MB of room');
  if (/could not look up effective user/.test(said)) {
    return refusal('PostgreSQL needs a user who stands in the passwd file', 'Start the service as such a user');
  }
  return refusal(`PostgreSQL's initdb failed as ${user.name}: ${said}`, 'Mend what it names');
}

/** Moves the whole cluster into the data folder at one stroke; null if another copy of the service was first. */
async function settleInside(whole: string, dataDir: string): Promise<string | null> {
  try {
    await rename(whole, innerPlace(dataDir));
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) return null;
    throw error;
  }
  await syncFolder(dataDir);
  return innerPlace(dataDir);
}

async function settleOutside(whole: string, { dataDir, log }: ClusterRequest): Promise<string | null> {
  const parent = dirname(dirname(whole));
  // Another copy may be tidying too; the next such start retries what fails now.
  await tidyOutside(parent, dataDir, log).catch((error: unknown) => log(messageOf(error)));
  const cluster = join(parent, outerName());
  await rename(whole, cluster);
  await syncFolder(parent);
  if (await writeMarker(dataDir, cluster)) {
    await syncFolder(dataDir);
    return cluster;
  }
  await rm(cluster, { recursive: true, force: true });
  return null;
}

/** Without this a machine that crashes may forget the rename; not every system can do it to a folder. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Never through a link: the folder belongs to that user, who may have put one there. */
async function give(path: string, user: ServerUser): Promise<void> {
  if (user.ids !== undefined) await lchown(path, user.ids.uid, user.ids.gid);
}

/** Checks before a start that PostgreSQL will take the cluster: owner, mode and major version. */
export async function checkCluster(cluster: string, user: ServerUser, binaries: Binaries): Promise<void> {
  const version = await clusterVersion(cluster);
  if (version !== binaries.majorVersion) {
    throw refusal(
      `The data in ${cluster} were made by PostgreSQL ${version}, and this service brings ${binaries.majorVersion}`,
      `Move ${basename(cluster)} away to begin anew`,
    );
  }
  const { uid, mode } = await stat(cluster);
  // Root may have copied the folder; PostgreSQL wants to own it, and nobody else to read it.
  if (isRoot() && user.ids !== undefined && uid !== user.ids.uid) await giveTree(cluster, user.ids);
  if ((mode & 0o027) !== 0) await chmod(cluster, 0o700);
}

/** Makes all of a folder PostgreSQL's own. */
export async function giveTree(path: string, ids: { uid: number; gid: number }): Promise<void> {
  await lchown(path, ids.uid, ids.gid);
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), ids.uid, ids.gid);
}
