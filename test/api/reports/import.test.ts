import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { ImportResult } from '../../../src/scanning/reports/reports.shapes.js';
import type { Issue } from '../../../src/scanning/issues/issues.shapes.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports, nucleiLine, sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { listenTo, watchTriggers } from '../../support/workflow-triggers.js';

// Many imports, on a machine that may be busy.
jest.setTimeout(120_000);

let shop: TestApp;
let organization: InsertedOrganization;
let imports: Imports;
let firedIn: Awaited<ReturnType<typeof watchTriggers>>;
beforeAll(async () => {
  shop = await startTestApp();
  firedIn = await watchTriggers(shop);
});
afterAll(() => shop.close());
beforeEach(async () => {
  organization = await insertOrganization(shop);
  imports = new Imports(shop.api, organization.member.token);
});

interface EventRow {
  title: string;
  description: string;
  level: string;
  stage: string;
  asset_ids: string[];
  issue_ids: string[];
  attachments: { type: string; snippet?: object; exchange?: object }[];
}

function eventsOf(scanId: string): Promise<EventRow[]> {
  return shop.database.rows<EventRow>('SELECT * FROM scan_events WHERE scan_id = $1 ORDER BY created_at, id', [scanId]);
}

async function issues(query = ''): Promise<Omit<Issue, 'targets'>[]> {
  const { body } = await shop.api.get<{ data: Issue[] }>(`/api/v1/issues?size=100${query}`, {
    token: organization.viewer.token,
  });
  return body.data;
}

async function issueNamed(name: string): Promise<Issue> {
  const issue = (await issues()).find((one) => one.name === name);
  if (!issue) throw new Error(`There is no issue ${name}`);
  return (await shop.api.get<Issue>(`/api/v1/issues/${issue.id}`, { token: organization.viewer.token })).body;
}

describe('POST /api/v1/scans/import of SARIF', () => {
  it('makes a finished scan and says what it came to', async () => {
    const result = await imports.import(sarifLog([sarifResult('R1'), sarifResult('R2'), 5 as unknown as object]));
    expect(result).toMatchObject({
      findings: 3,
      created: 2,
      seen: 0,
      targets: 2,
      events: 4,
      skipped: [{ index: 2, reason: 'The result is no object' }],
      skippedCount: 1,
      cut: [],
      cutCount: 0,
      scan: {
        status: 'FINISHED',
        kind: 'ASM_CODE_PROJECT',
        progressRatio: 1,
        application: { name: 'Lint', type: 'REST', scannerKind: 'ASM_CODE_PROJECT' },
      },
    });
    expect(result.scan.finishedAt).not.toBeNull();
    const { body } = await shop.api.get(`/api/v1/scans/${result.scan.id}`, { token: organization.viewer.token });
    expect(body).toEqual(result.scan);
  });

  it('makes issues of its results', async () => {
    const { scan } = await imports.import(sarifLog([sarifResult('R1')]));
    const issue = await issueNamed('R1');
    expect(issue).toMatchObject({
      fullName: 'R1 (high risk)',
      severity: 'HIGH',
      category: 'CUSTOM',
      status: 'OPEN',
      securityTestUid: 'R1',
      asset: {
        name: 'https://code.example/acme/shop',
        type: 'CODE_PROJECT',
        class: 'CODE_PROJECT',
        uri: 'asset://code-project/code.example/acme/shop',
      },
      targets: [{ targetUid: 'src/a.ts', scanId: scan.id, codeFile: { language: 'typescript', path: 'src/a.ts' } }],
    });
    expect(issue.context).toContain('Broken by R1');
  });

  it('keeps suppressed results as ignored issues', async () => {
    await imports.import(
      sarifLog([sarifResult('R1', 'a.c', { suppressions: [{ kind: 'inSource' }] }), sarifResult('R2')]),
    );
    expect((await issues()).map(({ name, status }) => `${name} ${status}`).sort()).toEqual(['R1 IGNORED', 'R2 OPEN']);
  });

  it('tells start, findings with their code, and end, in this order', async () => {
    const { scan } = await imports.import(sarifLog([sarifResult('R1'), sarifResult('R2')]));
    const events = await eventsOf(scan.id);
    const found = await issueNamed('R1');
    expect(events.map(({ title, level, stage }) => [title, level, stage])).toEqual([
      ['Import of a report of Lint', 'INFO', 'CONFIGURATION'],
      ['R1 in src/a.ts:3', 'INFO', 'EXECUTION'],
      ['R2 in src/a.ts:3', 'INFO', 'EXECUTION'],
      ['The report of Lint is imported', 'INFO', 'EXECUTION'],
    ]);
    expect(events[1]).toMatchObject({
      asset_ids: [found.assetId],
      issue_ids: [found.id],
      attachments: [{ type: 'SNIPPET', snippet: { content: 'eval(x)' } }],
    });
  });

  it('warns at the end where findings were skipped', async () => {
    const { scan } = await imports.import(sarifLog([sarifResult('R1'), {}]));
    expect((await eventsOf(scan.id)).at(-1)).toMatchObject({
      level: 'WARNING',
      description: '1 findings are new, 0 were known, and nothing was made of 1.',
    });
  });

  it('takes a report without findings', async () => {
    expect(await imports.import(sarifLog([]))).toMatchObject({
      findings: 0,
      created: 0,
      seen: 0,
      targets: 0,
      events: 2,
      skipped: [],
    });
  });
});

describe('POST /api/v1/scans/import of ZAP and Nuclei', () => {
  it('makes issues of alerts, joining an alert that repeats', async () => {
    const pages = (...names: string[]) => ({
      instances: names.map((name) => ({ uri: `https://shop.example/${name}`, method: 'GET' })),
    });
    const result = await imports.import(
      zapReport([zapAlert('1', pages('a', 'b')), zapAlert('2'), zapAlert('1', pages('b', 'c'))]),
    );
    expect(result).toMatchObject({
      findings: 3,
      created: 2,
      seen: 1,
      targets: 4,
      events: 3,
      scan: { kind: 'FRONTEND_DAST', application: { name: 'ZAP' } },
    });
    const { targets, asset, category } = await issueNamed('Alert 1');
    expect(targets.map(({ targetUid }) => targetUid).sort()).toEqual(
      ['a', 'b', 'c'].map((page) => `https://shop.example/${page}`),
    );
    expect([asset.uri, category]).toEqual(['asset://frontend/shop.example', 'INJECTION']);
  });

  it('makes issues of lines, and events with exchanges', async () => {
    const request = 'GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n';
    const text = [
      nucleiLine('t1', { request, response: 'HTTP/1.1 200 OK\r\n\r\nhi' }),
      'broken',
      '',
      nucleiLine('t2', { host: '192.0.2.7', 'matched-at': '192.0.2.7' }),
    ];
    const result = await imports.import(text.join('\n'));
    expect(result).toMatchObject({
      findings: 3,
      created: 2,
      seen: 0,
      targets: 2,
      events: 2,
      skipped: [{ index: 1, reason: 'The finding is not valid JSON' }],
      scan: { kind: 'ASM_WEBAPP', application: { name: 'Nuclei' } },
    });
    expect((await eventsOf(result.scan.id))[0]?.attachments).toMatchObject([
      { type: 'EXCHANGE', exchange: { response: { status: 200 } } },
    ]);
    expect((await issueNamed('t2')).asset).toMatchObject({
      class: 'HOST',
      type: 'IPV4',
      host: { address: '192.0.2.7' },
    });
  });
});

describe('POST /api/v1/scans/import again', () => {
  const report = sarifLog([sarifResult('R1'), sarifResult('R2'), sarifResult('R2')]);

  it('makes a scan of the same profile and no new issue', async () => {
    const first = await imports.import(report);
    const second = await imports.import(report);
    expect([first.created, first.seen, second.created, second.seen]).toEqual([3, 0, 0, 3]);
    expect(second.scan.id).not.toBe(first.scan.id);
    expect(second.scan.applicationId).toBe(first.scan.applicationId);
    expect((await issues()).length).toBe(3);
    expect((await issues(`&scanIds=${second.scan.id}`)).length).toBe(3);
  });

  it('gives known issues the targets of the newest report', async () => {
    await imports.import(zapReport([zapAlert('1')]));
    const again = zapAlert('1', { instances: [{ uri: 'https://shop.example/other', method: 'GET' }] });
    expect(await imports.import(zapReport([again]))).toMatchObject({ created: 0, seen: 1, targets: 1 });
    const { targets } = await issueNamed('Alert 1');
    expect(targets.map(({ webPage }) => webPage?.url)).toEqual(['https://shop.example/other']);
  });

  it('opens what was resolved, and leaves what is ignored', async () => {
    await imports.import(report);
    const [one, two] = await issues();
    const token = organization.member.token;
    await shop.api.patch(`/api/v1/issues/${one?.id}`, { token, json: { status: 'RESOLVED' } });
    await shop.api.patch(`/api/v1/issues/${two?.id}`, { token, json: { status: 'FALSE_POSITIVE' } });
    await imports.import(report);
    const statusOf = new Map((await issues()).map(({ id, status }) => [id, status]));
    expect([statusOf.get(one?.id ?? ''), statusOf.get(two?.id ?? '')]).toEqual(['OPEN', 'FALSE_POSITIVE']);
  });

  it('tells issues of the same findings on other assets apart', async () => {
    await imports.import(zapReport([zapAlert('1')]));
    expect(await imports.import(zapReport([zapAlert('1')], 'https://other.example'))).toMatchObject({
      created: 1,
      seen: 0,
    });
  });
});

describe('POST /api/v1/scans/import: profile and kind', () => {
  it('takes the profile and the kind that are named', async () => {
    const json = { name: 'Shop', scannerKind: 'BLST_REST', type: 'GRAPHQL' };
    const { body } = await shop.api.post<{ id: string }>('/api/v1/profiles', {
      token: organization.member.token,
      json,
    });
    const { scan } = await imports.import(sarifLog([]), `?profileId=${body.id}&kind=ASM_PACKAGE&format=sarif`);
    expect(scan).toMatchObject({
      applicationId: body.id,
      kind: 'ASM_PACKAGE',
      application: { name: 'Shop', type: 'GRAPHQL' },
    });
  });

  it('finds the oldest profile of the tool’s name', async () => {
    const json = { name: 'Lint', scannerKind: 'BLST_REST', type: 'GRPC' };
    const { body } = await shop.api.post<{ id: string }>('/api/v1/profiles', {
      token: organization.member.token,
      json,
    });
    expect((await imports.import(sarifLog([]))).scan.applicationId).toBe(body.id);
  });

  it('gives the profile that it makes the kind that is named', async () => {
    const { scan } = await imports.import(sarifLog([]), '?kind=ASM_PACKAGE');
    expect(scan.application).toMatchObject({ name: 'Lint', scannerKind: 'ASM_PACKAGE', type: 'REST' });
  });

  it('shortens the name of a tool that is longer than a profile’s', async () => {
    const { scan } = await imports.import(sarifLog([], { tool: { driver: { name: 'x'.repeat(500) } } }));
    expect(scan.application.name.length).toBe(200);
  });
});

describe('POST /api/v1/scans/import: triggers', () => {
  const all = ['ASSET_FOUND', 'NEW_ISSUE', 'ISSUE_UPDATED', 'SCAN_STARTED', 'SCAN_COMPLETED'] as const;

  it('fires each once for the whole report', async () => {
    await listenTo(shop, organization.id, ...all);
    const lines = Array.from({ length: 2_500 }, (_, at) =>
      nucleiLine(`t${at}`, { 'matched-at': `https://h${at % 3}.example/x` }),
    );
    const { scan } = await imports.import(lines.join('\n'));
    const fired = await firedIn(organization.id);
    expect(fired.map(({ type, subjects }) => `${type} ${subjects.length}`).sort()).toEqual([
      'ASSET_FOUND 3',
      'NEW_ISSUE 2500',
      'SCAN_COMPLETED 1',
    ]);
    expect(fired.find(({ type }) => type === 'SCAN_COMPLETED')?.subjects).toEqual([scan.id]);
  });

  it('fires nothing but the end of the scan where nothing is new', async () => {
    await imports.import(sarifLog([sarifResult('R1')]));
    await listenTo(shop, organization.id, ...all);
    await imports.import(sarifLog([sarifResult('R1')]));
    expect((await firedIn(organization.id)).map(({ type }) => type)).toEqual(['SCAN_COMPLETED']);
  });

  it('fires ISSUE_UPDATED for what has another severity now', async () => {
    await imports.import(sarifLog([sarifResult('R1'), sarifResult('R2')]));
    await listenTo(shop, organization.id, ...all);
    await imports.import(sarifLog([sarifResult('R1'), sarifResult('R2', 'src/a.ts', { level: 'note' })]));
    const changed = await issueNamed('R2');
    expect(changed.severity).toBe('LOW');
    expect(await firedIn(organization.id)).toContainEqual({ type: 'ISSUE_UPDATED', subjects: [changed.id] });
  });
});

describe('POST /api/v1/scans/import: numbers', () => {
  const result = fc.oneof(
    fc.record({ ruleId: fc.constantFrom('A', 'B'), message: fc.record({ text: fc.constantFrom('m', 'n') }) }),
    fc.constant({}),
    fc.constant({ kind: 'pass', ruleId: 'A' }),
  );
  const alert = fc.oneof(
    fc.record({
      pluginid: fc.constantFrom('1', '2'),
      name: fc.constantFrom('a', 'b'),
      riskcode: fc.constantFrom('1', '3'),
    }),
    fc.constant({}),
  );
  const line = fc.oneof(
    fc.constantFrom('A', 'B', 'C').map((template) => nucleiLine(template)),
    fc.constantFrom('{', '{}', '[]', 'x'),
    fc.constant(nucleiLine('A', { 'matcher-status': false })),
  );
  const lines = fc.array(line, { minLength: 1, maxLength: 12 });
  const report = fc.oneof(
    fc
      .array(result, { maxLength: 12 })
      .map((results) => ({ holds: results.length, text: JSON.stringify(sarifLog(results)) })),
    fc
      .array(alert, { maxLength: 12 })
      .map((alerts) => ({ holds: alerts.length, text: JSON.stringify(zapReport(alerts)) })),
    lines.map((all) => ({ holds: all.length + 1, text: [nucleiLine('first'), ...all].join('\n') })),
  );

  function demandSums({ findings, created, seen, skipped }: ImportResult, holds: number): void {
    expect(findings).toBe(holds);
    expect(created + seen + skipped.length).toBe(findings);
    expect(
      skipped.every(({ index }, at) => (index ?? -1) < holds && (index ?? -1) > (skipped[at - 1]?.index ?? -1)),
    ).toBe(true);
  }

  it('add up, for every report, and for the same report again', async () => {
    await fc.assert(
      fc.asyncProperty(report, async ({ holds, text }) => {
        const before = (await issues()).length;
        const first = await imports.import(text);
        demandSums(first, holds);
        expect((await issues()).length).toBe(before + first.created);
        const second = await imports.import(text);
        demandSums(second, holds);
        expect([second.created, second.seen, second.skipped]).toEqual([0, first.created + first.seen, first.skipped]);
        expect([first.targets, first.events]).toEqual([second.targets, second.events]);
      }),
      { numRuns: 40 },
    );
  });
});
