import { describe, expect, it } from '@jest/globals';
import { demoEvents } from '../src/scanning/demo-events.js';
import { issues } from '../src/data/scanning/issues.js';
import { scans } from '../src/data/scanning/scans.js';
import { eventTimes, timesOf } from '../src/scanning/scan-times.js';
import { daysAfter } from '../src/time.js';
import { attachmentTypes, eventLevels, eventStages } from '../../../src/scanning/vocabulary.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const events = demoEvents(now);

describe('the demo events', () => {
  it('are the same for the same now and seed, and differ for another seed', () => {
    expect(demoEvents(now)).toEqual(events);
    expect(demoEvents(now, 2)).not.toEqual(events);
  });

  it('move along with now', () => {
    const shifted = demoEvents(daysAfter(now, 100.37));
    expect(shifted.map(({ title }) => title)).toEqual(events.map(({ title }) => title));
  });

  it('are about three thousand, of every level and stage, a third to two thirds with attachments', () => {
    expect(events.length).toBeGreaterThan(2_900);
    expect(events.length).toBeLessThan(3_600);
    expect(new Set(events.map(({ level }) => level))).toEqual(new Set(eventLevels));
    expect(new Set(events.map(({ stage }) => stage))).toEqual(new Set(eventStages));
    const attached = events.filter(({ attachments }) => attachments.length > 0);
    expect(attached.length / events.length).toBeGreaterThan(1 / 3);
    expect(attached.length / events.length).toBeLessThan(2 / 3);
    const types = attached.flatMap(({ attachments }) => attachments.map(({ type }) => type));
    expect(new Set(types)).toEqual(new Set(attachmentTypes));
  });

  it('match the count of each scan, in order, while it runs', () => {
    for (const scan of scans) {
      const own = events.filter((event) => event.scan === scan);
      const { begin, end } = timesOf(scan, now);
      const moments = own.map(({ createdAt }) => createdAt.getTime());
      expect(own).toHaveLength(scan.events);
      expect(moments).toEqual([...moments].sort((one, other) => one - other));
      expect(moments[0]).toBeGreaterThanOrEqual(begin.getTime());
      expect(moments.at(-1)).toBeLessThan(end.getTime());
      expect(end.getTime()).toBeLessThanOrEqual(now.getTime());
    }
  });

  it('lie in the months in which their scans begin or end', () => {
    const months = new Set(eventTimes(now).map((time) => time.toISOString().slice(0, 7)));
    expect(events.filter(({ createdAt }) => !months.has(createdAt.toISOString().slice(0, 7)))).toEqual([]);
  });

  it('end with an error if the scan failed, and well if it finished', () => {
    for (const scan of scans) {
      const last = events.findLast((event) => event.scan === scan);
      if (scan.status === 'FAILED') expect(last).toMatchObject({ level: 'ERROR', title: 'Scan failed' });
      if (scan.status === 'FINISHED') expect(last).toMatchObject({ level: 'INFO', title: 'Scan finished' });
    }
  });

  it('report every issue once for each scan that found it', () => {
    const told = events.flatMap(({ issue, scan }) => (issue ? `${scan.key} ${issue.asset} ${issue.name}` : []));
    const found = issues.flatMap(({ asset, name, scans: keys }) => keys.map((key) => `${key} ${asset} ${name}`));
    expect(told.toSorted()).toEqual(found.toSorted());
  });
});
