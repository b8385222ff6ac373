import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { movePictures } from '../../../../../src/store/uploads/storage/move-pictures.js';
import { S3Bucket } from '../../../../../src/platform/net/s3-bucket.js';
import { until } from '../../../../support/receiver.js';
import { type S3Server, startS3Server } from '../../../../support/s3-server.js';

const count = 60;

let s3: S3Server;
let bucket: S3Bucket;
let dataDir: string;
let folder: string;
let lines: string[];
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-move-'));
  folder = join(dataDir, 'uploads');
  lines = [];
  s3.place = { ...s3.place, prefix: `${dataDir.slice(-6)}/` };
  s3.mood = 'well';
  bucket = new S3Bucket(s3.place, { answerMs: 60_000, writeMs: 60_000, checkMs: 60_000 });
  await mkdir(join(folder, 'general'), { recursive: true });
  for (let n = 0; n < count; n++) await writeFile(join(folder, 'general', nameOf(n)), `picture ${n}`);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const nameOf = (n: number) => `picture-${n}.webp`;
const move = (isDry = false) => movePictures({ bucket, folder, isDry, log: (line) => lines.push(line) });

async function textOf(n: number): Promise<string | null> {
  const object = await bucket.get(`general/${nameOf(n)}`);
  if (object === null || object === 'beyond') return null;
  const pieces: Uint8Array[] = [];
  for await (const piece of object.pieces) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const putsSince = (before: number) => s3.requests.slice(before).filter((line) => line.startsWith('PUT')).length;

describe('Moving pictures to a bucket', () => {
  it('copies each with its type, and none a second time', async () => {
    await writeFile(join(folder, 'general', '.0000.draft'), 'half of a picture');
    await writeFile(join(folder, 'general', 'notes.txt'), 'no picture');
    const before = s3.requests.length;
    await move();
    expect(putsSince(before)).toBe(count);
    expect(await textOf(7)).toBe('picture 7');
    const stored = await bucket.get(`general/${nameOf(7)}`, { method: 'HEAD' });
    expect(stored !== null && stored !== 'beyond' && stored.headers.get('content-type')).toBe('image/webp');
    const again = s3.requests.length;
    await move();
    expect(s3.requests.slice(again)).toEqual(['HEAD /pictures']);
    expect(lines.at(-2)).toBe(`${count} of ${count} pictures: 0 stored (0.0 MiB), ${count} there already`);
  });

  it('says what it would do, and does nothing, in a dry run', async () => {
    const before = s3.requests.length;
    await move(true);
    expect(s3.requests.slice(before)).toEqual(['HEAD /pictures']);
    expect(lines[0]).toMatch(`${count} pictures in ${folder}, ${count} of them to be moved to pictures`);
  });

  it('stores again what reads differently in the bucket', async () => {
    await bucket.put(`general/${nameOf(3)}`, Buffer.from('another'), {});
    await move();
    expect(await textOf(3)).toBe('picture 3');
  });

  it('resumes where a killed run stopped', async () => {
    const child: ChildProcess = fork(join('test', 'support', 'move-child.ts'), [], {
      execArgv: ['--import', './scripts/ts-loader.mjs'],
      env: { PATH: process.env['PATH'], PLACE: JSON.stringify(s3.place), FOLDER: folder },
    });
    const before = s3.requests.length;
    await until(() => putsSince(before) >= count / 3, 'a third of the pictures');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await move();
    expect(putsSince(before)).toBeLessThan(count * 1.5);
    for (let n = 0; n < count; n++) expect(await textOf(n)).toBe(`picture ${n}`);
  });

  it('stops when the bucket fails, and says how to continue', async () => {
    s3.mood = 'unavailable';
    await expect(move()).rejects.toThrow(/bucket of STORAGE_URL cannot be used: .*503/);
    s3.mood = 'well';
    const failing = move();
    await until(() => lines.length > 0, 'the first line');
    s3.mood = 'unavailable';
    await expect(failing).rejects.toThrow(/run the command again to continue/);
    s3.mood = 'well';
    await move();
    expect(lines.at(-1)).toMatch(/^All of them are in pictures/);
  });

  it('leaves out pictures that are deleted during the copy', async () => {
    const put = bucket.put.bind(bucket);
    bucket.put = async (key, bytes, headers) => {
      if (key.endsWith(nameOf(5))) await rm(join(folder, 'general', nameOf(5)));
      await put(key, bytes, headers);
    };
    await move();
    expect(await textOf(5)).toBeNull();
  });
});
