import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { S3Bucket } from '../../../../src/platform/net/s3-bucket.js';
import { type S3Server, startS3Server } from '../../../support/s3-server.js';

let s3: S3Server;
let bucket: S3Bucket;
beforeAll(async () => {
  s3 = await startS3Server();
  bucket = new S3Bucket({ ...s3.place, prefix: 'nightly/' });
});
beforeEach(() => {
  s3.mood = 'well';
});
afterAll(() => s3.close());

const pieceBytes = 256 * 1024;

/** So many bytes in pieces, each different, as a file is read. */
async function* pieces(count: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n += 1) yield await Promise.resolve(Buffer.alloc(pieceBytes, `piece ${n} `));
}

async function digestOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) hash.update(piece);
  return hash.digest('hex');
}

describe('An object in pieces', () => {
  it('is stored in parts, which the bucket joins', async () => {
    await bucket.putPieces('large', pieces(130)); // 32.5 MiB: a whole part, and half a megabyte
    expect(s3.requests.filter((one) => one.includes('partNumber'))).toHaveLength(2);
    expect(await bucket.digest('large')).toBe(await digestOf(pieces(130)));
  });

  it('may be small, or empty', async () => {
    await bucket.putPieces('small', pieces(1));
    await bucket.putPieces('empty', pieces(0));
    expect(await bucket.digest('small')).toBe(await digestOf(pieces(1)));
    expect(await bucket.digest('empty')).toBe(await digestOf(pieces(0)));
  });

  it('is not there unless it is whole', async () => {
    const broken = async function* () {
      yield* pieces(130);
      throw new Error('the disk failed');
    };
    await expect(bucket.putPieces('broken', broken())).rejects.toThrow('the disk failed');
    expect(await bucket.get('broken')).toBeNull();
    expect(s3.requests.at(-1)).not.toContain('partNumber');
    s3.mood = 'unavailable';
    await expect(bucket.putPieces('late', pieces(1))).rejects.toThrow('answered 503 SlowDown');
  });
});

describe('The keys of a place', () => {
  it('are those with its prefix, and none of a folder below', async () => {
    const place = new S3Bucket({ ...s3.place, prefix: 'few/' });
    for (const name of ['b', 'a', 'below/one']) await place.put(name, Buffer.from(name), {});
    await bucket.put('elsewhere', Buffer.from('x'), {});
    expect(await place.keys()).toEqual(['a', 'b']);
    expect(await new S3Bucket({ ...s3.place, prefix: 'none/' }).keys()).toEqual([]);
  });

  it('come in pages, which end', async () => {
    // s3rver makes the tokens of pages by a cipher that OpenSSL 3 no longer has.
    const asked: (string | null)[] = [];
    let isEndless = false;
    const server = createServer((request, response) => {
      const token = new URL(request.url ?? '', 'http://host').searchParams.get('continuation-token');
      asked.push(token);
      const next = token === null || isEndless ? '<NextContinuationToken>p/2+=</NextContinuationToken>' : '';
      const key = `nightly/object-${asked.length}`;
      response.end(`<ListBucketResult><Contents><Key>${key}</Key></Contents>${next}</ListBucketResult>`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const place = new S3Bucket({ ...s3.place, origin: `http://127.0.0.1:${port}`, prefix: 'nightly/' });
    expect(await place.keys()).toEqual(['object-1', 'object-2']);
    expect(asked).toEqual([null, 'p/2+=']);
    isEndless = true;
    await expect(place.keys()).rejects.toThrow('has more than 100 pages of objects');
    server.closeAllConnections();
    server.close();
  });
});
