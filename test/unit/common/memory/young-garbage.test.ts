import { describe, expect, it } from '@jest/globals';
import { freeYoungGarbage } from '../../../../src/common/memory/young-garbage.js';

const chunkBytes = 64 * 1024;
const chunks = 64;

/** As receiving does: each chunk is small to V8, whatever it holds. */
function makeGarbage(): void {
  for (let at = 0; at < chunks; at++) Buffer.alloc(chunkBytes, at);
}

describe('Freeing young garbage', () => {
  it('gives back the memory of buffers that nobody holds', () => {
    freeYoungGarbage();
    const before = process.memoryUsage().arrayBuffers;
    makeGarbage();
    const full = process.memoryUsage().arrayBuffers;
    freeYoungGarbage();
    const after = process.memoryUsage().arrayBuffers;
    expect(full - before).toBeGreaterThan((chunks * chunkBytes) / 2);
    expect(after - before).toBeLessThan((chunks * chunkBytes) / 4);
  });

  it('shows nobody else how', () => {
    freeYoungGarbage();
    expect(Reflect.has(globalThis, 'gc')).toBe(false);
  });
});
