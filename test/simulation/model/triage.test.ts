import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, Story } from '../story.js';

const hour = 3_600_000;
const caller = { client: 'triager', token: 'key' };

let story: Story;
let issue: Record<string, unknown>;
beforeEach(() => {
  story = new Story();
  issue = {
    id: 'i',
    assetId: 'a',
    status: 'OPEN',
    severity: 'HIGH',
    acceptedUntil: null,
    dueAt: null,
    createdAt: story.now,
  };
});

function change(body: Record<string, unknown>): number {
  issue = { ...issue, ...body };
  return story.ask('PATCH', '/issues/i', { ...caller, body }, 200, issue);
}

function see(fields: Record<string, unknown>): number {
  issue = { ...issue, ...fields };
  return story.ask('GET', '/issues/i', caller, 200, issue);
}

describe('an acceptance', () => {
  const acceptedUntil = '2026-03-02T09:00:00.000Z';

  it('holds until its end, and then ends', async () => {
    change({ status: 'IGNORED', acceptedUntil });
    see({});
    story.later(hour + 1000);
    see({});
    story.later(61_000);
    see({ status: 'OPEN', acceptedUntil: null });
    expect(await story.judged()).toEqual([]);
  });

  it('is found where it goes on, in the history and at the end', async () => {
    change({ status: 'IGNORED', acceptedUntil });
    story.later(hour);
    see({});
    story.later(61_000);
    const n = see({});
    story.atEnd('/issues/i', issue);
    const violations = await story.judged();
    expect(broken(violations)).toEqual([
      ['acceptance/ends', n],
      ['acceptance/ends', undefined],
    ]);
    expect(violations[0]!.message).toContain('expected it to be OPEN within a minute, and it is IGNORED');
  });

  it('is found where it ends too early', async () => {
    change({ status: 'IGNORED', acceptedUntil });
    const n = see({ status: 'OPEN' });
    expect(broken(await story.judged())).toContainEqual(['acceptance/holds', n]);
  });

  it('needs a reason where the policy says so', async () => {
    story.ask('PUT', '/issues/policy', caller, 200, { daysToFix: {}, reasonRequired: true });
    change({ status: 'IGNORED', comment: 'Not reachable' });
    expect(await story.judged()).toEqual([]);
    issue.comment = undefined;
    const n = change({ status: 'IGNORED', comment: '' });
    expect(broken(await story.judged())).toEqual([['acceptance/reason', n]]);
  });
});

describe('a severity that a person set', () => {
  it('is not changed by scans', async () => {
    change({ severity: 'LOW' });
    see({});
    expect(await story.judged()).toEqual([]);
    const n = see({ severity: 'HIGH' });
    expect(broken(await story.judged())).toEqual([['triage/severity-stays', n]]);
  });
});

describe('due dates', () => {
  function find(dueAt: string | null, severity = 'HIGH'): number {
    story.ask('PUT', '/issues/policy', caller, 200, { daysToFix: { HIGH: 30, LOW: null }, reasonRequired: false });
    const body = [{ name: 'XSS', severity, assetId: 'a' }];
    story.ask('POST', '/scans/s/issues', { ...caller, body }, 201, {
      created: 1,
      seen: 0,
      issues: [{ id: 'i', created: true }],
    });
    return see({ dueAt, severity, createdAt: '2026-03-02T08:00:00.000Z' });
  }

  it('are those of the policy', async () => {
    find('2026-04-01T08:00:00.000Z');
    expect(await story.judged()).toEqual([]);
  });

  it.each([
    ['is missing', null, 'HIGH'],
    ['is another', '2026-05-01T08:00:00.000Z', 'HIGH'],
    ['is there though the policy has none', '2026-04-01T08:00:00.000Z', 'LOW'],
  ])('are found where one %s', async (_, dueAt, severity) => {
    const n = find(dueAt, severity);
    expect(broken(await story.judged())).toEqual([['due/policy', n]]);
  });

  it('decide what is overdue', async () => {
    const list = (fields: object) =>
      story.ask('GET', '/issues?overdue=true', caller, 200, { data: [{ ...issue, ...fields }] });
    list({ dueAt: '2026-03-01T00:00:00.000Z' });
    expect(await story.judged()).toEqual([]);
    const early = list({ id: 'j', dueAt: '2026-03-03T00:00:00.000Z' });
    const fixed = list({ id: 'k', dueAt: '2026-03-01T00:00:00.000Z', status: 'RESOLVED' });
    expect(broken(await story.judged())).toEqual([
      ['due/overdue', early],
      ['due/overdue', fixed],
    ]);
  });
});
