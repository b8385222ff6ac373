import { join } from 'node:path';
import type { Environment } from '../config/environment-reader.js';
import { loadSettings } from '../config/settings.js';
import { StartError } from '../config/start-error.js';
import { movePictures } from '../store/uploads/storage/move-pictures.js';
import { S3Bucket } from '../platform/net/s3-bucket.js';

/** Moves the pictures on disk to the bucket of STORAGE_URL, or says what would be moved. */
export async function moveStorage(environment: Environment, isDry: boolean): Promise<void> {
  const { storage, dataDir } = loadSettings(environment);
  if (!storage.bucket) throw new StartError('Set STORAGE_URL to the bucket that will hold the pictures');
  const folder = join(dataDir, 'uploads');
  const bucket = new S3Bucket(storage.bucket, { checkMs: 10_000 });
  await movePictures({ bucket, folder, isDry, log: (line) => console.log(line) });
}
