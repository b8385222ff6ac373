import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type BodyBounds, readBounded } from '../../../../src/platform/net/bounded-body.js';

const chunksOfBytes = fc.array(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 12 },
);

function read(chunks: Buffer[], maxBytes: number, onTooLarge: BodyBounds['onTooLarge']) {
  return readBounded(Readable.from(chunks), { maxBytes, onTooLarge });
}

describe('readBounded', () => {
  it('keeps the beginning when it may truncate', async () => {
    await fc.assert(
      fc.asyncProperty(chunksOfBytes, fc.nat(300), async (chunks, maxBytes) => {
        const whole = Buffer.concat(chunks);
        const { body, truncated } = await read(chunks, maxBytes, 'truncate');
        expect(body).toEqual(whole.subarray(0, maxBytes));
        expect(truncated).toBe(whole.length > maxBytes);
      }),
    );
  });

  it('returns the whole body or refuses it', async () => {
    await fc.assert(
      fc.asyncProperty(chunksOfBytes, fc.nat(300), async (chunks, maxBytes) => {
        const whole = Buffer.concat(chunks);
        const reading = read(chunks, maxBytes, 'refuse');
        if (whole.length > maxBytes) await expect(reading).rejects.toMatchObject({ reason: 'too_large' });
        else expect(await reading).toEqual({ body: whole, truncated: false });
      }),
    );
  });

  it('hands the pieces over and keeps none where somebody takes them', async () => {
    await fc.assert(
      fc.asyncProperty(chunksOfBytes, fc.nat(300), async (chunks, maxBytes) => {
        const whole = Buffer.concat(chunks);
        const taken: Buffer[] = [];
        const take = (chunk: Buffer) => Promise.resolve(void taken.push(chunk));
        const reading = readBounded(Readable.from(chunks), { maxBytes, onTooLarge: 'refuse', take });
        if (whole.length > maxBytes) await expect(reading).rejects.toMatchObject({ reason: 'too_large' });
        else expect(await reading).toEqual({ body: Buffer.alloc(0), truncated: false });
        expect(Buffer.concat(taken)).toEqual(whole.subarray(0, Buffer.concat(taken).length));
        if (whole.length <= maxBytes) expect(Buffer.concat(taken)).toEqual(whole);
      }),
    );
  });

  it('stops reading as soon as the limit is exceeded', async () => {
    const endless = Readable.from(zeros());
    await readBounded(endless, { maxBytes: 5000, onTooLarge: 'truncate' });
    expect(endless.destroyed).toBe(true);
  });
});

function* zeros(): Generator<Buffer> {
  while (true) yield Buffer.alloc(1000);
}
