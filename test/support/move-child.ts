import type { BucketPlace } from '../../src/config/storage-settings.js';
import { movePictures } from '../../src/store/uploads/storage/move-pictures.js';
import { S3Bucket } from '../../src/platform/net/s3-bucket.js';

/** Moves pictures in a process of its own, which a test kills. */
const bucket = new S3Bucket(JSON.parse(process.env['PLACE'] ?? '') as BucketPlace);
await movePictures({ bucket, folder: process.env['FOLDER'] ?? '', isDry: false, log: () => undefined });
