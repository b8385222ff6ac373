import { describe, expect, it } from '@jest/globals';
import { ChangeClock } from '../../../../src/platform/changes/change-clock.js';

describe('ChangeClock', () => {
  it('shows a reading the changes of its own cache tags only', () => {
    const clock = new ChangeClock();
    const reading = clock.begin();
    clock.tick(['product:1', 'any-stock']);
    expect(clock.hasChanged(reading, ['assortment', 'product:1'])).toBe(true);
    expect(clock.hasChanged(reading, ['assortment', 'product:2'])).toBe(false);
  });

  it('shows no reading a change from before it began, even while another reading is under way', () => {
    const clock = new ChangeClock();
    const early = clock.begin();
    clock.tick(['product:1']);
    const late = clock.begin();
    expect(clock.hasChanged(early, ['product:1'])).toBe(true);
    expect(clock.hasChanged(late, ['product:1'])).toBe(false);
  });

  it('shows every current reading that anything may have changed, but none that begins later', () => {
    const clock = new ChangeClock();
    const early = clock.begin();
    clock.tickAll();
    expect(clock.hasChanged(early, ['product:1'])).toBe(true);
    expect(clock.hasChanged(clock.begin(), ['product:1'])).toBe(false);
  });

  it('counts changes while nothing is read', () => {
    const clock = new ChangeClock();
    clock.tick(['product:1']);
    clock.tickAll();
    expect(clock.time).toBe(2);
    expect(clock.remembered).toBe(0);
  });

  it('forgets changes as soon as the readings that began before them are over', () => {
    const clock = new ChangeClock();
    let last = clock.begin();
    for (let n = 0; n < 10_000; n++) {
      clock.tick([`product:${n}`]);
      const next = clock.begin();
      clock.end(last);
      last = next;
      expect(clock.remembered).toBeLessThanOrEqual(1);
    }
    clock.end(last);
    expect(clock.remembered).toBe(0);
  });

  it('keeps the changes for a reading that outlasts others', () => {
    const clock = new ChangeClock();
    const long = clock.begin();
    clock.tick(['product:1']);
    const short = clock.begin();
    clock.tick(['product:2']);
    clock.tick(['product:1']);
    clock.end(short);
    expect(clock.hasChanged(long, ['product:1'])).toBe(true);
    expect(clock.hasChanged(long, ['product:2'])).toBe(true);
  });
});
