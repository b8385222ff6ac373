import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { inBuckets, type Interval, bucketsOf } from '../../../../src/platform/http/time-buckets.js';

const intervals: Interval[] = ['hour', 'day', 'week', 'month'];
const earliest = new Date('0001-01-01T00:00:00Z');
const latest = new Date('9999-12-31T23:59:59.999Z');
const moments = fc.date({ min: earliest, max: latest, noInvalidDate: true });
const starts = (from: string, to: string, interval: Interval) =>
  bucketsOf({ from, to }, interval, 1_000).starts.map((start) => start.toISOString().slice(0, 16));

describe('bucketsOf', () => {
  it.each<[Interval, string, string, string[]]>([
    ['hour', '2026-02-28T22:59:59.999Z', '2026-03-01T00:00:00.001Z', ['02-28T22:00', '02-28T23:00', '03-01T00:00']],
    ['day', '2024-02-28T23:00:00+01:00', '2024-03-01T00:00:00Z', ['02-28T00:00', '02-29T00:00']],
    ['week', '2026-11-22T12:00:00Z', '2026-11-24T00:00:00Z', ['11-16T00:00', '11-23T00:00']],
    ['month', '2024-01-31T12:00:00Z', '2024-03-01T00:00:00.001Z', ['01-01T00:00', '02-01T00:00', '03-01T00:00']],
  ])('cuts into steps of a %s, from %s to %s', (interval, from, to, expected) => {
    expect(starts(from, to, interval)).toEqual(expected.map((end) => `${from.slice(0, 5)}${end}`));
  });

  it('covers the whole period with consecutive steps, or says why not', () => {
    fc.assert(
      fc.property(moments, moments, fc.constantFrom(...intervals), (from, to, interval) => {
        try {
          const steps = bucketsOf({ from: from.toISOString(), to: to.toISOString() }, interval, 100);
          expect(steps.starts.length).toBeGreaterThan(0);
          expect(steps.starts.length).toBeLessThanOrEqual(100);
          expect(steps.starts[0]).toEqual(steps.from);
          expect(steps.from <= from && steps.to >= to).toBe(true);
          const lengths = steps.starts.map((start, at) => Number(steps.starts[at + 1] ?? steps.to) - Number(start));
          expect(Math.min(...lengths)).toBeGreaterThanOrEqual(3_600_000);
          expect(Math.max(...lengths)).toBeLessThanOrEqual(31 * 86_400_000);
        } catch (error) {
          expect(error).toBeInstanceOf(Invalid);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(intervals)('ends with the current step by default: %s', (interval) => {
    const { from, to, starts: all } = bucketsOf({}, interval, 1_000);
    expect(Number(to)).toBeGreaterThanOrEqual(Date.now() - 60_000);
    expect(Number(all.at(-1))).toBeLessThanOrEqual(Date.now());
    expect([all.length, all[0]]).toEqual([{ hour: 48, day: 30, week: 26, month: 12 }[interval], from]);
  });

  it.each([
    ['2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-03T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-01T00:00:00Z', '2026-03-02T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ])('refuses a period that is empty or too long: %s to %s', (from, to) => {
    expect(() => bucketsOf({ from, to }, 'day', 59)).toThrow(Invalid);
  });
});

describe('inBuckets', () => {
  it('gives every step its rows, or an empty list', () => {
    const steps = bucketsOf({ from: '2026-01-01T00:00:00Z', to: '2026-01-04T00:00:00Z' }, 'day', 10);
    const rows = [
      { step: 3, n: 1 },
      { step: 1, n: 2 },
      { step: 3, n: 3 },
    ];
    expect(inBuckets(steps, rows, (_, own) => own.map(({ n }) => n))).toEqual([[2], [], [1, 3]]);
  });
});
