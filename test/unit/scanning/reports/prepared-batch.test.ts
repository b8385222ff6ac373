import { describe, expect, it } from '@jest/globals';
import { addLine, type EventLines } from '../../../../src/scanning/reports/prepared-batch.js';

describe('The lines of events', () => {
  it('stay in their order, those of each month together', () => {
    const events: EventLines[] = [];
    addLine(events, '2026-11-30T23:59:59.998Z', 'one');
    addLine(events, '2026-11-30T23:59:59.999Z', 'two');
    addLine(events, '2026-12-01T00:00:00.000Z', 'three');
    expect(events).toEqual([
      { since: '2026-11-30T23:59:59.998Z', begun: ['one', 'two'] },
      { since: '2026-12-01T00:00:00.000Z', begun: ['three'] },
    ]);
  });
});
