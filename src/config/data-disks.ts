import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findCluster } from '@store-service/embedded-postgres';

/** A disk that holds data of the service, in bytes. */
export interface DataDisk {
  /** The folder of the data there. */
  folder: string;
  /** What the user of the service may still write. */
  free: number;
  size: number;
}

/**
 * The disk of `DATA_DIR`, and that of the embedded database where it lies on another one: under root, in a folder of the
 * system, if PostgreSQL's user cannot reach `DATA_DIR`.
 */
export async function dataDisks(dataDir: string): Promise<DataDisk[]> {
  // A service with a database of its own may have left a note of the embedded one, whose files are gone.
  const cluster = await findCluster(dataDir).catch(() => null);
  const outside = cluster === null ? dataDir : dirname(cluster);
  const [own, other] = await Promise.all([stat(dataDir), stat(outside)]);
  const folders = own.dev === other.dev ? [dataDir] : [dataDir, outside];
  return Promise.all(
    folders.map(async (folder) => {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { folder, free: bavail * bsize, size: blocks * bsize };
    }),
  );
}
