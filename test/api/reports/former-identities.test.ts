import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { moreSarifReports } from '../../support/tool-reports/more-sarif-reports.js';
import { sarifReports } from '../../support/tool-reports/sarif-reports.js';
import { importScene } from './import-scene.js';

const scene = importScene();

type Rules = Record<string, string[]>;

/** A report whose rules had other ids before. */
function logWith(rules: Rules, results: object[]): object {
  const described = Object.entries(rules).map(([id, deprecatedIds]) => ({ id, deprecatedIds }));
  return sarifLog(results, { tool: { driver: { name: 'Lint', rules: described } } });
}

const idsOf = async () => new Map((await scene.issues.list('&statuses=OPEN')).map(({ id, name }) => [name, id]));

/** What people did to an issue. */
async function triage(id: string | undefined): Promise<void> {
  const { token } = scene.organization.member;
  const json = { severity: 'LOW' };
  expect((await scene.app.api.patch(`/api/v1/issues/${id}`, { token, json })).status).toBe(200);
}

describe('A SARIF rule with deprecatedIds', () => {
  const before = sarifLog([sarifResult('old-rule'), sarifResult('old-rule', 'src/b.ts'), sarifResult('other')]);
  const sayingTheSame = (id: string) => ({ ruleId: id, message: { text: 'Broken by old-rule' } });
  const renamed = (id: string) => [
    sarifResult(id, 'src/a.ts', sayingTheSame(id)),
    sarifResult(id, 'src/b.ts', sayingTheSame(id)),
    sarifResult('other'),
  ];

  it('keeps the issues that its findings had, with what was done to them: none is closed, none is new', async () => {
    await scene.imports.import(before);
    const known = (await scene.issues.list()).map(({ id }) => id).sort();
    await triage(known[0]);
    const query = '?resolveGone=true';
    const report = logWith({ 'new-rule': ['older-rule', 'old-rule'], other: [] }, renamed('new-rule'));
    expect(await scene.imports.import(report, query)).toMatchObject({ created: 0, seen: 3, resolved: 0 });
    const issues = await scene.issues.list();
    expect(issues.map(({ id }) => id).sort()).toEqual(known);
    expect(issues.find(({ id }) => id === known[0])?.severity).toBe('LOW');
    expect(issues.map(({ securityTestUid }) => securityTestUid).sort()).toEqual(['new-rule', 'new-rule', 'other']);
    // Without the former ids from now on, it is known by the present one.
    expect(await scene.imports.import(sarifLog(renamed('new-rule')), query)).toMatchObject({ created: 0, seen: 3 });
  });

  it('is followed through several names, and below the id of the rule', async () => {
    await scene.imports.import(sarifLog([sarifResult('A/sub')]));
    const said = { message: { text: 'Broken by A/sub' } };
    for (const [id, former] of [
      ['B', 'A'],
      ['C', 'B'],
    ] as const) {
      const report = logWith({ [id]: [former] }, [sarifResult(`${id}/sub`, 'src/a.ts', said)]);
      expect(await scene.imports.import(report)).toMatchObject({ created: 0, seen: 1 });
    }
  });

  it('has one issue for each of the rules that it was split into, and for those that became one', async () => {
    const said = { message: { text: 'Broken' } };
    await scene.imports.import(sarifLog([sarifResult('one', 'src/a.ts', said)]));
    const split = logWith({ left: ['one'], right: ['one'] }, [
      sarifResult('left', 'src/a.ts', said),
      sarifResult('right', 'src/a.ts', said),
    ]);
    expect(await scene.imports.import(split)).toMatchObject({ created: 1, seen: 1 });
    const merged = logWith({ both: ['left', 'right'] }, [sarifResult('both', 'src/a.ts', said)]);
    expect(await scene.imports.import(merged, '?resolveGone=true')).toMatchObject({ created: 0, seen: 1, resolved: 1 });
  });

  it('takes nothing from a rule that the report still has under its former id', async () => {
    const said = { message: { text: 'Broken' } };
    await scene.imports.import(sarifLog([sarifResult('one', 'src/a.ts', said)]));
    const [known] = await scene.issues.list();
    const both = logWith({ two: ['one'], one: [] }, [
      sarifResult('two', 'src/a.ts', said),
      sarifResult('one', 'src/a.ts', said),
    ]);
    expect(await scene.imports.import(both)).toMatchObject({ created: 1, seen: 1 });
    const issues = await scene.issues.list();
    expect(issues.find(({ securityTestUid }) => securityTestUid === 'one')?.id).toBe(known?.id);
  });

  it('resolves the issue of before where the finding is said to be gone', async () => {
    await scene.imports.import(sarifLog([sarifResult('one'), sarifResult('stays')]));
    const gone = sarifResult('two', 'src/a.ts', { message: { text: 'Broken by one' }, baselineState: 'absent' });
    const report = logWith({ two: ['one'], stays: [] }, [gone, sarifResult('stays')]);
    expect(await scene.imports.import(report, '?resolveGone=true')).toMatchObject({ resolved: 1 });
  });

  it('belongs to one organization: the issues of another stay', async () => {
    await scene.imports.import(sarifLog([sarifResult('one')]));
    const [issue] = await scene.issues.list();
    const id = issue?.id;
    await scene.renew();
    const said = { message: { text: 'Broken by one' } };
    const report = logWith({ two: ['one'] }, [sarifResult('two', 'src/a.ts', said)]);
    expect(await scene.imports.import(report)).toMatchObject({ created: 1 });
    const [row] = await scene.app.database.rows<{ uid: string }>(
      'SELECT security_test_uid AS uid FROM issues WHERE id = $1',
      [id],
    );
    expect(row?.uid).toBe('one');
  });
});

describe('The alertRef of ZAP', () => {
  it('tells alerts of one plugin apart, whatever their names are in this version or language', async () => {
    const named = (first: string, second: string) => [
      zapAlert('10055', { alertRef: '10055-4', name: first }),
      zapAlert('10055', { alertRef: '10055-6', name: second }),
    ];
    await scene.imports.import(zapReport(named('CSP: Wildcard Directive', 'CSP: style-src unsafe-inline')));
    const known = await idsOf();
    const translated = zapReport(named('CSP: Richtlinie mit Platzhalter', 'CSP: style-src'));
    expect(await scene.imports.import(translated, '?resolveGone=true')).toMatchObject({
      created: 0,
      seen: 2,
      resolved: 0,
    });
    expect((await scene.issues.list()).map(({ id }) => id).sort()).toEqual([...known.values()].sort());
  });

  it('goes on with the issue that was known by its name alone', async () => {
    const name = 'CSP: Wildcard Directive';
    await scene.imports.import(zapReport([zapAlert('10055', { alertRef: undefined, name })]));
    const known = await idsOf();
    const later = zapReport([zapAlert('10055', { alertRef: '10055-4', name })]);
    expect(await scene.imports.import(later)).toMatchObject({ created: 0, seen: 1 });
    expect(await idsOf()).toEqual(known);
  });

  it('leaves it to the names where it is the number of the plugin', async () => {
    const alerts = [zapAlert('50000', { name: 'My script: one' }), zapAlert('50000', { name: 'My script: two' })];
    expect(await scene.imports.import(zapReport(alerts))).toMatchObject({ created: 2 });
  });
});

/** Reports of real tools, which are not part of the project and may be absent; its own small ones are always tested. */
const real = '../shared/data/reports';
const readReal = (file: string): object[] =>
  existsSync(`${real}/${file}`) ? [JSON.parse(readFileSync(`${real}/${file}`, 'utf8')) as object] : [];

interface Log {
  runs: { tool: { driver: { rules?: { id?: string }[] } }; results?: { ruleId?: string }[] }[];
}

/** The report as the tool would write it once all rules have other ids. */
function withOtherIds(log: object): Log {
  const copy = structuredClone(log) as Log;
  for (const { tool, results = [] } of copy.runs) {
    const ids = new Set(results.flatMap(({ ruleId }) => ruleId ?? []));
    const rules = tool.driver.rules ?? [];
    const described = new Set(rules.map(({ id }) => id));
    tool.driver.rules = [...rules, ...[...ids].filter((id) => !described.has(id)).map((id) => ({ id }))].map(
      (rule) => ({
        ...rule,
        id: `renamed.${rule.id}`,
        deprecatedIds: [rule.id],
      }),
    );
    for (const result of results) if (result.ruleId !== undefined) result.ruleId = `renamed.${result.ruleId}`;
  }
  return copy;
}

/** Where a result names its rule by its id alone, as most tools do. */
const byId = (log: object) => (log as Log).runs.every(({ results = [] }) => results.every(({ ruleId }) => ruleId));

describe('A whole report of a tool', () => {
  const sarif = [
    ...[...sarifReports, ...moreSarifReports].flatMap(({ tool, content, query = '' }) =>
      typeof content === 'object' && byId(content) ? [{ name: tool, content, query }] : [],
    ),
    ...['flawfinder.sarif', 'security-scan-zap-nuclei.sarif', 'suppressions.sarif'].flatMap((file) =>
      readReal(`sarif/${file}`).map((content) => ({ name: file, content, query: '' })),
    ),
  ];

  it.each(sarif)('opens nothing anew once its rules have other ids: $name', async ({ content, query }) => {
    const asset = `${query === '' || query === '?' ? '?' : `${query}&`}asset=https://code.example/whole&resolveGone=true`;
    const first = await scene.imports.import(content, asset);
    const again = await scene.imports.import(withOtherIds(content), asset);
    expect(again).toMatchObject({ created: 0, seen: first.created + first.seen, resolved: 0 });
  });

  const ownZap = zapReport([
    zapAlert('10055', { alertRef: '10055-4' }),
    zapAlert('10055', { alertRef: '10055-6', name: 'Another one' }),
    zapAlert('10010'),
  ]);
  const zap = readReal('zap-json/local-node-app-zap-2.15.0.json');

  const ofZap = [...zap.map((content) => ({ name: 'a real one', content })), { name: 'our own', content: ownZap }];
  it.each(ofZap)('of ZAP keeps its issues in another language: $name', async ({ content }) => {
    const first = await scene.imports.import(content);
    const copy = structuredClone(content) as { site: { alerts: Record<string, string>[] }[] };
    let translated = 0;
    for (const alert of copy.site.flatMap(({ alerts }) => alerts)) {
      if (!alert['alertRef']?.startsWith(`${alert['pluginid']}-`)) continue;
      alert['name'] = alert['alert'] = `Übersetzt: ${alert['name']}`;
      translated += 1;
    }
    expect(translated).toBeGreaterThan(1);
    expect(await scene.imports.import(copy, '?resolveGone=true')).toMatchObject({
      created: 0,
      seen: first.created,
      resolved: 0,
    });
  });
});
