import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { ScanIssueGroup, ScanIssues } from '../../../src/scanning/reports/scan-issues.dto.js';
import { comparedIssues } from '../../../src/scanning/reports/scan-issues.statements.js';
import { scansOf } from '../../support/explain.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let issues: IssueCalls;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  issues = new IssueCalls(app, acme.token);
});
afterAll(() => app.close());

async function issuesOf(scanId: string): Promise<ScanIssues> {
  const { token } = acme.organization.viewer;
  const { status, body } = await app.api.get<ScanIssues>(`/api/v1/scans/${scanId}/issues`, { token });
  expect([status, body]).toEqual([200, expect.any(Object)]);
  return body;
}

const named = (group: ScanIssueGroup | null) => group && group.issues.map(({ name }) => name);
/** The names of new, seen and gone issues, and the scan compared with. */
async function told(scanId: string) {
  const { previous, created, seen, gone } = await issuesOf(scanId);
  return { previous: previous?.id ?? null, created: named(created), seen: named(seen), gone: named(gone) };
}

/** A scan of this profile and these assets that found issues with these names, all of high severity. */
async function scanned(
  json: { applicationId: string; assetIds: string[]; status?: string },
  assetId: string,
  ...names: string[]
) {
  const { id } = await acme.scan({ status: 'FINISHED', ...json });
  if (names.length > 0) await issues.appended(id, ...names.map((name) => finding(assetId, { name })));
  return id;
}

describe('GET /api/v1/scans/{id}/issues', () => {
  it('returns the issues new, seen again and gone since the previous scan of its profile and assets', async () => {
    const [asset, other] = [(await acme.asset()).id, (await acme.asset()).id];
    const applicationId = (await acme.profile()).id;
    const same = { applicationId, assetIds: [asset] };
    const first = await scanned(same, asset, 'stays', 'goes', 'returns');
    // The next scan is compared with none of these.
    await scanned({ ...same, assetIds: [other] }, other, 'of another asset');
    await scanned({ ...same, status: 'FAILED' }, asset, 'of a failed scan');
    await scanned({ ...same, applicationId: (await acme.profile()).id }, asset, 'of another profile');
    const otherKind = await acme.scan({ ...same, kind: 'BLST_REST', status: 'FINISHED' });
    await issues.appended(otherKind.id, finding(asset, { name: 'of another kind' }));
    const second = await scanned(same, asset, 'stays', 'new');
    const third = await scanned(same, asset, 'new', 'returns', 'stays');
    const running = await acme.scan({ ...same, status: 'RUNNING' });
    await issues.appended(running.id, finding(asset, { name: 'stays' }));
    expect(await told(first)).toEqual({ previous: null, created: ['goes', 'returns', 'stays'], seen: [], gone: [] });
    expect(await told(second)).toEqual({
      previous: first,
      created: ['new'],
      seen: ['stays'],
      gone: ['goes', 'returns'],
    });
    expect(await told(third)).toEqual({ previous: second, created: [], seen: ['new', 'returns', 'stays'], gone: [] });
    expect(await told(running.id)).toEqual({ previous: third, created: [], seen: ['stays'], gone: null });
  });

  it('does not count issues on assets that it did not scan as gone', async () => {
    const [asset, other] = [(await acme.asset()).id, (await acme.asset()).id];
    const applicationId = (await acme.profile()).id;
    const both = await scanned({ applicationId, assetIds: [asset, other] }, asset, 'here');
    await issues.appended(both, finding(other, { name: 'there' }));
    const one = await scanned({ applicationId, assetIds: [asset] }, asset);
    expect(await told(one)).toEqual({ previous: both, created: [], seen: [], gone: ['here'] });
  });

  it('counts as seen what an earlier scan found first, though this one had begun', async () => {
    const asset = (await acme.asset()).id;
    const same = { applicationId: (await acme.profile()).id, assetIds: [asset] };
    const [earlier, later] = [await scanned(same, asset), await scanned(same, asset)];
    for (const scan of [earlier, later]) await issues.appended(scan, finding(asset, { name: 'of both' }));
    expect(await told(later)).toEqual({ previous: earlier, created: [], seen: ['of both'], gone: [] });
  });

  it('compares a scan of no asset with the one before it, and all of their issues', async () => {
    const asset = (await acme.asset()).id;
    const ofNone = { applicationId: (await acme.profile()).id, assetIds: [] };
    const first = await scanned(ofNone, asset, 'stays', 'goes');
    await scanned({ ...ofNone, assetIds: [asset] }, asset, 'of an asset');
    const second = await scanned(ofNone, asset, 'stays');
    expect(await told(second)).toEqual({ previous: first, created: [], seen: ['stays'], gone: ['goes'] });
  });

  it('counts all by severity and lists the hundred most severe, as they are now', async () => {
    const asset = await acme.asset();
    const applicationId = (await acme.profile()).id;
    const scan = await scanned({ applicationId, assetIds: [asset.id] }, asset.id);
    const low = Array.from({ length: 101 }, (_, n) => finding(asset.id, { name: `low ${n}`, severity: 'LOW' }));
    await issues.appended(scan, ...low, finding(asset.id, { name: 'worst', severity: 'CRITICAL' }));
    const { created } = await issuesOf(scan);
    expect(created).toMatchObject({ total: 102, bySeverity: { CRITICAL: 1, HIGH: 0, MEDIUM: 0, LOW: 101, INFO: 0 } });
    expect(created.issues).toHaveLength(100);
    const [worst] = created.issues;
    expect(worst).toEqual({
      id: worst?.id,
      name: 'worst',
      place: null,
      severity: 'CRITICAL',
      status: 'OPEN',
      assetName: asset.name,
    });
    await issues.patch(worst?.id ?? '', { status: 'RESOLVED' });
    expect((await issuesOf(scan)).created.issues[0]).toMatchObject({ name: 'worst', status: 'RESOLVED' });
  });

  it('compares reports of one tool and branch, as the gate of an import does', async () => {
    const imports = new Imports(app.api, acme.token);
    const imported = async (query: string, ...rules: string[]) => {
      const { status, body } = await imports.send(
        JSON.stringify(sarifLog(rules.map((rule) => sarifResult(rule)))),
        query,
      );
      expect(status).toBe(201);
      return body;
    };
    const main = await imported('?branch=main', 'a', 'b', 'c');
    const branch = await imported('?branch=fix', 'a', 'b', 'd');
    const again = await imported('?branch=fix', 'a');
    const next = await imported('?branch=main', 'b');
    const count = async (scanId: string) => {
      const { previous, created, seen, gone } = await issuesOf(scanId);
      return [previous?.id ?? null, created.total, seen.total, gone?.total];
    };
    expect(await count(branch.scan.id)).toEqual([null, 1, 2, 0]);
    // The main branch still has b: fixed here alone, it is not gone.
    expect(await count(again.scan.id)).toEqual([branch.scan.id, 0, 1, 1]);
    expect(again.bySeverity.gone.HIGH).toBe(1);
    expect(await count(next.scan.id)).toEqual([main.scan.id, 0, 1, 2]);
    expect(next.bySeverity.gone.HIGH).toBe(2);
    const partial = await imports.import(sarifLog([sarifResult('b'), 7 as never]), '?branch=main');
    expect(partial.goneUnknown).not.toBeNull();
    expect((await issuesOf(partial.scan.id)).gone).toBeNull();
  });

  it('calls gone what no other report of its asset had by then; for a default branch, none of that branch', async () => {
    const organization = await insertOrganization(app);
    const imports = new Imports(app.api, organization.member.token);
    const imported = async (query: string, names: string[], run: object = {}) => {
      const results = names.map((name) => sarifResult(name));
      return (await imports.import(sarifLog(results, run), query)).scan.id;
    };
    const gone = async (scanId: string) => {
      const { token } = organization.viewer;
      const { body } = await app.api.get<ScanIssues>(`/api/v1/scans/${scanId}/issues`, { token });
      return named(body.gone);
    };
    const front = (branch: string) => `?branch=${branch}&defaultBranch=main&category=front`;
    const back = (branch: string) => `?branch=${branch}&defaultBranch=main&category=back`;
    const elsewhere = { versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/other' }] };
    const other = { tool: { driver: { name: 'Other' } } };
    const all = ['of back', 'of fix', 'of other', 'own'];
    for (const branch of ['main', 'fix']) await imported(front(branch), all);
    await imported(back('main'), ['of back', 'own']);
    await imported(back('main'), ['of back']);
    await imported(back('main'), [], elsewhere);
    await imported(back('fix'), ['of fix']);
    await imported('?branch=main', ['of other'], other);
    await imported(back('main'), [], { results: [7] });
    const ofMain = await imported(front('main'), []);
    expect(await gone(ofMain)).toEqual(['of fix', 'own']);
    // Nothing that comes later changes it.
    await imported(back('main'), []);
    await imported(front('main'), ['own']);
    expect(await gone(ofMain)).toEqual(['of fix', 'own']);
    await imported('?branch=fix&defaultBranch=fix', [], elsewhere);
    expect(await gone(await imported(front('fix'), []))).toEqual(['of back']);
    for (const branch of ['main', 'fix']) await imported(back(branch), []);
    await imported('?branch=main', [], other);
    await imported(front('main'), []);
    await imported(front('fix'), all);
    expect(await gone(await imported(front('fix'), []))).toEqual(all);
  });

  it('reads by indexes, and responds with 404 to strangers', async () => {
    const asset = await acme.asset();
    const scan = await scanned({ applicationId: (await acme.profile()).id, assetIds: [asset.id] }, asset.id, 'one');
    await app.database.rows(
      `WITH filled AS (
         INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                             security_test_uid, identity)
         SELECT gen_random_uuid(), $1, $2, 'n', 'n', 'HIGH', 'INJECTION', 'OPEN', 'a', 's', 'filled ' || n
           FROM generate_series(1, 10000) AS n RETURNING id)
       INSERT INTO issue_scans (issue_id, scan_id) SELECT id, $3 FROM filled`,
      [acme.organization.id, asset.id, (await acme.scan()).id],
    );
    await app.database.rows('VACUUM ANALYZE issues, issue_scans');
    const scans = await scansOf(app.database, comparedIssues.text, [acme.organization.id, scan, 100]);
    expect(scans.filter((one) => /^Seq Scan of (issues|issue_scans)$/.test(one))).toEqual([]);
    const stranger = await insertOrganization(app);
    const get = (id: string, token: string) => app.api.get(`/api/v1/scans/${id}/issues`, { token });
    expect((await get(scan, stranger.member.token)).status).toBe(404);
    expect((await get(uuidV7(), acme.token)).status).toBe(404);
  });
});
