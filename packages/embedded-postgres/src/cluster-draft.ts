import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findBinaries } from './binaries.js';
import { giveTree, openNursery, syncFolder } from './cluster.js';
import { innerPlace, noteFile, readNote, writeMarker, writeNote } from './cluster-place.js';
import { outerName } from './outside.js';
import { chooseServerUser } from './server-user.js';

/** An empty place in which to assemble a cluster from a backup, where PostgreSQL's user can reach it. */
export interface ClusterDraft {
  folder: string;
  /** The major version of the PostgreSQL that will serve it. */
  majorVersion: string;
  /** Moves the complete cluster to `into`, a folder that will replace the contents of the data folder. */
  settle(into: string): Promise<void>;
  discard(): Promise<void>;
}

/** Makes a draft for the data folder, which exists. Throws an `EmbeddedServerError` if no cluster can lie anywhere. */
export async function draftCluster(wanted: string, log: (line: string) => void): Promise<ClusterDraft> {
  const dataDir = await realpath(wanted);
  const user = await chooseServerUser(null);
  const { majorVersion } = await findBinaries(user, dataDir);
  const nursery = await openNursery({ dataDir, user, log });
  const folder = join(nursery.folder, 'cluster');
  await mkdir(folder, { mode: 0o700 });
  const settle = async (into: string): Promise<void> => {
    const note = await readNote(folder);
    if (note === null) throw new Error('The cluster of the backup has no note of its password');
    await rm(noteFile(folder));
    await writeNote(folder, { ...note, dataDir });
    if (user.ids !== undefined) await giveTree(folder, user.ids);
    if (nursery.inDataDir) return rename(folder, innerPlace(into));
    const outer = join(dirname(nursery.folder), outerName());
    await rename(folder, outer);
    await syncFolder(dirname(outer));
    await writeMarker(into, outer);
  };
  const discard = (): Promise<void> => rm(nursery.folder, { recursive: true, force: true });
  return { folder, majorVersion, settle, discard };
}
