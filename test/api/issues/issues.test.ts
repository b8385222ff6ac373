import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { IssuePage } from '../../../src/scanning/issues/issues.dto.js';
import { issueStatuses } from '../../../src/scanning/vocabulary.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/issues';
let app: TestApp;
let acme: Scanning;
let other: Scanning;
let token: string;
let issues: IssueCalls;
let assetId: string;
let scanId: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  other = new Scanning(app, await insertOrganization(app));
  token = acme.token;
  issues = new IssueCalls(app, token);
  assetId = (await acme.asset()).id;
  scanId = (await acme.scan()).id;
  await acme.listenTo('NEW_ISSUE', 'ISSUE_UPDATED');
});
afterAll(() => app.close());

let named = 0;
const newFinding = (fields: object = {}) => finding(assetId, { name: `Finding ${named++}`, ...fields });
const newIssue = (fields: object = {}) => issues.one(scanId, newFinding(fields));
const list = async (query: string, as = token) => {
  const { status, body } = await app.api.get<IssuePage>(`${path}?${query}`, { token: as });
  expect(status).toBe(200);
  return body;
};
const idsOf = async (query: string, as = token) => (await list(query, as)).data.map(({ id }) => id);
const triggersAbout = async (id: string) => (await acme.triggersAbout(id)).map(({ type }) => type);

describe('GET /api/v1/issues', () => {
  it('filters by everything, alone and combined', async () => {
    const asset = await acme.asset();
    const [one, two] = [await acme.scan(), await acme.scan()];
    const made = await issues.appended(
      one.id,
      finding(asset.id, { name: '100% sure_thing', severity: 'CRITICAL', category: 'SCHEMA', context: 'In \\a/ Path' }),
      finding(asset.id, { name: '100 per cent', severity: 'LOW', category: 'INJECTION', fullName: 'Whole NAME' }),
      finding(asset.id, { name: 'Third', severity: 'LOW', category: 'PROTOCOL' }),
    );
    const [first, second, third] = made.map(({ id }) => id) as [string, string, string];
    await issues.appended(two.id, finding(asset.id, { name: 'Third', severity: 'LOW', category: 'PROTOCOL' }));
    await issues.patch(second, { status: 'RESOLVED' });
    const here = `assetIds=${asset.id}`;
    expect(await idsOf(here)).toEqual([third, second, first]);
    expect(await idsOf(`${here}&severities=CRITICAL`)).toEqual([first]);
    expect(await idsOf(`${here}&severities=LOW&severities=HIGH,CRITICAL`)).toHaveLength(3);
    expect(await idsOf(`${here}&categories=SCHEMA,PROTOCOL`)).toEqual([third, first]);
    expect(await idsOf(`${here}&statuses=RESOLVED`)).toEqual([second]);
    expect(await idsOf(`scanIds=${one.id}`)).toEqual([third, second, first]);
    expect(await idsOf(`scanIds=${two.id}`)).toEqual([third]);
    expect(await idsOf(`profileIds=${two.applicationId}`)).toEqual([third]);
    expect(await idsOf(`profileIds=${one.applicationId}`)).toEqual([third, second, first]);
    expect(await idsOf(`${here}&search=${encodeURIComponent('100% SURE_')}`)).toEqual([first]);
    expect(await idsOf(`${here}&search=${encodeURIComponent('\\A/')}`)).toEqual([first]);
    expect(await idsOf(`${here}&search=whole`)).toEqual([second]);
    expect(await idsOf(`${here}&search=sure-thing`)).toEqual([]);
    const all = `${here}&severities=LOW&categories=PROTOCOL&statuses=OPEN&scanIds=${two.id}&search=third`;
    expect(await idsOf(`${all}&profileIds=${two.applicationId}`)).toEqual([third]);
    expect(await idsOf(`${all}&profileIds=${uuidV7()}`)).toEqual([]);
  });

  it('pages newest first without gaps or repeats, also within the same moment', async () => {
    const asset = (await acme.asset()).id;
    const made = await issues.appended(
      scanId,
      ...Array.from({ length: 7 }, (_, at) => finding(asset, { name: `${at}` })),
    );
    const seen: string[] = [];
    let query = `assetIds=${asset}&size=3`;
    for (let page = await list(query); ; page = await list(query)) {
      seen.push(...page.data.map(({ id }) => id));
      if (page.nextCursor === null) break;
      query = `assetIds=${asset}&size=3&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(made.map(({ id }) => id).reverse());
  });

  it('returns nothing of another organization, whatever a filter names', async () => {
    const [asset, scan] = [await other.asset(), await other.scan()];
    const theirs = new IssueCalls(app, other.token);
    const id = await theirs.one(scan.id, finding(asset.id, { name: 'Secret name' }));
    for (const query of [
      `assetIds=${asset.id}`,
      `scanIds=${scan.id}`,
      `profileIds=${scan.applicationId}`,
      'search=secret',
    ]) {
      expect(await idsOf(query)).toEqual([]);
      expect(await idsOf(query, other.token)).toEqual([id]);
    }
    for (const below of ['', '/activities']) {
      expect((await app.api.get(`${path}/${id}${below}`, { token })).status).toBe(404);
    }
    expect((await issues.patch(id, { status: 'IGNORED' })).status).toBe(404);
    expect(await theirs.get(id)).toMatchObject({ status: 'OPEN' });
  });
});

describe('PATCH /api/v1/issues/{id}', () => {
  it.each(issueStatuses)('changes the status to %s and back, each change with an activity', async (status) => {
    const id = await newIssue();
    expect((await issues.patch(id, { status })).body).toMatchObject({ id, status });
    expect((await issues.patch(id, { status: 'OPEN' })).body).toMatchObject({ id, status: 'OPEN' });
    const moves = (await issues.activities(id)).map(({ from, to }) => [from, to]);
    expect(moves).toEqual([
      [null, 'OPEN'],
      ...(status === 'OPEN'
        ? []
        : [
            ['OPEN', status],
            [status, 'OPEN'],
          ]),
    ]);
  });

  it('changes the severity, and the full name that was derived from it', async () => {
    const id = await newIssue({ name: 'Weak cipher', severity: 'LOW' });
    const { body } = await issues.patch(id, { severity: 'CRITICAL', status: 'MANUAL_REVIEW', comment: 'Seen by hand' });
    expect(body).toMatchObject({
      severity: 'CRITICAL',
      status: 'MANUAL_REVIEW',
      fullName: 'Weak cipher (critical risk)',
    });
    const { userId, username } = acme.organization.member;
    expect((await issues.activities(id)).slice(1)).toEqual([
      expect.objectContaining({
        kind: 'STATUS',
        from: 'OPEN',
        to: 'MANUAL_REVIEW',
        comment: 'Seen by hand',
        actor: { kind: 'USER', userId, name: username },
      }),
      expect.objectContaining({ kind: 'SEVERITY', from: 'LOW', to: 'CRITICAL', comment: null }),
    ]);
  });

  it('keeps a lone comment with its author', async () => {
    const id = await newIssue();
    const headers = { 'x-api-key': await acme.organization.key('member', { name: 'CI' }) };
    await app.api.send('PATCH', `${path}/${id}`, { headers, json: { comment: 'Known' } });
    const [first, second] = await issues.activities(id);
    expect(first).toMatchObject({ kind: 'STATUS', actor: { kind: 'SYSTEM', userId: null, name: null } });
    expect(second).toMatchObject({
      kind: 'COMMENT',
      comment: 'Known',
      actor: { kind: 'API_KEY', userId: null, name: 'CI' },
    });
  });

  it('changes nothing when nothing is given', async () => {
    const id = await newIssue();
    const before = await issues.get(id);
    expect((await issues.patch(id, {})).body).toEqual(before);
    expect(await issues.activities(id)).toHaveLength(1);
  });

  it('records every change of an issue by many concurrent requests', async () => {
    const id = await newIssue();
    const statuses = ['RESOLVED', 'IGNORED', 'FALSE_POSITIVE', 'MANUAL_REVIEW'];
    await Promise.all(statuses.map((status) => issues.patch(id, { status })));
    const moves = (await issues.activities(id)).map(({ from, to }) => [from, to]);
    expect(moves).toHaveLength(5);
    expect(new Set(moves.slice(1).map(([, to]) => to))).toEqual(new Set(statuses));
    const froms = moves.slice(1).map(([from]) => from);
    expect(new Set(froms).size).toBe(4);
  });

  it.each([{ status: 'GONE' }, { severity: 'X' }, { comment: '' }, { comment: 7 }])(
    'responds with 422 for %j',
    async (json) => {
      expect((await issues.patch(await newIssue(), json)).status).toBe(422);
    },
  );

  it('responds with 403 to a viewer', async () => {
    const viewer = new IssueCalls(app, acme.organization.viewer.token);
    expect((await viewer.patch(await newIssue(), { status: 'IGNORED' })).status).toBe(403);
  });
});

describe('An issue found again', () => {
  it.each([
    ['RESOLVED', 'OPEN'],
    ['OPEN', 'OPEN'],
    ['MANUAL_REVIEW', 'MANUAL_REVIEW'],
    ['IGNORED', 'IGNORED'],
    ['FALSE_POSITIVE', 'FALSE_POSITIVE'],
  ])('goes from %s to %s', async (status, expected) => {
    const again = newFinding();
    const id = await issues.one(scanId, again);
    await issues.patch(id, { status });
    await issues.append(scanId, [again]);
    expect(await issues.get(id)).toMatchObject({ status: expected });
    const bySystem = (await issues.activities(id)).filter(({ actor }) => actor.kind === 'SYSTEM');
    expect(bySystem.map(({ from, to }) => [from, to])).toEqual([
      [null, 'OPEN'],
      ...(status === 'RESOLVED' ? [['RESOLVED', 'OPEN']] : []),
    ]);
  });
});

describe('The triggers of issues', () => {
  it('are one NEW_ISSUE for all new issues of a request', async () => {
    const made = await issues.appended(scanId, newFinding(), newFinding());
    const [first, second] = made.map(({ id }) => id) as [string, string];
    const triggers = await acme.triggersAbout(first, second);
    expect(triggers.map(({ type }) => type)).toEqual(['NEW_ISSUE']);
    expect(new Set(triggers[0]?.subjects)).toEqual(new Set([first, second]));
  });

  it('are ISSUE_UPDATED when status or severity really change', async () => {
    const again = newFinding();
    const id = await issues.one(scanId, again);
    await issues.append(scanId, [again]);
    await issues.patch(id, { comment: 'Only said' });
    await issues.patch(id, { status: 'OPEN' });
    expect(await triggersAbout(id)).toEqual(['NEW_ISSUE']);
    await issues.patch(id, { status: 'RESOLVED' });
    expect(await triggersAbout(id)).toEqual(['NEW_ISSUE', 'ISSUE_UPDATED']);
    await issues.append(scanId, [again]);
    expect(await triggersAbout(id)).toHaveLength(3);
    await issues.append(scanId, [Object.assign({}, again, { severity: 'INFO' })]);
    expect(await triggersAbout(id)).toHaveLength(4);
  });
});

describe('GET /api/v1/issues/{id}/activities', () => {
  it('pages newest first', async () => {
    const id = await newIssue();
    for (const comment of ['one', 'two', 'three']) await issues.patch(id, { comment });
    const first = await app.api.get<IssuePage>(`${path}/${id}/activities?size=3`, { token });
    expect(first.body.data).toMatchObject([{ comment: 'three' }, { comment: 'two' }, { comment: 'one' }]);
    const cursor = first.body.nextCursor;
    const second = await app.api.get<IssuePage>(`${path}/${id}/activities?size=3&cursor=${cursor}`, { token });
    expect(second.body).toMatchObject({ data: [{ kind: 'STATUS', from: null, to: 'OPEN' }], nextCursor: null });
    expect((await app.api.get(`${path}/${uuidV7()}/activities`, { token })).status).toBe(404);
  });
});

describe('DELETE /api/v1/issues/{id}', () => {
  it('responds with 405 with the allowed methods', async () => {
    const { status, headers } = await app.api.delete(`${path}/${await newIssue()}`, { token });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
  });
});
