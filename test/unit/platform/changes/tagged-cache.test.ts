import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TaggedCache } from '../../../../src/platform/changes/tagged-cache.js';
import { ChangeBus, everything } from '../../../../src/platform/changes/change-bus.js';
import { freshMs } from '../../../../src/platform/changes/freshness.js';
import { Deferred } from '../../../support/deferred.js';

let bus: ChangeBus;
let known: TaggedCache<number>;
let value: number;
const read = jest.fn(async () => value);
const get = (key = 'ada') => known.get(key, [`account-state:${key}`], read);

beforeEach(() => {
  bus = new ChangeBus();
  known = new TaggedCache(bus, 3);
  value = 1;
  read.mockClear();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('TaggedCache', () => {
  it('reads once while nothing changes', async () => {
    expect(await get()).toBe(1);
    value = 2;
    expect(await get()).toBe(1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads again after a change of the cache tag, not after one of another tag', async () => {
    await get();
    value = 2;
    bus.announce(['account-state:bob']);
    expect(await get()).toBe(1);
    bus.announce(['faces', 'account-state:ada']);
    expect(await get()).toBe(2);
  });

  it('reads again when anything may have changed', async () => {
    await get();
    value = 2;
    bus.announce([everything]);
    expect(await get()).toBe(2);
  });

  it('keeps no value that changed while it was read', async () => {
    const reading = new Deferred<number>();
    const early = known.get('ada', ['account-state:ada'], () => reading.promise);
    bus.announce(['account-state:ada']);
    reading.resolve(1);
    expect(await early).toBe(1);
    value = 2;
    expect(await get()).toBe(2);
  });

  it('reads once for all who ask meanwhile, and anew for who asks after a change', async () => {
    const reading = new Deferred<number>();
    read.mockImplementationOnce(() => reading.promise);
    const early = [get(), get(), get()];
    expect(read).toHaveBeenCalledTimes(1);
    bus.announce(['account-state:ada']);
    value = 2;
    const late = get();
    reading.resolve(1);
    expect(await Promise.all(early)).toEqual([1, 1, 1]);
    expect(await late).toBe(2);
    expect(await get()).toBe(2);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('reads again for who waited for a reading that failed', async () => {
    const reading = new Deferred<number>();
    const early = known.get('ada', ['account-state:ada'], () => reading.promise);
    const late = get();
    reading.reject(new Error('its caller hung up'));
    await expect(early).rejects.toThrow('hung up');
    expect(await late).toBe(1);
  });

  it('does not wait for a reading that is no longer fresh', async () => {
    jest.useFakeTimers();
    const slow = known.get('ada', ['account-state:ada'], () => new Promise<number>(() => undefined));
    jest.advanceTimersByTime(freshMs);
    expect(await get()).toBe(1);
    expect(await Promise.race([slow, Promise.resolve('still reading')])).toBe('still reading');
  });

  it('keeps nothing when reading fails', async () => {
    await expect(known.get('ada', ['account-state:ada'], () => Promise.reject(new Error('away')))).rejects.toThrow(
      'away',
    );
    expect(await get()).toBe(1);
  });

  it('counts the age of a value from the start of its reading', async () => {
    jest.useFakeTimers();
    const reading = new Deferred<number>();
    const slow = known.get('ada', ['account-state:ada'], () => reading.promise);
    jest.advanceTimersByTime(freshMs);
    reading.resolve(1);
    await slow;
    value = 2;
    expect(await get()).toBe(2);
  });

  it('renews known values', async () => {
    await get();
    value = 2;
    expect(await known.renew('ada', ['account-state:ada'], read)).toBe(2);
    expect(await get()).toBe(2);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('holds no more values than its limit', async () => {
    for (let n = 0; n < 1_000; n++) await get(`user-${n}`);
    expect(known.size).toBe(3);
  });
});
