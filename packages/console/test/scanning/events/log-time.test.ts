import { expect, it } from '@jest/globals';
import { logTimesIn } from '../../../src/scanning/events/log-time.js';

it('The time of an event has its milliseconds, and its day if that is not the present one where the reader is', () => {
  const now = Date.parse('2026-11-30T22:30:00Z');
  const inBerlin = logTimesIn('en-US', 'Europe/Berlin');
  expect(inBerlin('2026-11-30T19:11:33.801Z', now)).toBe('20:11:33.801');
  expect(inBerlin('2026-11-29T22:59:59.009Z', now)).toBe('11/29 23:59:59.009');
  expect(inBerlin('2026-11-29T23:00:00Z', now)).toBe('00:00:00.000');
  expect(logTimesIn('de-DE', 'UTC')('2026-11-29T23:00:00Z', now)).toBe('29.11. 23:00:00,000');
});
