import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, Story } from '../story.js';

const caller = { client: 'triager', token: 'key' };
const finding = { name: 'XSS', severity: 'HIGH', assetId: 'a', targets: [{ targetUid: 't2' }, { targetUid: 't1' }] };

let story: Story;
beforeEach(() => {
  story = new Story();
  story.ask('POST', '/scans', { ...caller, body: {} }, 201, {
    id: 's',
    status: 'RUNNING',
    progressRatio: 0,
    branch: null,
  });
});

function append(issues: { id: string; created: boolean }[], findings: object[] = [finding], counts = {}): number {
  const created = issues.filter((issue) => issue.created).length;
  const answer = { created, seen: issues.length - created, issues, ...counts };
  return story.ask('POST', '/scans/s/issues', { ...caller, body: findings }, 201, answer);
}

function see(status: string, fields: Record<string, unknown> = {}): number {
  return story.ask('GET', '/issues/i', caller, 200, { id: 'i', assetId: 'a', status, acceptedUntil: null, ...fields });
}

describe('issues', () => {
  it('are one for a finding, resolved by people and opened when it is found again', async () => {
    append([{ id: 'i', created: true }]);
    see('OPEN');
    story.ask('PATCH', '/issues/i', { ...caller, body: { status: 'RESOLVED' } }, 200, {
      id: 'i',
      assetId: 'a',
      status: 'RESOLVED',
    });
    append([{ id: 'i', created: false }], [{ ...finding, targets: finding.targets.toReversed() }]);
    see('OPEN');
    expect(await story.judged()).toEqual([]);
  });

  it('finds a finding that became two issues, and one that is new twice', async () => {
    append([{ id: 'i', created: true }]);
    const again = append([{ id: 'i', created: true }]);
    const other = append([{ id: 'j', created: true }]);
    expect(broken(await story.judged())).toEqual([
      ['issues/identity', again],
      ['issues/identity', other],
      ['issues/identity', other],
    ]);
  });

  it('finds two findings in one issue, and answers that do not add up', async () => {
    append([{ id: 'i', created: true }]);
    const shared = append([{ id: 'i', created: false }], [{ ...finding, name: 'SQL injection' }]);
    const uncounted = append([{ id: 'k', created: true }], [{ ...finding, name: 'CSRF' }], { created: 2 });
    expect(broken(await story.judged())).toEqual([
      ['issues/identity', shared],
      ['issues/counted', uncounted],
    ]);
  });

  it('finds that a scan opened what people set aside', async () => {
    append([{ id: 'i', created: true }]);
    see('FALSE_POSITIVE');
    append([{ id: 'i', created: false }]);
    const n = see('OPEN');
    expect(broken(await story.judged())).toEqual([['issues/status', n]]);
  });

  it('finds that nothing opened what was found again', async () => {
    append([{ id: 'i', created: true }]);
    see('RESOLVED');
    append([{ id: 'i', created: false }]);
    const n = see('RESOLVED');
    expect(broken(await story.judged())).toEqual([['issues/found-again', n]]);
  });

  it('finds a bulk change of more than was expected', async () => {
    const body = { filter: {}, changes: { status: 'RESOLVED' }, expectedCount: 3 };
    const answer = { dryRun: false, matching: 3, changing: 2, changed: 2, remaining: 0 };
    story.ask('POST', '/issues/bulk', { ...caller, body }, 200, answer);
    expect(await story.judged()).toEqual([]);
    const n = story.ask('POST', '/issues/bulk', { ...caller, body }, 200, { ...answer, matching: 4 });
    expect(broken(await story.judged())).toEqual([['issues/bulk', n]]);
  });
});

describe('imports', () => {
  const scan = { id: 's1' };
  const report = { ...caller, body: { version: '2.1.0' } };
  const counts = { scan, findings: 2, created: 2, seen: 0, skippedCount: 0, resolved: 0, createdIds: ['i', 'j'] };

  it('account for every finding, and know it again', async () => {
    story.ask('POST', '/scans/import', report, 201, counts);
    story.ask('POST', '/scans/import', report, 201, { ...counts, created: 0, seen: 2, createdIds: [] });
    expect(await story.judged()).toEqual([]);
    const again = story.ask('POST', '/scans/import', report, 201, counts);
    const lost = story.ask('POST', '/scans/import?branch=b', report, 201, { ...counts, findings: 3 });
    const resolved = story.ask('POST', '/scans/import?branch=c', report, 201, { ...counts, resolved: 1 });
    expect(broken(await story.judged())).toEqual([
      ['import/same-finding', again],
      ['import/counted', lost],
      ['import/resolves', resolved],
    ]);
  });
});

describe('branches', () => {
  it('keep their issues out of the lists, and take them along', async () => {
    const onBranch = { branchOnly: true, branches: [{ name: 'feature', present: true, default: false }] };
    see('OPEN', onBranch);
    const listed = story.ask('GET', '/issues', caller, 200, {
      data: [{ id: 'i', assetId: 'a', status: 'OPEN', ...onBranch }],
    });
    story.ask('POST', '/branches/close', { ...caller, body: { name: 'feature' } }, 200, { closed: 1, resolved: 1 });
    const open = see('OPEN', onBranch);
    expect(broken(await story.judged())).toEqual([
      ['branches/not-listed', listed],
      ['branches/closed', open],
    ]);
  });

  it('finds a default branch that was closed', async () => {
    const branch = { name: 'main', default: true, closedAt: null };
    story.ask('GET', '/branches', caller, 200, { data: [branch] });
    const n = story.ask('GET', '/branches', caller, 200, { data: [{ ...branch, closedAt: story.now }] });
    expect(broken(await story.judged())).toEqual([['branches/default', n]]);
  });

  it('finds a branch that an older report of its asset changed', async () => {
    const report = (...rules: string[]) => ({
      runs: [
        {
          results: rules.map((ruleId) => ({
            ruleId,
            locations: [{ physicalLocation: { artifactLocation: { uri: `${ruleId}.ts` } } }],
          })),
        },
      ],
    });
    const send = (asset: string, committedAt: string, created: string[], ...rules: string[]): number => {
      const path = `/scans/import?asset=${asset}&branch=main&resolveGone=true&committedAt=${committedAt}`;
      const [found, seen] = [rules.length, rules.length - created.length];
      const counts = { findings: found, created: created.length, seen, skippedCount: 0, resolved: 0 };
      return story.ask('POST', path, { ...caller, body: report(...rules) }, 200, { ...counts, createdIds: created });
    };
    const issue = (present: boolean) => ({
      id: 'i',
      name: 'xss',
      place: 'xss.ts',
      branches: [{ name: 'main', present, default: true }],
    });
    const newest = send('web', '2026-03-02T07:00:00Z', ['i'], 'xss');
    send('web', '2026-03-01T07:00:00Z', []);
    send('shop', '2026-03-03T07:00:00Z', []);
    story.atEnd('/issues/i', issue(true));
    expect(await story.judged()).toEqual([]);
    story.atEnd('/issues/i', issue(false));
    expect(broken(await story.judged())).toEqual([['branches/newest-report', newest]]);
  });
});
