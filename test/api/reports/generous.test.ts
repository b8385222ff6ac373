import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { nucleiLine, sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { listenTo } from '../../support/workflow-triggers.js';
import { zapXml, zapXmlAlert, zapXmlSite } from '../../support/zap-reports.js';
import { importScene } from './import-scene.js';

const scene = importScene();

function rows<Row extends object>(select: string): Promise<Row[]> {
  return scene.app.database.rows<Row>(`${select} WHERE organization_id = $1`, [scene.organization.id]);
}

async function statuses(): Promise<string[]> {
  const issues = await rows<{ name: string; status: string }>('SELECT name, status FROM issues');
  return issues.map(({ name, status }) => `${name} ${status}`).sort();
}

describe('POST /api/v1/scans/import of a SARIF run that failed', () => {
  const failed = {
    invocations: [
      {
        executionSuccessful: false,
        exitCodeDescription: 'Out of memory',
        toolExecutionNotifications: [
          { level: 'error', message: { text: 'src/big.ts cannot be parsed' } },
          { level: 'note', message: { text: 'All is well' } },
        ],
      },
    ],
  };

  it('creates a failed scan that keeps its findings, with an event for the reason', async () => {
    const { scan, created, events } = await scene.imports.import(sarifLog([sarifResult('R1')], failed));
    expect([scan.status, created, events]).toEqual(['FAILED', 1, 4]);
    const told = await scene.app.database.rows<{ title: string; description: string }>(
      `SELECT title, description FROM scan_events WHERE scan_id = $1 AND level = 'ERROR'`,
      [scan.id],
    );
    expect(told).toEqual([
      { title: 'Lint did not finish', description: 'Lint: Out of memory\nsrc/big.ts cannot be parsed' },
    ]);
  });

  it('fires SCAN_FAILED, and no SCAN_COMPLETED', async () => {
    await listenTo(scene.app, scene.organization.id, 'SCAN_COMPLETED', 'SCAN_FAILED', 'NEW_ISSUE');
    const { scan } = await scene.imports.import(sarifLog([sarifResult('R1')], failed));
    const fired = await scene.fired();
    expect(fired.map(({ type }) => type).sort()).toEqual(['NEW_ISSUE', 'SCAN_FAILED']);
    expect(fired.find(({ type }) => type === 'SCAN_FAILED')?.subjects).toEqual([scan.id]);
  });

  it.each([
    [{ invocations: [{ executionSuccessful: true, exitCode: 1 }] }, 'FINISHED'],
    [{ invocations: [] }, 'FINISHED'],
    [{ invocations: [{ executionSuccessful: 'false' }, 5, null] }, 'FINISHED'],
    [{ invocations: [{ executionSuccessful: true }, { executionSuccessful: false }] }, 'FAILED'],
  ])('reads %j as %s', async (run, status) => {
    expect((await scene.imports.import(sarifLog([], run))).scan.status).toBe(status);
  });
});

describe('POST /api/v1/scans/import of ZAP', () => {
  it('creates false positives for alerts that users of ZAP marked', async () => {
    await scene.imports.import(
      zapReport([zapAlert('1', { confidence: '0' }), zapAlert('2', { riskcode: '-1' }), zapAlert('3')]),
    );
    expect(await statuses()).toEqual(['Alert 1 FALSE_POSITIVE', 'Alert 2 FALSE_POSITIVE', 'Alert 3 OPEN']);
  });

  it('finds the issues of a JSON report again in the same report in XML', async () => {
    const first = await scene.imports.import(zapReport([zapAlert('1'), zapAlert('2')]));
    const alerts = ['1', '2'].map((pluginid) => zapXmlAlert({ pluginid, name: `Alert ${pluginid}` }));
    const second = await scene.imports.import(zapXml([zapXmlSite(alerts)]), '?format=zap-xml');
    expect([first.created, second.created, second.seen]).toEqual([2, 0, 2]);
    expect(second.scan).toMatchObject({ kind: 'FRONTEND_DAST', applicationId: first.scan.applicationId });
  });
});

describe('POST /api/v1/scans/import of Nuclei', () => {
  it('merges ports and addresses of one host', async () => {
    const at = (place: string, ip: string): string =>
      nucleiLine(place, { host: place, 'matched-at': place, ip, type: 'network' });
    const lines = [at('shop.example:22', '192.0.2.1'), at('shop.example.:21', '192.0.2.2'), at('shop.example:22', '')];
    expect(await scene.imports.import(lines.join('\n'))).toMatchObject({ created: 2, seen: 1 });
    const hosts = await rows<{ host: { ips: string[]; ports: { port: number }[] } }>('SELECT host FROM assets');
    expect(hosts.map(({ host }) => [host.ips, host.ports.map(({ port }) => port)])).toEqual([
      [
        ['192.0.2.1', '192.0.2.2'],
        [22, 21],
      ],
    ]);
  });

  it('finds the site that ZAP found when a line has both a bare host and a URL', async () => {
    await scene.imports.import(zapReport([zapAlert('1')]));
    await scene.imports.import(nucleiLine('t', { host: 'shop.example', url: 'https://shop.example', ip: '192.0.2.1' }));
    expect((await rows('SELECT uri FROM assets')).length).toBe(1);
  });

  it('accepts an empty file as a clean scan only with format=nuclei-jsonl', async () => {
    const { scan } = await scene.imports.import('', '?format=nuclei-jsonl');
    expect(scan).toMatchObject({ status: 'FINISHED', kind: 'ASM_WEBAPP', application: { name: 'Nuclei' } });
    const { status, body } = await scene.imports.send('');
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toMatch(/send format=nuclei-jsonl.*is incomplete/);
  });
});

describe('POST /api/v1/scans/import beyond what is kept', () => {
  it.each([' ', '\t', '\n', '<a', '</p', '&#', '<!--'])(
    'reads a small body that grows to texts of %j, and serves others meanwhile',
    async (piece) => {
      const text = `${piece.repeat(60_000)}x`;
      const texts = { desc: text, solution: text, otherinfo: text, reference: text };
      const body = gzipSync(JSON.stringify(zapReport(Array.from({ length: 20 }, (_, at) => zapAlert(`${at}`, texts)))));
      const [answer, health] = await Promise.all([
        scene.imports.send(body, '', { 'content-type': 'application/gzip' }),
        scene.app.api.get('/health'),
      ]);
      expect([answer.status, answer.body.created, health.status]).toEqual([201, 20, 200]);
    },
  );

  it('says what was cut from each finding, and keeps the rest', async () => {
    const long = { message: { text: 'x'.repeat(30_000) } };
    const places = {
      locations: Array.from({ length: 10_200 }, (_, at) => sarifResult('', `f${at}`)).flatMap(locationsOf),
    };
    const result = await scene.imports.import(
      sarifLog([sarifResult('R1'), sarifResult('R2', 'a.ts', long), {}, sarifResult('R3', 'a.ts', places)]),
    );
    expect(result).toMatchObject({ findings: 4, created: 3, targets: 10_002, skippedCount: 1, cutCount: 3 });
    expect(result.cut.map(({ index }) => index)).toEqual([null, 1, 3]);
    const [targets, message, locations] = result.cut.map(({ reason }) => reason);
    expect(targets).toBe('200 targets were dropped, since an issue keeps at most 10000');
    expect(message).toContain('The message is cut after 20000 characters');
    expect(locations).toContain('only the first 50 of 10200 locations in words are kept');
  });

  it('names the parts of the report that are not read', async () => {
    const run = { externalPropertyFileReferences: { results: [{ location: { uri: 'more.sarif' } }] } };
    const { cut, cutCount } = await scene.imports.import(sarifLog([sarifResult('R1')], run));
    expect([cut, cutCount]).toEqual([
      [
        {
          index: null,
          reason: 'runs[0].externalPropertyFileReferences.results holds or references results that are not read',
        },
      ],
      1,
    ]);
  });
});

function locationsOf(result: object): object[] {
  return (result as { locations: object[] }).locations;
}
