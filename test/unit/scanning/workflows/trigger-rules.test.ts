import { describe, expect, it } from '@jest/globals';
import { nextScheduledTime } from '../../../../src/scanning/workflows/trigger-rules.js';

const next = (cron: string, zone: string, after: string): string =>
  nextScheduledTime(cron, zone, new Date(after)).toISOString();

describe('nextScheduledTime', () => {
  it.each([
    ['0 6 * * 1', 'UTC', '2026-11-21T12:00:00Z', '2026-11-23T06:00:00.000Z'],
    ['0 6 * * *', 'Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-02T04:00:00.000Z'],
    ['0 6 * * *', 'Europe/Berlin', '2026-12-01T12:00:00Z', '2026-12-02T05:00:00.000Z'],
    ['0 6 * * *', 'America/New_York', '2026-12-01T12:00:00Z', '2026-12-02T11:00:00.000Z'],
    ['* * * * *', 'UTC', '2026-11-21T12:00:00Z', '2026-11-21T12:01:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2026-11-21T12:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('reads "%s" in %s after %s as %s', (cron, zone, after, time) => {
    expect(next(cron, zone, after)).toBe(time);
  });

  it('comes once on the nights when clocks go forward and back', () => {
    const times = (after: string, count: number): string[] => {
      const found: string[] = [];
      for (let at = after; found.length < count;) found.push((at = next('30 2 * * *', 'Europe/Berlin', at)));
      return found;
    };
    const days = (list: string[]): number => new Set(list.map((time) => time.slice(0, 10))).size;
    expect(days(times('2026-03-27T12:00:00Z', 4))).toBe(4);
    expect(days(times('2026-10-23T12:00:00Z', 4))).toBe(4);
  });
});
