import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that the temporary files are not on: Linux's file system in memory, or that of temporary files which last. */
export const otherDisk =
  ['/dev/shm', '/var/tmp'].find((path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev) ?? '';

/** A folder on the other disk; removed by `remove`. */
export async function folderElsewhere(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(otherDisk, 'database-elsewhere-'));
  return { path, remove: () => rm(path, { recursive: true }) };
}

/** Has a data folder name its database there, as a start does whose PostgreSQL cannot reach the data folder. */
export async function putDatabase(dataDir: string, cluster: string): Promise<void> {
  await mkdir(cluster);
  await writeFile(join(cluster, 'store-service.json'), JSON.stringify({ password: 'secret', dataDir }));
  await writeFile(join(dataDir, 'postgres-place.json'), JSON.stringify({ cluster }));
}
