import { describe, expect, it } from '@jest/globals';
import { activitiesOf } from '../src/scanning/activities.js';
import { issues } from '../src/data/scanning/issues.js';
import { daysAfter } from '../src/time.js';

const now = new Date('2026-03-01T12:00:00.000Z');

describe('the activities of the demo issues', () => {
  const first = daysAfter(now, -30);

  it("begin with the discovery and end with the issue's status", () => {
    for (const issue of issues) {
      const finds = issue.scans.map((_, at) => daysAfter(first, at * 20));
      const activities = activitiesOf(issue, finds, now);
      const moves = activities.filter(({ kind }) => kind === 'STATUS');
      expect(moves[0]).toMatchObject({ from: null, to: 'OPEN', by: null, createdAt: first });
      expect(moves.at(-1)?.to).toBe(issue.status);
      expect(moves.slice(1).map(({ from }) => from)).toEqual(moves.slice(0, -1).map(({ to }) => to));
      expect(activities.filter(({ createdAt }) => createdAt > now)).toEqual([]);
    }
  });

  it('include a reopening when a scan finds a resolved issue again', () => {
    const again = issues.find(({ status, scans: keys }) => status === 'RESOLVED' && keys.length === 2);
    if (!again) throw new Error('No issue was resolved and found again');
    const moves = activitiesOf(again, [first, daysAfter(first, 20)], now);
    expect(moves.map(({ to, by }) => [to, by !== null])).toEqual([
      ['OPEN', false],
      ['RESOLVED', true],
      ['OPEN', false],
      ['RESOLVED', true],
    ]);
  });
});
