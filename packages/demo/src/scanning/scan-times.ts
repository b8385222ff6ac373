import { type DemoScan, minute, scans } from '../data/scanning/scans.js';
import { daysAfter, daysBefore } from '../time.js';

/** The start of a scan, and its end or its progress. */
export function timesOf({ daysAgo, minutes }: DemoScan, now: Date): { begin: Date; end: Date } {
  const begin = daysBefore(now, daysAgo);
  return { begin, end: daysAfter(begin, minutes * minute) };
}

/** At least one time of each month that has events of the demo. */
export function eventTimes(now: Date): Date[] {
  return scans.flatMap((scan) => Object.values(timesOf(scan, now)));
}
