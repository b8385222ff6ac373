import { describe, expect, it } from '@jest/globals';
import { nucleiLine, sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { importScene } from './import-scene.js';

const scene = importScene();

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
  return scene.app.database.rows<EventRow>('SELECT * FROM scan_events WHERE scan_id = $1 ORDER BY created_at, id', [
    scanId,
  ]);
}

describe('POST /api/v1/scans/import of SARIF', () => {
  it('creates a finished scan and returns the counts', async () => {
    const result = await scene.imports.import(sarifLog([sarifResult('R1'), sarifResult('R2'), 5 as unknown as object]));
    expect(result).toMatchObject({
      findings: 3,
      created: 2,
      seen: 0,
      targets: 2,
      events: 4,
      skipped: [{ index: 2, reason: 'The result is not an object' }],
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
    const { body } = await scene.app.api.get(`/api/v1/scans/${result.scan.id}`, {
      token: scene.organization.viewer.token,
    });
    expect(body).toEqual(result.scan);
  });

  it('creates issues for its results', async () => {
    const { scan } = await scene.imports.import(sarifLog([sarifResult('R1')]));
    const issue = await scene.issues.named('R1');
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
      targets: [
        { targetUid: 'src/a.ts', scanId: scan.id, codeFile: { language: 'typescript', path: 'src/a.ts', line: 3 } },
      ],
    });
    expect(issue.context).toContain('Broken by R1');
  });

  it('keeps suppressed results as ignored issues', async () => {
    await scene.imports.import(
      sarifLog([sarifResult('R1', 'a.c', { suppressions: [{ kind: 'inSource' }] }), sarifResult('R2')]),
    );
    expect((await scene.issues.list()).map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'R1 IGNORED',
      'R2 OPEN',
    ]);
  });

  it('writes events for the start, the findings with their code, and the end, in this order', async () => {
    const { scan } = await scene.imports.import(sarifLog([sarifResult('R1'), sarifResult('R2')]));
    const events = await eventsOf(scan.id);
    const found = await scene.issues.named('R1');
    expect(events.map(({ title, level, stage }) => [title, level, stage])).toEqual([
      ['Import of a report of Lint', 'INFO', 'CONFIGURATION'],
      ['R1 in src/a.ts:3', 'INFO', 'EXECUTION'],
      ['R2 in src/a.ts:3', 'INFO', 'EXECUTION'],
      ['The report of Lint was imported', 'INFO', 'EXECUTION'],
    ]);
    expect(events[1]).toMatchObject({
      asset_ids: [found.assetId],
      issue_ids: [found.id],
      attachments: [{ type: 'SNIPPET', snippet: { content: 'eval(x)' } }],
    });
  });

  it('keeps tabs, line breaks, backslashes and quotes as they are', async () => {
    const text = 'C:\\temp\t"a"\r\n\\N \\.\nb';
    const { scan } = await scene.imports.import(sarifLog([{ ruleId: 'R\\1\t2', message: { text } }]));
    const [, event] = await eventsOf(scan.id);
    expect(event).toMatchObject({ title: 'R\\1\t2', description: text });
  });

  it('warns at the end when findings were skipped', async () => {
    const { scan } = await scene.imports.import(sarifLog([sarifResult('R1'), {}]));
    expect((await eventsOf(scan.id)).at(-1)).toMatchObject({
      level: 'WARNING',
      description: '1 findings are new, 0 were known, and 1 were skipped.',
    });
  });

  it('accepts a report without findings', async () => {
    expect(await scene.imports.import(sarifLog([]))).toMatchObject({
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
  it('creates issues for alerts, one for a repeated alert', async () => {
    const pages = (...names: string[]) => ({
      instances: names.map((name) => ({ uri: `https://shop.example/${name}`, method: 'GET' })),
    });
    const result = await scene.imports.import(
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
    const { targets, asset, category } = await scene.issues.named('Alert 1');
    expect(targets.map(({ targetUid }) => targetUid).sort()).toEqual(
      ['a', 'b', 'c'].map((page) => `https://shop.example/${page}`),
    );
    expect([asset.uri, category]).toEqual(['asset://frontend/shop.example', 'INJECTION']);
  });

  it('creates issues for lines, and events with exchanges', async () => {
    const request = 'GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n';
    const text = [
      nucleiLine('t1', { request, response: 'HTTP/1.1 200 OK\r\n\r\nhi' }),
      'broken',
      '',
      nucleiLine('t2', { host: '192.0.2.7', 'matched-at': '192.0.2.7' }),
    ];
    const result = await scene.imports.import(text.join('\n'));
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
    expect((await scene.issues.named('t2')).asset).toMatchObject({
      class: 'HOST',
      type: 'IPV4',
      host: { address: '192.0.2.7' },
    });
  });
});

describe('POST /api/v1/scans/import: profile and kind', () => {
  it('uses the profile and kind that the caller names', async () => {
    const json = { name: 'Shop', scannerKind: 'BLST_REST', type: 'GRAPHQL' };
    const { body } = await scene.app.api.post<{ id: string }>('/api/v1/profiles', {
      token: scene.organization.member.token,
      json,
    });
    const { scan } = await scene.imports.import(sarifLog([]), `?profileId=${body.id}&kind=ASM_PACKAGE&format=sarif`);
    expect(scan).toMatchObject({
      applicationId: body.id,
      kind: 'ASM_PACKAGE',
      application: { name: 'Shop', type: 'GRAPHQL' },
    });
  });

  it('finds the oldest profile with the tool’s name', async () => {
    const json = { name: 'Lint', scannerKind: 'BLST_REST', type: 'GRPC' };
    const { body } = await scene.app.api.post<{ id: string }>('/api/v1/profiles', {
      token: scene.organization.member.token,
      json,
    });
    expect((await scene.imports.import(sarifLog([]))).scan.applicationId).toBe(body.id);
  });

  it('creates a profile of the kind that the caller names', async () => {
    const { scan } = await scene.imports.import(sarifLog([]), '?kind=ASM_PACKAGE');
    expect(scan.application).toMatchObject({ name: 'Lint', scannerKind: 'ASM_PACKAGE', type: 'REST' });
  });

  it('shortens a tool’s name that is too long for a profile', async () => {
    const { scan } = await scene.imports.import(sarifLog([], { tool: { driver: { name: 'x'.repeat(500) } } }));
    expect(scan.application.name.length).toBe(200);
  });
});
