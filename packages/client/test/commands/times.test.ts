import { describe, expect, it } from '@jest/globals';
import { nearestWord } from '../../src/commands/nearest-word.js';
import { readTime } from '../../src/commands/times.js';

const now = new Date('2026-11-22T12:00:00Z');

describe('readTime', () => {
  it.each([
    ['90s', '2026-11-22T11:58:30.000Z'],
    ['90m', '2026-11-22T10:30:00.000Z'],
    ['24h', '2026-11-21T12:00:00.000Z'],
    ['7d', '2026-11-15T12:00:00.000Z'],
    ['2w', '2026-11-08T12:00:00.000Z'],
    ['2026-11-20T06:00Z', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20 06:00:30.5z', '2026-11-20T06:00:30.500Z'],
    ['2026-11-20T01:00+02:00', '2026-11-19T23:00:00.000Z'],
  ])('reads %s', (text, time) => {
    expect(readTime(text, now)?.toISOString()).toBe(time);
  });

  it.each([
    ['2026-11-20', new Date(2026, 10, 20)],
    ['2028-02-29', new Date(2028, 1, 29)],
    ['2026-11-20T06:00', new Date(2026, 10, 20, 6)],
    ['2026-11-20 06:00:30.5', new Date(2026, 10, 20, 6, 0, 30, 500)],
  ])('reads %s as a time of this machine', (text, time) => {
    expect(readTime(text, now)).toEqual(time);
  });

  it('reads a duration as a time from now', () => {
    expect(readTime('30d', now, 'after')?.toISOString()).toBe('2026-12-22T12:00:00.000Z');
  });

  it.each([
    '',
    'yesterday',
    '24',
    '-24h',
    '1.5h',
    '24H',
    '2026-02-29',
    '2026-02-30T06:00Z',
    '2026-13-01',
    '2026-11-20T25:00Z',
  ])('does not read "%s"', (text) => {
    expect(readTime(text, now)).toBeNull();
  });
});

describe('nearestWord', () => {
  const words = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];

  it.each([
    ['HIHG', 'HIGH'],
    ['CRIT', 'CRITICAL'],
    ['MEDUIM', 'MEDIUM'],
    ['LOWE', 'LOW'],
    ['INOF', 'INFO'],
    ['BANANA', undefined],
    ['X'.repeat(100_000), undefined],
    ['', undefined],
  ])('of %s is %s', (given, meant) => {
    expect(nearestWord(given, words)).toBe(meant);
  });
});
