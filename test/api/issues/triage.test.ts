import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../../support/held-transaction.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let issues: IssueCalls;
let assetId: string;
let scanId: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  issues = new IssueCalls(app, acme.token);
  assetId = (await acme.asset()).id;
  scanId = (await acme.scan()).id;
  await acme.listenTo('NEW_ISSUE', 'ISSUE_UPDATED');
});
afterAll(() => app.close());

let named = 0;
const newFinding = (fields: object = {}) =>
  finding(assetId, { name: `Finding ${named++}`, severity: 'LOW', ...fields });
/** Has a later scan find the same issue, with these fields changed. */
const findAgain = async (found: object, fields: object = {}) =>
  issues.appended((await acme.scan()).id, { ...found, ...fields });
const triggersAbout = async (id: string) => (await acme.triggersAbout(id)).map(({ type }) => type);
const moves = async (id: string, kind: string) =>
  (await issues.activities(id))
    .filter((activity) => activity.kind === kind)
    .map(({ from, to, actor }) => [from, to, actor.kind]);

describe('A severity that a user set', () => {
  it('survives later scans, whose own severity is kept beside it', async () => {
    const found = newFinding({ name: 'Weak cipher' });
    const id = await issues.one(scanId, found);
    await issues.patch(id, { severity: 'CRITICAL' });
    await findAgain(found, { severity: 'INFO' });
    expect(await issues.get(id)).toMatchObject({
      severity: 'CRITICAL',
      severitySetBy: 'USER',
      toolSeverity: 'INFO',
      fullName: 'Weak cipher (critical risk)',
    });
    expect(await moves(id, 'SEVERITY')).toEqual([['LOW', 'CRITICAL', 'USER']]);
    expect(await triggersAbout(id)).toEqual(['NEW_ISSUE', 'ISSUE_UPDATED']);
  });

  it('stays in an import', async () => {
    const imports = new Imports(app.api, acme.token);
    const result = (level: string) => sarifLog([sarifResult('pinned-rule', 'src/pinned.ts', { level })]);
    const { scan } = await imports.import(result('note'));
    const path = `/api/v1/issues?scanIds=${scan.id}`;
    const { body } = await app.api.get<{ data: { id: string }[] }>(path, { token: acme.token });
    const id = body.data[0]?.id ?? '';
    await issues.patch(id, { severity: 'CRITICAL' });
    expect(await imports.import(result('error'))).toMatchObject({ created: 0, seen: 1 });
    expect(await issues.get(id)).toMatchObject({ severity: 'CRITICAL', toolSeverity: 'HIGH' });
  });

  it("may equal the scanner's", async () => {
    const found = newFinding();
    const id = await issues.one(scanId, found);
    expect((await issues.patch(id, { severity: 'LOW' })).body).toMatchObject({
      severity: 'LOW',
      severitySetBy: 'USER',
    });
    await findAgain(found, { severity: 'HIGH' });
    expect(await issues.get(id)).toMatchObject({ severity: 'LOW', toolSeverity: 'HIGH' });
    expect(await moves(id, 'SEVERITY')).toEqual([['LOW', 'LOW', 'USER']]);
    expect(await triggersAbout(id)).toEqual(['NEW_ISSUE']);
  });

  it('can be given back: the newest scan counts at once, and later ones after it', async () => {
    const found = newFinding({ name: 'Open port' });
    const id = await issues.one(scanId, found);
    await issues.patch(id, { severity: 'CRITICAL' });
    await findAgain(found, { severity: 'MEDIUM' });
    expect((await issues.patch(id, { severity: null })).body).toMatchObject({
      severity: 'MEDIUM',
      severitySetBy: null,
      toolSeverity: 'MEDIUM',
      fullName: 'Open port (medium risk)',
    });
    await findAgain(found, { severity: 'INFO' });
    expect(await issues.get(id)).toMatchObject({ severity: 'INFO', severitySetBy: null, toolSeverity: 'INFO' });
    expect(await moves(id, 'SEVERITY')).toEqual([
      ['LOW', 'CRITICAL', 'USER'],
      ['CRITICAL', 'MEDIUM', 'USER'],
      ['MEDIUM', 'INFO', 'SYSTEM'],
    ]);
  });

  it('cannot be given back unless a user set it', async () => {
    const id = await issues.one(scanId, newFinding());
    const before = await issues.get(id);
    expect((await issues.patch(id, { severity: null })).body).toEqual(before);
    expect(await issues.activities(id)).toHaveLength(1);
  });

  it('says whether it was a user or an API key', async () => {
    const id = await issues.one(scanId, newFinding());
    const headers = { 'x-api-key': await acme.organization.key('member') };
    const json = { severity: 'HIGH', status: 'MANUAL_REVIEW' };
    const { body } = await app.api.send('PATCH', `/api/v1/issues/${id}`, { headers, json });
    expect(body).toMatchObject({ severitySetBy: 'API_KEY', statusSetBy: 'API_KEY' });
  });

  it('survives concurrent scans that find the issue', async () => {
    for (let round = 0; round < 8; round++) {
      const found = newFinding();
      const id = await issues.one(scanId, found);
      const answers = await Promise.all([
        issues.append(scanId, [{ ...found, severity: 'INFO' }]),
        issues.patch(id, { severity: 'CRITICAL' }),
        issues.append(scanId, [{ ...found, severity: 'MEDIUM' }]),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 201]);
      expect(await issues.get(id)).toMatchObject({ severity: 'CRITICAL', severitySetBy: 'USER' });
      const told = await moves(id, 'SEVERITY');
      expect(told.at(-1)?.slice(1)).toEqual(['CRITICAL', 'USER']);
      for (const [at, [from]] of told.entries()) expect(from).toBe(told[at - 1]?.[1] ?? 'LOW');
    }
  });

  it('is respected by an append that waited for the change', async () => {
    const found = newFinding();
    const id = await issues.one(scanId, found);
    const held = await HeldTransaction.open(
      app.database,
      `UPDATE issues SET severity = 'CRITICAL', severity_set_by = 'USER', tool_severity = 'LOW',
                         status = 'FALSE_POSITIVE', status_set_by = 'USER' WHERE id = $1`,
      [id],
    );
    const appended = issues.append(scanId, [{ ...found, severity: 'HIGH' }]);
    await held.blocks(1);
    await held.commit();
    expect((await appended).status).toBe(201);
    expect(await issues.get(id)).toMatchObject({
      severity: 'CRITICAL',
      toolSeverity: 'HIGH',
      status: 'FALSE_POSITIVE',
      statusSetBy: 'USER',
    });
  });
});

describe('An issue suppressed in the code', () => {
  it('starts as IGNORED and fires no NEW_ISSUE', async () => {
    const scan = await acme.scan();
    const [ignored, open] = await issues.appended(scan.id, newFinding({ suppressed: true }), newFinding());
    expect(await issues.get(ignored?.id ?? '')).toMatchObject({
      status: 'IGNORED',
      statusSetBy: null,
      suppressed: true,
    });
    expect(ignored?.created).toBe(true);
    expect(await triggersAbout(ignored?.id ?? '')).toEqual([]);
    expect(await triggersAbout(open?.id ?? '')).toEqual(['NEW_ISSUE']);
    expect(await moves(ignored?.id ?? '', 'STATUS')).toEqual([[null, 'IGNORED', 'SYSTEM']]);
  });

  it('is IGNORED from then on, and OPEN again when it is no longer suppressed', async () => {
    const found = newFinding();
    const id = await issues.one(scanId, found);
    await findAgain(found, { suppressed: true });
    expect(await issues.get(id)).toMatchObject({ status: 'IGNORED', suppressed: true });
    await findAgain(found, { suppressed: true });
    await findAgain(found);
    expect(await issues.get(id)).toMatchObject({ status: 'OPEN', suppressed: false });
    expect(await moves(id, 'STATUS')).toEqual([
      [null, 'OPEN', 'SYSTEM'],
      ['OPEN', 'IGNORED', 'SYSTEM'],
      ['IGNORED', 'OPEN', 'SYSTEM'],
    ]);
    expect(await triggersAbout(id)).toEqual(['NEW_ISSUE', 'ISSUE_UPDATED', 'ISSUE_UPDATED']);
  });

  it.each(['MANUAL_REVIEW', 'IGNORED', 'FALSE_POSITIVE', 'RESOLVED'])(
    'leaves what a person set to %s',
    async (status) => {
      const found = newFinding();
      const id = await issues.one(scanId, found);
      await issues.patch(id, { status });
      await findAgain(found, { suppressed: true });
      expect(await issues.get(id)).toMatchObject({ status, statusSetBy: 'USER', suppressed: true });
      await findAgain(found);
      const expected = status === 'RESOLVED' ? 'OPEN' : status;
      expect(await issues.get(id)).toMatchObject({ status: expected, suppressed: false });
    },
  );

  it('stays IGNORED when a user ignored it too', async () => {
    const found = newFinding({ suppressed: true });
    const id = await issues.one(scanId, found);
    expect((await issues.patch(id, { status: 'IGNORED' })).body).toMatchObject({ statusSetBy: 'USER' });
    await findAgain(found, { suppressed: false });
    expect(await issues.get(id)).toMatchObject({ status: 'IGNORED', suppressed: false });
  });

  it('stays OPEN when a user opened it, until it is suppressed anew', async () => {
    const found = newFinding({ suppressed: true });
    const id = await issues.one(scanId, found);
    await issues.patch(id, { status: 'OPEN' });
    await findAgain(found);
    expect(await issues.get(id)).toMatchObject({ status: 'OPEN', statusSetBy: 'USER', suppressed: true });
    await findAgain(found, { suppressed: false });
    await findAgain(found);
    expect(await issues.get(id)).toMatchObject({ status: 'IGNORED', statusSetBy: null, suppressed: true });
  });

  it('is open when the same scan also finds it unsuppressed', async () => {
    const found = newFinding();
    const scan = await acme.scan();
    const [once] = await issues.appended(scan.id, { ...found, suppressed: true }, found);
    expect(await issues.get(once?.id ?? '')).toMatchObject({ status: 'OPEN', suppressed: false });
    await issues.append(scan.id, [{ ...found, suppressed: true }]);
    expect(await issues.get(once?.id ?? '')).toMatchObject({ status: 'OPEN', suppressed: false });
  });

  it('follows reports: suppressed, unsuppressed and suppressed again', async () => {
    const imports = new Imports(app.api, acme.token);
    const report = (suppressed: boolean) =>
      sarifLog([sarifResult('noisy', 'src/noisy.ts', suppressed ? { suppressions: [{ kind: 'inSource' }] } : {})]);
    const { scan, created } = await imports.import(report(true));
    const path = `/api/v1/issues?scanIds=${scan.id}`;
    const { body } = await app.api.get<{ data: { id: string }[] }>(path, { token: acme.token });
    const id = body.data[0]?.id ?? '';
    expect([created, (await issues.get(id)).status, await triggersAbout(id)]).toEqual([1, 'IGNORED', []]);
    for (const [suppressed, status] of [
      [false, 'OPEN'],
      [true, 'IGNORED'],
    ] as const) {
      await imports.import(report(suppressed));
      expect(await issues.get(id)).toMatchObject({ status, suppressed });
    }
  });
});

describe('The context of an issue', () => {
  it('is that of the newest scan; activities keep the older ones', async () => {
    const found = newFinding({ context: 'first' });
    const id = await issues.one(scanId, found);
    for (const context of ['second', 'second', '', 'third']) await findAgain(found, { context });
    expect(await issues.get(id)).toMatchObject({ context: 'third' });
    expect(await moves(id, 'CONTEXT')).toEqual([
      ['first', null, 'SYSTEM'],
      ['second', null, 'SYSTEM'],
    ]);
    expect(await triggersAbout(id)).toEqual(['NEW_ISSUE']);
  });

  it('is filled in when empty, without an activity', async () => {
    const found = newFinding();
    const id = await issues.one(scanId, found);
    await findAgain(found, { context: 'now known' });
    expect(await issues.get(id)).toMatchObject({ context: 'now known' });
    expect(await moves(id, 'CONTEXT')).toEqual([]);
  });

  it('is kept of the last twenty scans that changed it, cut to 10,000 characters each', async () => {
    const found = newFinding();
    const context = (n: number) => `${n} ${'x'.repeat(20_000)}`;
    const id = await issues.one(scanId, { ...found, context: context(0) });
    await issues.patch(id, { comment: 'stays' });
    for (let n = 1; n <= 25; n++) await issues.append(scanId, [{ ...found, context: context(n) }]);
    const kept = (await issues.activities(id)).filter(({ kind }) => kind === 'CONTEXT');
    expect(kept.map(({ from }) => Number(from?.split(' ')[0]))).toEqual(Array.from({ length: 20 }, (_, at) => at + 5));
    expect(kept.map(({ from }) => from?.length)).toEqual(Array(20).fill(10_000));
    expect((await issues.activities(id)).map(({ kind }) => kind).slice(0, 2)).toEqual(['STATUS', 'COMMENT']);
  });
});
