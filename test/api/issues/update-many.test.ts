import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
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
  scanId = (await acme.scan()).id;
  await acme.listenTo('ISSUE_UPDATED');
});
afterAll(() => app.close());

let named = 0;
const newIssues = async (count: number): Promise<string[]> => {
  const findings = Array.from({ length: count }, () => finding(assetId, { name: `Finding ${named++}` }));
  return (await issues.appended(scanId, ...findings)).map(({ id }) => id);
};

describe('PATCH /api/v1/issues', () => {
  it('changes each issue, returns the outcome of each, and stores the comment once', async () => {
    const [one, two, done] = (await newIssues(3)) as [string, string, string];
    await issues.patch(done, { status: 'RESOLVED', severity: 'LOW' });
    const unknown = uuidV7();
    const asked = { ids: [two, unknown, one, done, one.toUpperCase()], status: 'RESOLVED', severity: 'LOW' };
    const { status, body } = await issues.patchMany(asked);
    expect([status, body.results]).toEqual([
      200,
      [
        { id: two, status: 'updated' },
        { id: unknown, status: 'not_found' },
        { id: one, status: 'updated' },
        { id: done, status: 'unchanged' },
      ],
    ]);
    for (const id of [one, two]) {
      expect(await issues.get(id)).toMatchObject({ status: 'RESOLVED', severity: 'LOW', severitySetBy: 'USER' });
      expect((await issues.activities(id)).slice(1)).toMatchObject([
        { kind: 'STATUS', from: 'OPEN', to: 'RESOLVED' },
        { kind: 'SEVERITY', from: 'HIGH', to: 'LOW' },
      ]);
    }
    const comment = 'Done in sprint 12';
    const said = await issues.patchMany({ ids: [one, done], status: 'IGNORED', comment });
    expect(said.body.results.map((result) => result.status)).toEqual(['updated', 'updated']);
    for (const id of [one, done]) {
      const { userId, username } = acme.organization.member;
      expect((await issues.activities(id)).at(-1)).toMatchObject({
        comment,
        to: 'IGNORED',
        actor: { kind: 'USER', userId, name: username },
      });
    }
  });

  it('fires one ISSUE_UPDATED for all that really changed', async () => {
    const ids = await newIssues(4);
    const [moved] = ids as [string];
    await issues.patch(moved, { status: 'IGNORED' });
    const before = (await acme.triggersAbout(...ids)).length;
    await issues.patchMany({ ids, status: 'IGNORED', comment: 'all' });
    const triggers = (await acme.triggersAbout(...ids)).slice(before);
    expect(triggers.map(({ subjects }) => [...subjects].sort())).toEqual([ids.slice(1).sort()]);
  });

  it('gives severities back', async () => {
    const ids = await newIssues(2);
    await issues.patchMany({ ids, severity: 'INFO' });
    const { body } = await issues.patchMany({ ids, severity: null });
    expect(body.results.map((result) => result.status)).toEqual(['updated', 'updated']);
    for (const id of ids) expect(await issues.get(id)).toMatchObject({ severity: 'HIGH', severitySetBy: null });
    expect((await issues.patchMany({ ids })).body.results.map((result) => result.status)).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });

  it('accepts 500 at once', async () => {
    const ids = await newIssues(500);
    const { status, body } = await issues.patchMany({ ids, status: 'FALSE_POSITIVE', severity: 'INFO', comment: 'x' });
    expect([status, body.results.length]).toEqual([200, 500]);
    expect(new Set(body.results.map((result) => result.status))).toEqual(new Set(['updated']));
    const [row] = await app.database.rows(
      `SELECT count(*)::int AS count FROM issues WHERE id = ANY($1) AND status = 'FALSE_POSITIVE' AND severity = 'INFO'`,
      [ids],
    );
    expect(row).toEqual({ count: 500 });
  });

  it('changes nothing of another organization', async () => {
    const theirs = await new IssueCalls(app, other.token).one(
      (await other.scan()).id,
      finding((await other.asset()).id),
    );
    const { body } = await issues.patchMany({ ids: [theirs], status: 'RESOLVED', comment: 'mine' });
    expect(body.results).toEqual([{ id: theirs, status: 'not_found' }]);
    const calls = new IssueCalls(app, other.token);
    expect([(await calls.get(theirs)).status, (await calls.activities(theirs)).length]).toEqual(['OPEN', 1]);
  });

  it.each([
    [{}, 'missing'],
    [{ ids: [] }, 'too_short'],
    [{ ids: Array.from({ length: 501 }, () => uuidV7()) }, 'too_long'],
    [{ ids: ['x'] }, 'uuid_parsing'],
    [{ ids: [uuidV7()], status: 'GONE' }, 'enum'],
  ])('responds with 422 for %j', async (json, type) => {
    const { status, body } = await issues.patchMany(json);
    expect([status, (body as unknown as { detail: object[] }).detail]).toEqual([
      422,
      [expect.objectContaining({ type })],
    ]);
  });

  it('responds with 403 to a viewer', async () => {
    const viewer = new IssueCalls(app, acme.organization.viewer.token);
    expect((await viewer.patchMany({ ids: await newIssues(1), status: 'IGNORED' })).status).toBe(403);
  });

  it('prevails over concurrent imports and appends of the same issues', async () => {
    const rules = Array.from({ length: 60 }, (_, at) => `rule-${at}`);
    const report = (order: string[]) => sarifLog(order.map((rule) => sarifResult(rule, 'src/raced.ts')));
    const imports = new Imports(app.api, acme.token);
    const { scan } = await imports.import(report(rules));
    const path = `/api/v1/issues?scanIds=${scan.id}&size=100`;
    const { body } = await app.api.get<{ data: { id: string }[] }>(path, { token: acme.token });
    const ids = body.data.map(({ id }) => id);
    const answers = await Promise.all([
      imports.import(report(rules)),
      issues.patchMany({ ids, status: 'IGNORED', severity: 'INFO' }),
      imports.import(report(rules.toReversed())),
      issues.patchMany({ ids: ids.toReversed(), severity: 'INFO', comment: 'second' }),
      imports.import(report(rules)),
    ]);
    expect(answers).toHaveLength(5);
    const { body: after } = await app.api.get<{ data: object[] }>(path, { token: acme.token });
    expect(after.data).toHaveLength(60);
    for (const issue of after.data) {
      expect(issue).toMatchObject({ status: 'IGNORED', severity: 'INFO', severitySetBy: 'USER', toolSeverity: 'HIGH' });
    }
  });
});
