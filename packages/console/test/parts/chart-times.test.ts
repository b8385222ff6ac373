import { describe, expect, it } from '@jest/globals';
import { namesOfTimes } from '../../src/parts/chart-times.js';

const secondsOf = (time: string) => Date.parse(time) / 1000;
const [days, hours, minutes] = [86_400, 3_600, 600];
const named = (locale: string, every: number, times: string[], timeZone = 'UTC') =>
  namesOfTimes(times.map(secondsOf), every, { locale, timeZone }).map((name) => name.replace('\u202f', ' '));

describe('The ticks of a chart', () => {
  it('are days as the reader writes them, with the year below the first day of each', () => {
    const times = ['2026-12-30T00:00Z', '2026-12-31T00:00Z', '2027-01-01T00:00Z', '2027-01-02T00:00Z'];
    expect(named('de-DE', days, times)).toEqual(['30.12.\n2026', '31.12.', '1.1.\n2027', '2.1.']);
    expect(named('en-US', days, times)).toEqual(['12/30\n2026', '12/31', '1/1\n2027', '1/2']);
  });

  it('are hours, with the day below the first hour of each, in the zone of the reader', () => {
    const times = ['2026-11-30T20:00Z', '2026-11-30T22:00Z', '2026-12-01T00:00Z'];
    expect(named('de-DE', 2 * hours, times)).toEqual(['20 Uhr\n30.11.', '22 Uhr', '00 Uhr\n1.12.']);
    expect(named('en-US', 2 * hours, times, 'Europe/Berlin')).toEqual(['9 PM\n11/30', '11 PM', '1 AM\n12/1']);
  });

  it('are minutes where hours are too far apart', () => {
    const times = ['2026-11-30T20:10Z', '2026-11-30T20:20Z'];
    expect(named('de-DE', minutes, times)).toEqual(['20:10\n30.11.', '20:20']);
  });
});
