import { describe, expect, it } from '@jest/globals';
import { openReport } from '../../../../src/scanning/reports/read-report.js';
import { withinTime } from '../../../../src/scanning/reports/reading-time.js';
import { bytesOfReport, readWhole } from '../../../support/reports.js';
import { logOf } from '../../../support/sarif-reports.js';

const report = logOf({ results: [{ message: { text: 'm' } }] });

describe('withinTime', () => {
  it('passes the bytes on', async () => {
    const { format, bytes } = await openReport(withinTime(bytesOfReport(report, 7)), undefined);
    expect(format).toBe('sarif');
    const pieces: Buffer[] = [];
    for await (const piece of bytes()) pieces.push(piece);
    expect(await readWhole(Buffer.concat(pieces))).toMatchObject({ findings: [{ name: 'm' }] });
  });

  it('refuses a report that takes too long to read, in either pass', async () => {
    const late = withinTime(bytesOfReport(report), 0);
    await expect(openReport(late, undefined)).rejects.toThrow('takes longer than 0 seconds to read: split it');
    const problems = [{ loc: ['body'], type: 'value_error' }];
    await expect(openReport(late, 'nuclei-jsonl')).rejects.toMatchObject({ problems });
  });
});
