import { describe, expect, it } from '@jest/globals';
import { PageReads } from '../../../../src/platform/cache/page-reads.js';
import { visitorHeaders } from '../../../../src/platform/net/visitor-address.js';

const callFor = (page: string) => ({ headers: visitorHeaders('203.0.113.7', page) });

describe('What a page reads', () => {
  it('is all that the calls made for it depend on, and nothing of other pages', async () => {
    const reads = new PageReads();
    const { made, cacheTags } = await reads.during('1', async () => {
      reads.note(callFor('1'), ['product:1', 'assortment']);
      await reads.during('2', () => Promise.resolve(reads.note(callFor('2'), ['product:2'])));
      reads.note(callFor('1'), ['product:1', 'shop']);
      reads.note({ headers: { 'x-storefront-visitor': 'guess 203.0.113.7 1' } }, ['product:3']);
      return 'page';
    });
    expect(made).toBe('page');
    expect(cacheTags).toEqual(['product:1', 'assortment', 'shop']);
  });

  it('is unknown once one of the calls may depend on anything', async () => {
    const reads = new PageReads();
    const { cacheTags } = await reads.during('1', () => {
      reads.note(callFor('1'), undefined);
      reads.note(callFor('1'), ['product:1']);
      return Promise.resolve();
    });
    expect(cacheTags).toBeUndefined();
  });

  it('is forgotten when the page is made, or cannot be', async () => {
    const reads = new PageReads();
    await expect(reads.during('1', () => Promise.reject(new Error('not made')))).rejects.toThrow('not made');
    reads.note(callFor('1'), ['product:1']);
    expect((await reads.during('1', () => Promise.resolve())).cacheTags).toEqual([]);
  });
});
