import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { loadSettings } from '../../../../../src/config/settings.js';
import { DiskStorage } from '../../../../../src/store/uploads/storage/disk-storage.js';
import { S3Bucket, S3Fault } from '../../../../../src/platform/net/s3-bucket.js';
import { S3Storage } from '../../../../../src/store/uploads/storage/s3-storage.js';
import { type S3Server, startS3Server } from '../../../../support/s3-server.js';

const aMoment = { answerMs: 500, writeMs: 500, pieceMs: 500, checkMs: 500 };
const long = 60_000;
const bytes = Buffer.alloc(200_000, 'picture');

let s3: S3Server;
let folder: string;
let disk: DiskStorage;
let bucket: S3Bucket;
let impatient: S3Bucket;
beforeAll(async () => {
  s3 = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), 'store-s3-storage-'));
  disk = new DiskStorage(loadSettings({ DATA_DIR: folder }));
  bucket = new S3Bucket(s3.place, { answerMs: long, writeMs: long, checkMs: long });
  impatient = new S3Bucket(s3.place, aMoment);
  await new S3Storage(bucket, disk, undefined).save('general', 'a.png', bytes);
});
beforeEach(() => {
  s3.mood = 'well';
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

/** Sends a request to a server that does nothing but send the picture. */
async function get(storage: S3Storage, filename: string): Promise<Response> {
  const app = express();
  app.get('/', (_request, response) => {
    storage.send('general', filename, response, { ETag: `"${filename}"` }).then(
      (isSent) => isSent || response.status(404).end(),
      (error: Error) => response.status(503).send(error.message),
    );
  });
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).finally(() => server.close());
}

describe('S3Bucket', () => {
  it('gives up on a bucket that does not respond', async () => {
    s3.mood = 'silent';
    const works = [impatient.put('x', bytes, {}), impatient.get('x'), impatient.remove('x'), impatient.check()];
    for (const work of await Promise.allSettled(works)) {
      expect(String((work as PromiseRejectedResult).reason)).toMatch(/no answer within 0\.5 s/);
    }
  });

  it('reports what the bucket responded', async () => {
    s3.mood = 'unavailable';
    await expect(bucket.put('x', bytes, {})).rejects.toThrow('PUT x: answered 503 SlowDown');
    s3.mood = 'well';
    const strange = new S3Bucket({ ...s3.place, accessKeyId: 'another' });
    await expect(strange.put('x', bytes, {})).rejects.toThrow(/answered 403 InvalidAccessKeyId/);
  });

  it('treats a missing bucket as an error, but an empty one as fine', async () => {
    const none = new S3Bucket({ ...s3.place, bucket: 'none' });
    await expect(none.get('x')).rejects.toThrow(S3Fault);
    await expect(none.check()).rejects.toThrow(S3Fault);
    expect(await bucket.get('x')).toBeNull();
  });

  it('retries requests that got a 503', async () => {
    s3.mood = 'unavailable';
    const before = s3.requests.length;
    await expect(bucket.get('general/a.png')).rejects.toThrow(S3Fault);
    expect(s3.requests.slice(before)).toEqual(Array(3).fill('GET /pictures/shop/general/a.png'));
  });
});

describe('S3Storage', () => {
  it('cuts a picture off when the bucket sends nothing more', async () => {
    s3.mood = 'half';
    const storage = new S3Storage(new S3Bucket(s3.place, { answerMs: long, pieceMs: 500 }), disk, undefined);
    const response = await get(storage, 'a.png');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '200000']);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('redirects readers to a public bucket, without contacting it', async () => {
    const before = s3.requests.length;
    const response = await get(new S3Storage(bucket, disk, 'https://cdn.example/shop'), 'a.png');
    expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
      302,
      'https://cdn.example/shop/general/a.png',
      'public, max-age=300',
    ]);
    expect(s3.requests).toHaveLength(before);
  });

  it('stores as many pictures at once as fit into memory, and refuses the rest', async () => {
    s3.mood = 'silent';
    const storage = new S3Storage(new S3Bucket(s3.place, { writeMs: 100 }), disk, undefined);
    const saves = Array.from({ length: 40 }, (_, n) => storage.save('general', `many-${n}.png`, bytes));
    const reasons = (await Promise.allSettled(saves)).map((one) => String((one as PromiseRejectedResult).reason));
    expect(reasons.filter((reason) => reason.includes('too many pictures wait'))).toHaveLength(8);
  });
});
