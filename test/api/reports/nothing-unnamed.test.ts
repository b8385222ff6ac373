import { describe, expect, it } from '@jest/globals';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import { alert, type Fields, line, result, rule, sarif, zapJson, zapXml } from '../../support/whole-findings.js';
import {
  audit,
  auditedPackage,
  bill,
  billVulnerability,
  burpIssue,
  burpXml,
  gitLab,
  gitLabFinding,
  trivyLicense,
  trivyMisconfiguration,
  trivyReports,
  trivyVulnerability,
} from '../../support/whole-package-findings.js';
import { importScene } from './import-scene.js';

const scene = importScene();

/** Each leaf with the way to it, without the indices of lists. */
function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, path.endsWith('[]') ? path : `${path}[]`));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}.${key}`));
}

/** Whether the text holds the leaf, as whichever of the two forms reports write. */
function isFound(leaf: unknown, said: string): boolean {
  const plain = String(leaf)
    .replace(/<\/?p>/g, '')
    .replace(' {0}', ' ');
  if (/^HTTP\/|^[A-Z]+ \//.test(plain)) {
    // Request and response are kept as exchange: what stands in them is looked for.
    return (plain.match(/only-here-\d+/g) ?? []).every((one) => said.includes(one));
  }
  return said.toLowerCase().includes(plain.toLowerCase());
}

/** Words whose meaning is kept, in other words. */
const translated = new Set([
  'results[].ruleIndex',
  'results[].locations[].id',
  'results[].locations[].physicalLocation.contextRegion.startLine',
  'results[].webRequest.protocol',
  'results[].webRequest.version',
  'rules[].messageStrings.other.text',
  'rules[].help.text',
  'alerts[].instances[].systemic',
]);

describe('Whatever a finding of a report says', () => {
  const formats: [string, string | object, [string, Fields][]][] = [
    [
      'SARIF',
      sarif,
      [
        ['results[]', result],
        ['rules[]', rule],
      ],
    ],
    ['ZAP in JSON', zapJson, [['alerts[]', alert]]],
    ['ZAP in XML', zapXml, [['alerts[]', alert]]],
    ['Nuclei', JSON.stringify(line), [['lines[]', line]]],
    ['CycloneDX', bill, [['vulnerabilities[]', billVulnerability]]],
    ['a vulnerability of Trivy', trivyReports.vulnerability, [['vulnerabilities[]', trivyVulnerability]]],
    ['a misconfiguration of Trivy', trivyReports.misconfiguration, [['misconfigurations[]', trivyMisconfiguration]]],
    ['a license of Trivy', trivyReports.license, [['licenses[]', trivyLicense]]],
    ['npm audit', audit, [['vulnerabilities', auditedPackage]]],
    ['GitLab', gitLab, [['vulnerabilities[]', gitLabFinding]]],
    ['Burp', burpXml, [['issues[]', burpIssue]]],
  ];

  async function everythingOf({ scan, issues }: ImportResult): Promise<string> {
    const token = scene.organization.viewer.token;
    const get = async (path: string): Promise<string> =>
      JSON.stringify((await scene.app.api.get(`/api/v1/${path}`, { token })).body);
    const ids = issues.map(({ id }) => id);
    const ofIssues = ids.flatMap((id) => [`issues/${id}`, `issues/${id}/targets`]);
    const { body } = await scene.app.api.get<{ data: { id: string }[] }>(`/api/v1/events?scanIds=${scan.id}`, {
      token,
    });
    const ofEvents = body.data.map(({ id }) => `events/${id}`);
    return (await Promise.all([...ofIssues, ...ofEvents].map(get))).join('\n').replaceAll('\\"', '"');
  }

  it.each(formats)('is found through the interface, or named in the answer: %s', async (_, report, parts) => {
    const answer = await scene.imports.import(report, '?repository=https://code.example/acme/shop');
    expect(answer).toMatchObject({ findings: 1, created: 1 });
    const said = await everythingOf(answer);
    const named = [...answer.notKept.map(({ part }) => part), ...answer.cut.map(({ reason }) => reason)];
    const lost = parts.flatMap(([name, finding]) =>
      leavesOf(finding, name).filter(([path, leaf]) => {
        if (translated.has(path) || isFound(leaf, said)) return false;
        return !named.some((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[]`));
      }),
    );
    expect(lost).toEqual([]);
  });

  it('makes the fields of the issue of it', async () => {
    const { issues } = await scene.imports.import(sarif);
    const { body } = await scene.app.api.get<Fields>(`/api/v1/issues/${issues[0]?.id}`, {
      token: scene.organization.viewer.token,
    });
    expect(body).toMatchObject({
      score: 6.125,
      rank: 71.25,
      rule: { id: 'only-here-rule', helpUri: rule['helpUri'] },
      location: { path: 'src/first-only.ts' },
    });
    const values = (body['identifiers'] as { value: string; url: string }[]).map(({ value }) => value);
    expect(values.sort()).toEqual(['CVE-2026-12345', 'CWE-321', 'CWE-798', 'CWE-89']);
    const evidence = body['evidence'] as { type: string; steps: { path: string }[] }[];
    expect(
      evidence.filter(({ steps }) => steps.length > 0).map(({ type, steps }) => [type, steps.map(({ path }) => path)]),
    ).toEqual([
      ['FLOW', ['src/flow-only.ts', 'src/flow-only.ts']],
      ['STACK', ['src/stack-only.ts']],
      ['RELATED', ['src/related-only.ts']],
    ]);
  });

  it('keeps a rule once, and follows what the newest report says of it', async () => {
    await scene.imports.import(sarif);
    const changed = structuredClone(sarif);
    Object.assign(changed.runs[0]!.tool.driver.rules[0]!, { help: { markdown: 'Quite another **help**' } });
    const { seen, issues } = await scene.imports.import(changed);
    const { body } = await scene.app.api.get<{ rule: { help: string } }>(`/api/v1/issues/${issues[0]?.id}`, {
      token: scene.organization.viewer.token,
    });
    expect([seen, body.rule.help]).toEqual([1, 'Quite another **help**']);
  });
});
