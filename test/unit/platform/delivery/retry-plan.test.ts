import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retryAfterSeconds, waitSeconds } from '../../../../src/platform/delivery/retry-plan.js';

const now = new Date('2026-11-21T12:00:00Z');
const schedule = [5, 300, 1_800];

describe('waitSeconds', () => {
  it('keeps to the schedule, give or take a fifth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
        const base = schedule[failures - 1] ?? 0;
        const wait = waitSeconds(schedule, failures, 0, random) ?? -1;
        expect(wait).toBeGreaterThanOrEqual(base * 0.8 - 1e-9);
        expect(wait).toBeLessThanOrEqual(base * 1.2 + 1e-9);
      }),
    );
  });

  it('ends after the last wait', () => {
    expect(waitSeconds(schedule, 4, 0, 0.5)).toBeNull();
    expect(waitSeconds(schedule, 4, 60, 0.5)).toBeNull();
  });

  it('is lengthened by Retry-After, and never shortened', () => {
    expect(waitSeconds(schedule, 1, 60, 0.5)).toBe(60);
    expect(waitSeconds(schedule, 2, 60, 0.5)).toBe(300);
  });
});

describe('retryAfterSeconds', () => {
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['86401', 86_400],
    ['99999999999999999999', 86_400],
    ['Sat, 21 Nov 2026 12:10:00 GMT', 600],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['Sat, 21 Nov 2027 12:00:00 GMT', 86_400],
    ['soon', 0],
    ['-5', 0],
    ['', 0],
  ])('reads %j as %i', (header, seconds) => {
    expect(retryAfterSeconds(503, header, now)).toBe(seconds);
    expect(retryAfterSeconds(429, header, now)).toBe(seconds);
  });

  it.each([200, 302, 500, 502, null])('ignores the header of a %j', (status) => {
    expect(retryAfterSeconds(status, '120', now)).toBe(0);
  });
});
