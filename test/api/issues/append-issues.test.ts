import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { assetBodies } from '../../support/assets.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { makeResource, resourceBodies, Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let other: Scanning;
let issues: IssueCalls;
let assetId: string;
let scanId: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  other = new Scanning(app, await insertOrganization(app));
  issues = new IssueCalls(app, acme.token);
  assetId = (await acme.asset()).id;
  scanId = (await acme.scan({ status: 'RUNNING' })).id;
});
afterAll(() => app.close());

const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
let named = 0;
const newFinding = (fields: object = {}) => finding(assetId, { name: `Finding ${named++}`, ...fields });

const details = {
  apiRoute: {
    operation: 'GET',
    name: '/users/{id}',
    parameters: { id: { in: 'path', nested: [1, { deep: true }] } },
    returnType: 'User',
    coverage: 'OK',
  },
  codeFile: { language: 'ts', path: 'src/main.ts' },
  graphqlResolver: { parent: 'Query', name: 'user', parameters: { id: 'ID!' }, returnType: 'User' },
  webPage: { url: 'https://shop.example.com/', visits: 3 },
  webCrawledUrl: { url: 'https://shop.example.com/robots.txt' },
};

/** What an issue has that no report had. */
const unreported = {
  identifiers: [],
  rule: null,
  location: null,
  locations: [],
  evidence: [],
  message: null,
  tags: [],
  score: null,
  rank: null,
  fixes: [],
  suppressions: [],
  properties: null,
};

describe('POST /api/v1/scans/{id}/issues', () => {
  it('makes an issue with all fields of the interface description, its asset, scan and application', async () => {
    const tag = await makeResource(app, acme.organization, 'tags', { name: 'public', color: '#c0392b' });
    const asset = await acme.asset({ ...assetBodies.frontend, tagIds: [tag.id] });
    const scan = await acme.scan({ status: 'RUNNING' });
    const given = {
      name: 'Open redirect',
      severity: 'MEDIUM',
      category: 'CUSTOM',
      context: 'GET /login?next=',
      alertUid: 'alert-1',
      securityTestUid: 'redirect',
      fullName: 'Open redirect at login',
    };
    const [made] = await issues.appended(scan.id, { ...given, assetId: asset.id });
    const { repository: _repository, schema: _schema, openIssues: _openIssues, sourceUrl: _sourceUrl, ...rest } = asset;
    expect(made).toEqual({ id, created: true });
    expect(await issues.get(made?.id ?? '')).toEqual({
      ...unreported,
      ...given,
      id,
      place: null,
      severitySetBy: null,
      toolSeverity: 'MEDIUM',
      status: 'OPEN',
      statusSetBy: null,
      suppressed: false,
      createdAt: expect.any(String),
      assetId: asset.id,
      asset: rest,
      targets: [],
      targetsCount: 0,
      scan,
      application: scan.application,
      assigneeId: null,
      assignee: null,
      dueAt: null,
      acceptedUntil: null,
      acceptedReason: null,
      acceptedBy: null,
      externalUrl: null,
      lastSeenAt: expect.any(String),
      tool: null,
      branches: [],
      branchOnly: false,
      epss: null,
      kev: false,
    });
  });

  it('fills in defaults', async () => {
    const issue = await issues.get(await issues.one(scanId, finding(assetId, { name: 'XSS', severity: 'LOW' })));
    expect(issue).toMatchObject({ fullName: 'XSS (low risk)', context: '', securityTestUid: 'XSS' });
    expect(issue.alertUid).toMatch(/^[0-9a-f]{64}$/);
  });

  it('keeps targets of every kind, with new ids', async () => {
    const targets = Object.entries(details).map(([kind, fields]) => ({ targetUid: `t-${kind}`, [kind]: fields }));
    const issue = await issues.get(await issues.one(scanId, newFinding({ targets })));
    expect(issue.targets).toHaveLength(targets.length);
    for (const [kind, fields] of Object.entries(details)) {
      expect(issue.targets).toContainEqual({ id, targetUid: `t-${kind}`, scanId, [kind]: { id, ...fields } });
    }
  });

  it('recognizes the same issue in a later scan and counts it as seen', async () => {
    const target = { targetUid: 'page', webPage: { url: 'https://a.example/', visits: 1 } };
    const issue = newFinding({ severity: 'LOW', targets: [target] });
    const first = await issues.one(scanId, issue);
    const before = await issues.get(first);
    const later = await acme.scan();
    const again = { ...issue, severity: 'HIGH', targets: [{ ...target, webPage: { ...target.webPage, visits: 9 } }] };
    const { status, body } = await issues.append(later.id, [again]);
    expect([status, body]).toEqual([201, { created: 0, seen: 1, issues: [{ id: first, created: false }] }]);
    const after = await issues.get(first);
    expect(after).toMatchObject({ severity: 'HIGH', createdAt: before.createdAt, scan: { id: later.id } });
    expect(after.fullName).toBe(`${after.name} (high risk)`);
    const [kept] = before.targets;
    expect(after.targets).toEqual([{ ...kept, scanId: later.id, webPage: { ...kept?.webPage, visits: 9 } }]);
  });

  it.each([
    ['another name', { name: 'Other name' }, true],
    ['another asset', { assetId: 'another' }, true],
    ['another test', { securityTestUid: 'other-test' }, true],
    ['other targets', { targets: [{ targetUid: 'b', codeFile: details.codeFile }] }, true],
    [
      'the targets in another order',
      { targets: ['b', 'a'].map((uid) => ({ targetUid: uid, codeFile: details.codeFile })) },
      false,
    ],
    [
      'another severity, category, context and full name',
      { severity: 'INFO', category: 'SCHEMA', context: 'x', fullName: 'y' },
      false,
    ],
  ])('tells issues apart: %s', async (_, changes, created) => {
    const targets = ['a', 'b'].map((uid) => ({ targetUid: uid, codeFile: details.codeFile }));
    const first = newFinding({ securityTestUid: 'test', targets });
    const asset = 'assetId' in changes ? { assetId: (await acme.asset()).id } : {};
    await issues.one(scanId, first);
    const [second] = await issues.appended(scanId, { ...first, ...changes, ...asset });
    expect(second?.created).toBe(created);
  });

  it('counts repeats within one request as seen, in the order of the request', async () => {
    const [one, two] = [newFinding(), newFinding({ severity: 'LOW' })];
    const { body } = await issues.append(scanId, [one, two, one, { ...two, severity: 'CRITICAL' }]);
    expect(body).toMatchObject({ created: 2, seen: 2 });
    expect(body.issues.map(({ created }) => created)).toEqual([true, true, false, false]);
    expect(body.issues[2]?.id).toBe(body.issues[0]?.id);
    expect(await issues.get(body.issues[3]?.id ?? '')).toMatchObject({ severity: 'CRITICAL' });
  });

  it('makes one issue of ten concurrent appends', async () => {
    const batch = Array.from({ length: 20 }, () => newFinding());
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => issues.append(scanId, at % 2 ? batch : batch.toReversed())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(20);
    expect(new Set(answers.flatMap(({ body }) => body.issues.map((issue) => issue.id))).size).toBe(20);
  });

  it('accepts thousands at once', async () => {
    const many = Array.from({ length: 5_000 }, () =>
      newFinding({ targets: [{ targetUid: 'x', webCrawledUrl: { url: 'https://a.example/' } }] }),
    );
    const { status, body } = await issues.append(scanId, many);
    expect([status, body.created, body.seen]).toEqual([201, 5_000, 0]);
    expect((await issues.append(scanId, many)).body).toMatchObject({ created: 0, seen: 5_000 });
  });

  it('accepts an empty list', async () => {
    expect((await issues.append(scanId, [])).body).toEqual({ created: 0, seen: 0, issues: [] });
  });

  it.each([
    ['name', { name: '' }, ['body', 1, 'name']],
    ['severity', { severity: 'BAD' }, ['body', 1, 'severity']],
    ['category', { category: 'UNHEARD_OF' }, ['body', 1, 'category']],
    ['assetId', { assetId: 'x' }, ['body', 1, 'assetId']],
    ['context', { context: 'a\0b' }, ['body', 1, 'context']],
    ['a target without detail', { targets: [{ targetUid: 'a' }] }, ['body', 1, 'targets', 0]],
    ['a target with two', { targets: [{ targetUid: 'a', ...details }] }, ['body', 1, 'targets', 0]],
    [
      'a detail',
      { targets: [{ targetUid: 'a', codeFile: { path: 'a' } }] },
      ['body', 1, 'targets', 0, 'codeFile', 'language'],
    ],
  ])('responds with 422 with the location of the problem: %s', async (_, wrong, loc) => {
    const { status, body } = await issues.append(scanId, [newFinding(), newFinding(wrong)]);
    expect([status, (body as unknown as { detail: object[] }).detail]).toEqual([
      422,
      [expect.objectContaining({ loc })],
    ]);
  });

  it('keeps nothing of a refused request', async () => {
    const good = newFinding();
    await issues.append(scanId, [good, newFinding({ severity: 'BAD' })]);
    expect((await issues.append(scanId, [good])).body.created).toBe(1);
  });

  it.each([
    ['no array', '{"name": "x"}', 'list_type'],
    ['an empty body', '', 'missing'],
    ['what ends too early', '[{"name": "x"}', 'json_invalid'],
    ['no JSON', '[{"name": }]', 'json_invalid'],
    ['what lies too deep', `[${'['.repeat(5_000)}`, 'json_invalid'],
    ['what follows the array', '[] []', 'json_invalid'],
  ])('responds with 422 for %s', async (_, raw, type) => {
    const answer = await app.api.post<{ detail: { type: string }[] }>(`/api/v1/scans/${scanId}/issues`, {
      token: acme.token,
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.body.detail[0]?.type]).toEqual([422, type]);
  });

  it('responds with 413 for more than 10,000 issues', async () => {
    const many = Array<object>(10_001).fill(newFinding());
    expect((await issues.append(scanId, many)).status).toBe(413);
  });

  it('responds with 415 for another type', async () => {
    const request = { token: acme.token, raw: 'x', headers: { 'content-type': 'text/plain' } };
    expect((await app.api.post(`/api/v1/scans/${scanId}/issues`, request)).status).toBe(415);
  });

  it("responds with 404 for another organization's scan or asset, and for unknown ones", async () => {
    const foreign = await other.scan();
    expect((await issues.append(foreign.id, [newFinding()])).status).toBe(404);
    expect((await issues.append(uuidV7(), [newFinding()])).status).toBe(404);
    const { status, body } = await issues.append(scanId, [
      newFinding(),
      newFinding({ assetId: (await other.asset()).id }),
    ]);
    expect([status, JSON.stringify(body)]).toEqual([404, expect.stringContaining('element 1')]);
  });

  it('makes separate issues in another organization', async () => {
    const issue = newFinding();
    await issues.one(scanId, issue);
    const [theirs] = await new IssueCalls(app, other.token).appended((await other.scan()).id, {
      ...issue,
      assetId: (await makeResource(app, other.organization, 'assets', resourceBodies.assets('x.example.com'))).id,
    });
    expect(theirs?.created).toBe(true);
  });

  it('responds with 403 to a viewer', async () => {
    const viewer = new IssueCalls(app, acme.organization.viewer.token);
    expect((await viewer.append(scanId, [newFinding()])).status).toBe(403);
  });
});
