import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../src/config/settings.js';
import { sharesOf } from '../../../src/config/worker-share.js';

describe('The share of a worker', () => {
  it('divides the limits of a node', () => {
    const shares = sharesOf(loadSettings({}), 4);
    expect(shares).toMatchObject({ maxConnections: 500, bodyMemoryMegabytes: 16, responseCacheMegabytes: 16 });
    expect(shares).toMatchObject({ databasePoolSize: 3, searchPoolSize: 1, quotas: { searches: { limit: 1 } } });
  });

  it('is never less than what works', () => {
    const shares = sharesOf(loadSettings({ DATABASE_POOL_SIZE: '2', DATABASE_SEARCH_POOL_SIZE: '1' }), 16);
    expect(shares).toMatchObject({ databasePoolSize: 2, searchPoolSize: 1 });
  });

  it('keeps a disabled cache disabled', () => {
    expect(sharesOf(loadSettings({ RESPONSE_CACHE_MB: '0' }), 2).responseCacheMegabytes).toBe(0);
  });
});
