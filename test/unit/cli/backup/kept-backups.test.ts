import { describe, expect, it } from '@jest/globals';
import { backupName, backupNames, outlivedBackups } from '../../../../src/cli/backup/kept-backups.js';

const daysAgo = (days: number, hour = 3) => backupName(new Date(Date.UTC(2026, 10, 28, hour) - days * 86_400_000));
const keep = { daily: 7, weekly: 4 };

describe('The backups that are kept', () => {
  it('have names by their time, which sort by it', () => {
    expect(backupName(new Date('2026-11-28T03:15:07.999Z'))).toBe('store-2026-11-28T03-15-07Z.backup');
    const foreign = ['monday.backup', 'store-2026-11-28.backup', '.store-2026-11-28T03-15-07Z.backup', 'store-x'];
    expect(backupNames([daysAgo(2), ...foreign, daysAgo(0), daysAgo(1)])).toEqual([0, 1, 2].map((day) => daysAgo(day)));
  });

  it('are the newest of each of seven days, and of each of four weeks', () => {
    const nightly = Array.from({ length: 60 }, (_, day) => daysAgo(day));
    const gone = outlivedBackups(nightly, keep, daysAgo(0));
    const left = nightly.filter((name) => !gone.includes(name));
    // 2026-11-28 is a Saturday: the weeks before end on Sundays, 6, 13 and 20 days ago.
    expect(left).toEqual([0, 1, 2, 3, 4, 5, 6, 13, 20].map((day) => daysAgo(day)));
  });

  it('of several on a day, are the last of it', () => {
    const hours = [3, 9, 15].map((hour) => daysAgo(0, hour));
    expect(outlivedBackups(hours, keep, daysAgo(0, 15))).toEqual([daysAgo(0, 9), daysAgo(0, 3)]);
  });

  it('are older than a gap, however long it is', () => {
    expect(
      outlivedBackups(
        [400, 300, 200].map((day) => daysAgo(day)),
        keep,
        daysAgo(200),
      ),
    ).toEqual([]);
  });

  it('include the one just made, though the clock was turned back', () => {
    const later = Array.from({ length: 40 }, (_, day) => daysAgo(-day));
    expect(outlivedBackups([...later, daysAgo(300)], keep, daysAgo(300))).not.toContain(daysAgo(300));
  });
});
