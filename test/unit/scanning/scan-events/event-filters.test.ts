import { describe, expect, it } from '@jest/globals';
import { areAny, areServedByOneIndex, type EventFilters } from '../../../../src/scanning/scan-events/event-filters.js';

describe('Filters of events', () => {
  const one = ['0190a5a4-0000-7000-8000-000000000000'];
  const served: EventFilters[] = [
    {},
    { scanIds: one },
    { profileIds: one },
    { levels: ['ERROR'] },
    { stages: ['EXECUTION'] },
    { levels: ['ERROR'], stages: ['EXECUTION'] },
    { hasAttachments: true },
    { attachments: ['SNIPPET'] },
    { attachments: ['SNIPPET'], hasAttachments: true },
  ];
  const walking: EventFilters[] = [
    { search: '%abc%' },
    { assetIds: one },
    { issueIds: one },
    { hasAttachments: false },
    { attachments: ['SNIPPET', 'SCREENSHOT'] },
    { attachments: ['SNIPPET'], hasAttachments: false },
    { levels: ['DEBUG'], hasAttachments: true },
    { scanIds: one, levels: ['ERROR'] },
    { scanIds: one, profileIds: one },
    { profileIds: one, attachments: ['SNIPPET'] },
  ];

  it.each(served)('use the common pool if one index serves them: %j', (filters) => {
    expect(areServedByOneIndex({ ...filters, search: undefined })).toBe(true);
  });

  it.each(walking)('use the search pool if they may read many events: %j', (filters) => {
    expect([areServedByOneIndex(filters), areAny(filters)]).toEqual([false, true]);
  });
});
