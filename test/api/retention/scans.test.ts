import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadSettings } from '../../../src/config/settings.js';
import { JobRunner } from '../../../src/platform/jobs/job-runner.js';
import { IssueRetentionRepository } from '../../../src/scanning/issues/issue-retention.repository.js';
import { IssueRetention } from '../../../src/scanning/issues/issue-retention.js';
import type { ScanIssues } from '../../../src/scanning/reports/scan-issues.dto.js';
import { ScanRetentionRepository } from '../../../src/scanning/scans/scan-retention.repository.js';
import { ScanRetention } from '../../../src/scanning/scans/scan-retention.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { FoundIssues, Imports, sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { reportOf } from '../reports/import-scene.js';

let app: TestApp;
let other: NestExpressApplication;
let organization: InsertedOrganization;
let imports: Imports;
let issues: FoundIssues;
beforeAll(async () => {
  app = await startTestApp({ env: { SCAN_RETENTION_DAYS: '30' } });
  ({ nest: other } = await app.anotherNode());
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await insertOrganization(app);
  imports = new Imports(app.api, organization.member.token);
  issues = new FoundIssues(app.api, organization.viewer.token);
});

const main = '?branch=main&resolveGone=true';
const sql = (text: string, values: unknown[] = []) => app.database.rows(text, values);

/** Makes all that the organization has older by so many days. */
async function pass(days: number): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - $2 * interval '1 day'`;
  const times = ['created_at', 'updated_at'].map(earlier).join(', ');
  await sql(`UPDATE scans SET ${times}, ${earlier('finished_at')} WHERE organization_id = $1`, [organization.id, days]);
  await sql(`UPDATE issues SET ${times} WHERE organization_id = $1`, [organization.id, days]);
}

const sweepIssues = (node = app.nest) => node.get(IssueRetention, { strict: false }).removeOld();
const sweepScans = (node = app.nest) => node.get(ScanRetention, { strict: false }).removeOld();

/** Runs the tasks of a day on both nodes at once. */
async function sweep(): Promise<void> {
  await Promise.all([sweepIssues(), sweepIssues(other)]);
  await Promise.all([sweepScans(), sweepScans(other)]);
}

async function statuses(): Promise<Record<string, string>> {
  return Object.fromEntries((await issues.list()).map(({ name, status }) => [name, status]));
}

async function scanIds(): Promise<string[]> {
  const rows = await sql('SELECT id FROM scans WHERE organization_id = $1 ORDER BY id', [organization.id]);
  return rows.map(({ id }) => String(id));
}

describe('A resolved issue', () => {
  it('goes with its history when it has been resolved for as long as is set', async () => {
    await imports.import(reportOf('fixed', 'left'), main);
    await imports.import(reportOf('left'), main);
    const { id } = await issues.named('fixed');
    await pass(29);
    await sweep();
    expect(await statuses()).toEqual({ fixed: 'RESOLVED', left: 'OPEN' });
    await pass(2);
    await sweep();
    expect(await statuses()).toEqual({ left: 'OPEN' });
    for (const table of ['issue_scans', 'issue_targets', 'issue_activities', 'issue_details'])
      expect(await sql(`SELECT FROM ${table} WHERE issue_id = $1`, [id])).toEqual([]);
  });

  it('is a new issue if its finding comes back', async () => {
    await imports.import(reportOf('back'), main);
    await imports.import(reportOf(), main);
    await pass(31);
    await sweep();
    const again = await imports.import(reportOf('back'), main);
    expect(again.issues.map(({ name, outcome }) => [name, outcome])).toEqual([['back', 'CREATED']]);
  });

  it.each([
    ['a person set its severity', `severity_set_by = 'USER'`],
    ['it was set aside', `set_aside = 'IGNORED'`],
  ])('stays where %s before', async (_, judged) => {
    await imports.import(reportOf('judged'), main);
    await sql(`UPDATE issues SET ${judged} WHERE organization_id = $1`, [organization.id]);
    await imports.import(reportOf(), main);
    await sql(`UPDATE issues SET status = 'RESOLVED' WHERE organization_id = $1`, [organization.id]);
    await pass(400);
    await sweep();
    expect(await statuses()).toEqual({ judged: 'RESOLVED' });
  });
});

describe('An issue that is not resolved', () => {
  it.each(['OPEN', 'MANUAL_REVIEW', 'IGNORED', 'FALSE_POSITIVE'])('stays while it is %s', async (status) => {
    await imports.import(reportOf('kept'), main);
    await sql('UPDATE issues SET status = $2 WHERE organization_id = $1', [organization.id, status]);
    await pass(400);
    await sweep();
    expect(await statuses()).toEqual({ kept: status });
    expect(await scanIds()).toHaveLength(1);
  });
});

describe('A scan', () => {
  it('goes when nothing needs it and it ended longer ago than is set', async () => {
    for (let at = 0; at < 4; at += 1) await imports.import(reportOf('stays'), main);
    const [, , , newest] = await scanIds();
    await pass(29);
    await sweep();
    expect(await scanIds()).toHaveLength(4);
    await pass(2);
    await sweep();
    expect(await scanIds()).toEqual([newest]);
    const found = await app.api.get<ScanIssues>(`/api/v1/scans/${newest}/issues`, { token: organization.viewer.token });
    expect([found.body.created.total, found.body.seen.total]).toEqual([0, 1]);
  });

  it('stays while it is the newest whole report of its scope, and the next report still sees what is gone', async () => {
    await imports.import(reportOf('gone', 'stays'), `${main}&category=front`);
    await imports.import(reportOf('elsewhere'), `${main}&category=back`);
    await imports.import(zapReport([zapAlert('1')]));
    await pass(400);
    await sweep();
    expect(await scanIds()).toHaveLength(3);
    await sql('UPDATE issues SET scan_id = NULL WHERE organization_id = $1', [organization.id]);
    await sql(
      'UPDATE issue_targets t SET scan_id = NULL FROM issues i WHERE i.id = issue_id AND organization_id = $1',
      [organization.id],
    );
    await sweep();
    expect(await scanIds()).toHaveLength(3);
    expect(await imports.import(reportOf('stays'), `${main}&category=front`)).toMatchObject({ created: 0, seen: 1 });
  });

  it('stays while an open issue names it, although its report was of a part', async () => {
    await imports.import(reportOf('whole'), main);
    await imports.import(sarifLog([sarifResult('part'), 7 as never]), '?branch=main');
    await imports.import(reportOf('whole'), main);
    await pass(31);
    await sweep();
    const rest = await scanIds();
    const named = await sql('SELECT DISTINCT scan_id AS id FROM issues WHERE organization_id = $1 ORDER BY 1', [
      organization.id,
    ]);
    expect(rest).toEqual(named.map(({ id }) => id));
  });

  it('stays while it runs', async () => {
    await imports.import(reportOf(), main);
    await imports.import(reportOf(), main);
    await sql(`UPDATE scans SET status = 'RUNNING' WHERE organization_id = $1`, [organization.id]);
    await pass(400);
    await sweep();
    expect(await scanIds()).toHaveLength(2);
  });

  it('of an older asset stays, where the newest report is of another one', async () => {
    const at = (name: string) => `?branch=main&resolveGone=true&asset=https://code.example/${name}`;
    const report = sarifLog([sarifResult('one')]);
    await imports.import(report, at('a'));
    await imports.import(report, at('b'));
    await sql('UPDATE issues SET scan_id = NULL WHERE organization_id = $1', [organization.id]);
    await sql(
      'UPDATE issue_targets t SET scan_id = NULL FROM issues i WHERE i.id = issue_id AND organization_id = $1',
      [organization.id],
    );
    await pass(400);
    await sweep();
    expect(await scanIds()).toHaveLength(2);
  });
});

describe('An import at the same moment', () => {
  it('loses no finding to the retention', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `finding ${at}`);
    for (let round = 0; round < 8; round += 1) {
      await imports.import(reportOf(...names), main);
      await imports.import(reportOf(), main);
      await pass(31);
      const [found] = await Promise.all([imports.import(reportOf(...names), main), sweepIssues(), sweepIssues(other)]);
      expect(found.findings).toBe(20);
      expect(Object.values(await statuses())).toEqual(names.map(() => 'OPEN'));
    }
  });

  it('makes an issue anew that is removed before it follows it', async () => {
    await imports.import(reportOf('lost'), main);
    await imports.import(reportOf(), main);
    const { id } = await issues.named('lost');
    const held = await HeldTransaction.open(app.database, 'SELECT FROM issues WHERE id = $1 FOR UPDATE', [id]);
    const importing = imports.import(reportOf('lost', 'another'), main);
    await held.blocks(1);
    await held.query('DELETE FROM issues WHERE id = $1', [id]);
    await held.commit();
    expect((await importing).created).toBe(2);
    expect(await statuses()).toEqual({ lost: 'OPEN', another: 'OPEN' });
  });
});

describe('Without SCAN_RETENTION_DAYS', () => {
  it('all scans and issues stay', async () => {
    await imports.import(reportOf('fixed'), main);
    await imports.import(reportOf(), main);
    await imports.import(reportOf(), main);
    await pass(9_000);
    const get = <T>(type: Type<T>): T => app.nest.get(type, { strict: false });
    const given = [get(JobRunner), loadSettings({})] as const;
    await new IssueRetention(get(IssueRetentionRepository), ...given).removeOld();
    await new ScanRetention(get(ScanRetentionRepository), ...given).removeOld();
    expect(await statuses()).toEqual({ fixed: 'RESOLVED' });
    expect(await scanIds()).toHaveLength(3);
  });
});
