import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import { nucleiLine, sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { listenTo } from '../../support/workflow-triggers.js';
import { importScene } from './import-scene.js';

const scene = importScene();

describe('POST /api/v1/scans/import again', () => {
  const report = sarifLog([sarifResult('R1'), sarifResult('R2'), sarifResult('R2')]);

  it('creates a scan of the same profile and no new issue', async () => {
    const first = await scene.imports.import(report);
    const second = await scene.imports.import(report);
    expect([first.created, first.seen, second.created, second.seen]).toEqual([3, 0, 0, 3]);
    expect(second.scan.id).not.toBe(first.scan.id);
    expect(second.scan.applicationId).toBe(first.scan.applicationId);
    expect((await scene.issues.list()).length).toBe(3);
    expect((await scene.issues.list(`&scanIds=${second.scan.id}`)).length).toBe(3);
  });

  it('gives known issues the targets of the newest report', async () => {
    await scene.imports.import(zapReport([zapAlert('1')]));
    const again = zapAlert('1', { instances: [{ uri: 'https://shop.example/other', method: 'GET' }] });
    expect(await scene.imports.import(zapReport([again]))).toMatchObject({ created: 0, seen: 1, targets: 1 });
    const { targets } = await scene.issues.named('Alert 1');
    expect(targets.map(({ webPage }) => webPage?.url)).toEqual(['https://shop.example/other']);
  });

  it('reopens resolved issues, and leaves ignored ones', async () => {
    await scene.imports.import(report);
    const [one, two] = await scene.issues.list();
    const token = scene.organization.member.token;
    await scene.app.api.patch(`/api/v1/issues/${one?.id}`, { token, json: { status: 'RESOLVED' } });
    await scene.app.api.patch(`/api/v1/issues/${two?.id}`, { token, json: { status: 'FALSE_POSITIVE' } });
    await scene.imports.import(report);
    const statusOf = new Map((await scene.issues.list()).map(({ id, status }) => [id, status]));
    expect([statusOf.get(one?.id ?? ''), statusOf.get(two?.id ?? '')]).toEqual(['OPEN', 'FALSE_POSITIVE']);
  });

  it('keeps issues of equal findings on different assets apart', async () => {
    await scene.imports.import(zapReport([zapAlert('1')]));
    expect(await scene.imports.import(zapReport([zapAlert('1')], 'https://other.example'))).toMatchObject({
      created: 1,
      seen: 0,
    });
  });
});

describe('POST /api/v1/scans/import: triggers', () => {
  const all = ['ASSET_FOUND', 'NEW_ISSUE', 'ISSUE_UPDATED', 'SCAN_STARTED', 'SCAN_COMPLETED'] as const;

  it('fires each once for the whole report', async () => {
    await listenTo(scene.app, scene.organization.id, ...all);
    const lines = Array.from({ length: 2_500 }, (_, at) =>
      nucleiLine(`t${at}`, { 'matched-at': `https://h${at % 3}.example/x` }),
    );
    const { scan } = await scene.imports.import(lines.join('\n'));
    const fired = await scene.fired();
    expect(fired.map(({ type, subjects }) => `${type} ${subjects.length}`).sort()).toEqual([
      'ASSET_FOUND 3',
      'NEW_ISSUE 2500',
      'SCAN_COMPLETED 1',
    ]);
    expect(fired.find(({ type }) => type === 'SCAN_COMPLETED')?.subjects).toEqual([scan.id]);
  });

  it('fires only the end of the scan when nothing is new', async () => {
    await scene.imports.import(sarifLog([sarifResult('R1')]));
    await listenTo(scene.app, scene.organization.id, ...all);
    await scene.imports.import(sarifLog([sarifResult('R1')]));
    expect((await scene.fired()).map(({ type }) => type)).toEqual(['SCAN_COMPLETED']);
  });

  it('fires ISSUE_UPDATED for a changed severity', async () => {
    await scene.imports.import(sarifLog([sarifResult('R1'), sarifResult('R2')]));
    await listenTo(scene.app, scene.organization.id, ...all);
    await scene.imports.import(sarifLog([sarifResult('R1'), sarifResult('R2', 'src/a.ts', { level: 'note' })]));
    const changed = await scene.issues.named('R2');
    expect(changed.severity).toBe('LOW');
    expect(await scene.fired()).toContainEqual({ type: 'ISSUE_UPDATED', subjects: [changed.id] });
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

  function assertSums({ findings, created, seen, skipped }: ImportResult, holds: number): void {
    expect(findings).toBe(holds);
    expect(created + seen + skipped.length).toBe(findings);
    expect(
      skipped.every(({ index }, at) => (index ?? -1) < holds && (index ?? -1) > (skipped[at - 1]?.index ?? -1)),
    ).toBe(true);
  }

  it('add up, for every report, and for the same report again', async () => {
    await fc.assert(
      fc.asyncProperty(report, async ({ holds, text }) => {
        const before = (await scene.issues.list()).length;
        const first = await scene.imports.import(text);
        assertSums(first, holds);
        expect((await scene.issues.list()).length).toBe(before + first.created);
        const second = await scene.imports.import(text);
        assertSums(second, holds);
        expect([second.created, second.seen, second.skipped]).toEqual([0, first.created + first.seen, first.skipped]);
        expect([first.targets, first.events]).toEqual([second.targets, second.events]);
      }),
      { numRuns: 40 },
    );
  });
});
