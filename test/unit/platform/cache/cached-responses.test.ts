import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CachedResponse, CachedResponses } from '../../../../src/platform/cache/cached-responses.js';

const megabyte = 2 ** 20;
const names = Array.from({ length: 17 }, (_, n) => [`header-${n}`, 'static value']).flat();

/** A response as captured, with headers and bytes of its own. */
function answer(cacheTags: string[], bytes = 10, name = 'a'): CachedResponse {
  const etag = Buffer.from(`"${name.padStart(27, '-')}"`).toString('latin1');
  return {
    status: 200,
    route: '/api/v1/products/',
    headers: [...names, 'ETag', etag, 'Content-Length', String(bytes), 'x-request-id', ''],
    etag,
    body: Buffer.allocUnsafeSlow(bytes),
    cacheTags,
    freshUntil: Number.POSITIVE_INFINITY,
  };
}

let kept: CachedResponses;
beforeEach(() => {
  kept = new CachedResponses(megabyte);
});

describe('CachedResponses', () => {
  it('forgets the responses of one cache tag and no others', () => {
    kept.set('/1', answer(['product:1']));
    kept.set('/2', answer(['product:2']));
    kept.set('/list', answer(['assortment', 'product:1', 'product:2']));
    kept.forget('product:1');
    expect([kept.get('/1'), kept.get('/list')]).toEqual([undefined, undefined]);
    expect(kept.get('/2')).toBeDefined();
    kept.forget('product:3');
    expect(kept.size).toBe(1);
  });

  it('goes by the cache tags of the newest response under a key', () => {
    kept.set('/list', answer(['product:1']));
    kept.set('/list', answer(['product:2']));
    kept.forget('product:1');
    expect(kept.get('/list')).toBeDefined();
    kept.forget('product:2');
    expect(kept.get('/list')).toBeUndefined();
  });

  it('uses no memory once everything is forgotten', () => {
    kept.set('/1', answer(['product:1', 'assortment']));
    kept.set('/2', answer(['product:2', 'assortment']));
    kept.forget('assortment');
    expect(kept.bytes).toBe(0);
    kept.set('/1', answer(['product:1']));
    kept.clear();
    expect([kept.bytes, kept.size, kept.get('/1')]).toEqual([0, 0, undefined]);
  });

  it('keeps no more stale responses than fresh ones, however many URLs are requested', () => {
    const stale = { freshUntil: performance.now() - 1 };
    for (let n = 0; n < 1_000; n++) kept.set(`/${n}`, { ...answer([`product:${n}`]), ...stale });
    expect(kept.size).toBeLessThanOrEqual(1);
    kept.set('/fresh', answer(['product:1']));
    kept.set('/fresh-too', answer(['product:2']));
    expect([kept.size, kept.evictions]).toEqual([2, 0]);
  });

  it('still forgets by cache tags after it was cleared', () => {
    kept.set('/1', answer(['product:1']));
    kept.clear();
    kept.set('/1', answer(['product:1']));
    kept.forget('product:1');
    expect(kept.get('/1')).toBeUndefined();
  });

  it('evicts the least recently requested', () => {
    for (let n = 0; n < 8; n++) kept.set(`/${n}`, answer([`product:${n}`], 100_000));
    kept.get('/0');
    for (let n = 8; n < 15; n++) kept.set(`/${n}`, answer([`product:${n}`], 100_000));
    expect(kept.get('/0')).toBeDefined();
    expect(kept.get('/1')).toBeUndefined();
    expect(kept.evictions).toBe(15 - kept.size);
  });

  it('keeps neither a response that would crowd out the rest nor the one before it', () => {
    kept.set('/list', answer(['assortment']));
    kept.set('/list', answer(['assortment'], megabyte / 8));
    expect(kept.get('/list')).toBeUndefined();
    expect(kept.bytes).toBe(0);
    kept.set('/many', answer(Array.from({ length: 1_000 }, (_, n) => `product:${n}`)));
    expect(kept.bytes).toBe(0);
  });

  it('stays within its limit under a million URLs', () => {
    const one = answer([]);
    let most = 0;
    for (let n = 0; n < 1_000_000; n++) {
      kept.set(`/api/v1/products/?skip=${n}`, { ...one, cacheTags: ['assortment', `product:${n}`] });
      most = Math.max(most, kept.bytes);
    }
    expect(most).toBeLessThanOrEqual(megabyte);
    expect(most).toBeGreaterThan(megabyte * 0.95);
    expect(kept.evictions).toBe(1_000_000 - kept.size);
  });

  it.each([
    ['small answers', 20_000, 300, 1],
    ['lists of ten', 5_000, 3_400, 10],
    ['lists of a hundred', 600, 34_000, 100],
  ])('counts at least the memory that %s take, and less than twice as much', (_, count, bytes, products) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memory = () => {
      for (let n = 0; n < 3; n++) collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = memory();
    const all = new CachedResponses(1_000 * megabyte);
    for (let n = 0; n < count; n++) {
      const cacheTags = Array.from({ length: products }, (__, place) => `product:${n * products + place}`);
      const key = Buffer.from(`/api/v1/products/?skip=${n}&limit=${products}`).toString('latin1');
      all.set(key, answer(['assortment', ...cacheTags], bytes, String(n)));
    }
    const taken = memory() - before;
    expect(all.size).toBe(count);
    expect(all.bytes).toBeGreaterThan(taken);
    expect(all.bytes).toBeLessThan(2 * taken);
  });
});
