import { describe, expect, it } from '@jest/globals';
import { nucleiLine, sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { goneOf, importScene, reportOf } from './import-scene.js';

const scene = importScene();
const sarif = '?branch=main&resolveGone=true&asset=https://code.example/acme/shop';

/** Reports of a tool that did not run, or not to its end. */
const silent: [string, object, RegExp, string][] = [
  ['no results', { results: undefined }, /the analysis did not begin/, 'FAILED'],
  ['null for results', { results: null }, /the analysis did not begin/, 'FAILED'],
  [
    'a start failure',
    { invocations: [{ executionSuccessful: true, processStartFailureMessage: 'No such file' }] },
    /No such file/,
    'FAILED',
  ],
  [
    'an unsuccessful invocation',
    {
      invocations: [
        {
          executionSuccessful: false,
          toolExecutionNotifications: [{ level: 'error', message: { text: 'Out of memory' } }],
        },
      ],
    },
    /Out of memory/,
    'FAILED',
  ],
  [
    'results in another file',
    { results: undefined, externalPropertyFileReferences: { results: [{ location: { uri: 'r.sarif-external' } }] } },
    /external files/,
    'FINISHED',
  ],
];

describe('POST /api/v1/scans/import of a report that says nothing', () => {
  it.each(silent)('resolves nothing by a SARIF run with %s, and says why', async (_, run, reason, status) => {
    await scene.imports.import(reportOf('kept'), sarif);
    const answer = await scene.imports.import(sarifLog([], run), sarif);
    expect([goneOf(answer), answer.resolved, answer.scan.status]).toEqual([[], 0, status]);
    expect([answer.notRun, answer.goneUnknown]).toEqual([expect.stringMatching(reason), expect.any(String)]);
    expect(await scene.statuses()).toEqual({ kept: 'OPEN' });
    // The next report is compared with the last that told something.
    expect(goneOf(await scene.imports.import(reportOf(), sarif))).toEqual(['kept']);
  });

  it('resolves nothing by a log without runs', async () => {
    await scene.imports.import(reportOf('kept'), sarif);
    const answer = await scene.imports.import({ version: '2.1.0', runs: [] }, sarif);
    expect([goneOf(answer), answer.scan.status, answer.notRun]).toEqual([
      [],
      'FAILED',
      expect.stringContaining('no run'),
    ]);
    expect(await scene.statuses()).toEqual({ kept: 'OPEN' });
  });

  it('keeps in an event of the scan why the tool did not run', async () => {
    const { scan } = await scene.imports.import(sarifLog([], { results: null }), sarif);
    const token = scene.organization.viewer.token;
    const { body } = await scene.app.api.get<{ data: { id: string; level: string; title: string }[] }>(
      `/api/v1/events?scanIds=${scan.id}`,
      { token },
    );
    const failed = body.data.find(({ level }) => level === 'ERROR');
    expect(failed?.title).toBe('Lint did not finish');
    const event = await scene.app.api.get<{ description: string }>(`/api/v1/events/${failed?.id}`, { token });
    expect(event.body.description).toContain('did not begin');
  });

  it('resolves nothing by an empty report, unless the caller says that it is a clean scan', async () => {
    await scene.imports.import(nucleiLine('kept'), '?branch=main&asset=https://shop.example');
    const query = '?branch=main&asset=https://shop.example&resolveGone=true';
    const empty = await scene.imports.import('', `${query}&format=nuclei-jsonl`);
    expect([goneOf(empty), empty.scan.status, empty.notRun]).toEqual([
      [],
      'FINISHED',
      expect.stringContaining('empty'),
    ]);
    expect(await scene.statuses()).toEqual({ kept: 'OPEN' });
    const clean = await scene.imports.import('\n', `${query}&allowEmpty=true`);
    expect([goneOf(clean), clean.notRun, clean.goneUnknown]).toEqual([['kept'], null, null]);
    expect(await scene.statuses()).toEqual({ kept: 'RESOLVED' });
  });

  it('resolves nothing by a ZAP report without a site', async () => {
    await scene.imports.import(zapReport([zapAlert('1')]), '?asset=https://shop.example');
    const none = { '@programName': 'ZAP', '@version': '2.15.0', '@generated': 'now', site: [] };
    const answer = await scene.imports.import(none, '?asset=https://shop.example&resolveGone=true');
    expect([goneOf(answer), answer.notRun]).toEqual([[], 'The report names no site: nothing was scanned']);
    const clean = await scene.imports.import(zapReport([]), '?asset=https://shop.example&resolveGone=true');
    expect([goneOf(clean), clean.notRun]).toEqual([['Alert 1'], null]);
  });

  it('knows what is gone where external properties hold no results', async () => {
    await scene.imports.import(reportOf('fixed'), sarif);
    const inlineExternalProperties = [{ guid: 'x', artifacts: [{ location: { uri: 'a.ts' } }] }, { results: [] }];
    const answer = await scene.imports.import({ ...sarifLog([]), inlineExternalProperties }, sarif);
    expect([goneOf(answer), answer.goneUnknown, answer.notRun]).toEqual([['fixed'], null, null]);
  });

  it('does not where they hold some', async () => {
    await scene.imports.import(reportOf('kept'), sarif);
    const inlineExternalProperties = [{ results: [sarifResult('kept')] }];
    const answer = await scene.imports.import({ ...sarifLog([]), inlineExternalProperties }, sarif);
    expect([goneOf(answer), answer.goneUnknown]).toEqual([[], expect.stringContaining('not read')]);
  });
});
