import { beforeAll, describe, expect, it } from '@jest/globals';
import { assert, property, uint8Array } from 'fast-check';
import { reachesGifTrailer } from '../../../../../src/store/uploads/pictures/gif-end.js';
import { makeAnimation, makePicture } from '../../../../support/pictures.js';

let still: Buffer;
let animation: Buffer;
beforeAll(async () => {
  still = await makePicture('gif');
  animation = await makeAnimation('gif');
});

describe('reachesGifTrailer', () => {
  it('is true of complete GIFs, even with trailing bytes', () => {
    expect(reachesGifTrailer(still)).toBe(true);
    expect(reachesGifTrailer(animation)).toBe(true);
    expect(reachesGifTrailer(Buffer.concat([animation, Buffer.from('more')]))).toBe(true);
  });

  it('is false of a GIF truncated anywhere', () => {
    for (const gif of [still, animation]) {
      for (let length = 0; length < gif.length; length++) {
        expect(reachesGifTrailer(gif.subarray(0, length))).toBe(false);
      }
    }
  });

  it('ends on any bytes', () => {
    assert(
      property(uint8Array({ maxLength: 400 }), (bytes) => {
        const gif = Buffer.concat([Buffer.from('GIF89a'), bytes]);
        expect(typeof reachesGifTrailer(gif)).toBe('boolean');
      }),
    );
  });
});
