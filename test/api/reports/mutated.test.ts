import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { ImportResult } from '../../../src/scanning/reports/reports.shapes.js';
import { areNested, mutated, type Mutation, mutationOf, placesIn, type Step } from '../../support/mutations.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, rowCounts, sarifResult, zapAlert } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { zapXml, zapXmlAlert, zapXmlSite } from '../../support/zap-reports.js';

// Many imports, on a machine that may be busy.
jest.setTimeout(300_000);

let shop: TestApp;
let imports: Imports;
beforeAll(async () => {
  shop = await startTestApp();
  imports = new Imports(shop.api, (await insertOrganization(shop)).member.token);
});
afterAll(() => shop.close());

async function testsOf({ scan }: ImportResult): Promise<Set<string>> {
  const rows = await shop.database.rows<{ security_test_uid: string }>(
    'SELECT security_test_uid FROM issues JOIN issue_scans s ON s.issue_id = id WHERE s.scan_id = $1',
    [scan.id],
  );
  return new Set(rows.map(({ security_test_uid }) => security_test_uid));
}

/** The places of a document's findings, by their tests. */
type Findings = Map<string, Step[]>;

interface Case {
  text: (document: unknown) => string;
  document: object;
  findings: Findings;
  /** Whether a change may affect a finding that does not contain it. */
  touches: (at: Step[], finding: Step[]) => boolean;
  /** Whether a change may make the document invalid as a report. */
  mayRefuse: (at: Step[]) => boolean;
}

function assertSums(result: ImportResult): void {
  const { findings, created, seen, skipped, skippedCount, cut, cutCount } = result;
  expect(created + seen + skippedCount).toBe(findings);
  expect([skipped.length, cut.length]).toEqual([Math.min(skippedCount, 1_000), Math.min(cutCount, 1_000)]);
  expect([...skipped, ...cut].every(({ reason }) => reason.length > 10)).toBe(true);
  expect(skipped.every(({ index }) => index !== null && index < findings)).toBe(true);
}

async function assertNoneLost(
  { text, document, findings, touches, mayRefuse }: Case,
  mutation: Mutation,
): Promise<void> {
  const before = await rowCounts(shop);
  const { status, body } = await imports.send(text(mutated(document, mutation)));
  if (status !== 201) {
    expect([status, mayRefuse(mutation.at), body]).toEqual([422, true, body]);
    expect(await rowCounts(shop)).toEqual(before);
    return;
  }
  assertSums(body);
  const tests = await testsOf(body);
  for (const [test, at] of findings) {
    if (areNested(at, mutation.at) || areNested(mutation.at, at) || touches(mutation.at, at)) continue;
    expect([test, mutation.at, tests.has(test)]).toEqual([test, mutation.at, true]);
  }
}

const ids = (from: number, length: number): string[] => Array.from({ length }, (_, at) => String(from + at));

function sarif(): Case {
  const run = (from: number, name: string): object => ({
    tool: {
      driver: {
        name,
        rules: ids(from, 3).map((id) => ({
          id,
          shortDescription: { text: `Rule ${id}` },
          properties: { 'security-severity': '7.5', tags: ['external/cwe/cwe-079'] },
        })),
      },
      extensions: [{ name: 'pack', rules: [{ id: 'more' }] }],
    },
    versionControlProvenance: [{ repositoryUri: `https://code.example/acme/${name}` }],
    originalUriBaseIds: { ROOT: { uri: 'file:///srv/' } },
    artifacts: [{ location: { uri: 'src/a.ts', uriBaseId: 'ROOT' } }],
    invocations: [
      { executionSuccessful: true, toolExecutionNotifications: [{ level: 'note', message: { text: 'm' } }] },
    ],
    results: ids(from, 3).map((id, ruleIndex) =>
      sarifResult(id, 'src/a.ts', { ruleIndex, partialFingerprints: { v1: id }, suppressions: [{ kind: 'inSource' }] }),
    ),
  });
  const document = { version: '2.1.0', runs: [run(100, 'one'), run(200, 'two')] };
  const places = [0, 1].flatMap((at) => [0, 1, 2].map((index) => ['runs', at, 'results', index]));
  const ofRun = (at: Step[], finding: Step[]): boolean =>
    at[1] === finding[1] && ['tool', 'versionControlProvenance'].includes(String(at[2])) && at.length <= 5;
  return {
    text: JSON.stringify,
    document,
    findings: new Map(places.map((at, index) => [String(index < 3 ? 100 + index : 197 + index), at])),
    touches: ofRun,
    // The whole, or results that are no array.
    mayRefuse: (at) => at.length === 1 || (at.length === 3 && at[2] === 'results') || (at.length === 2 && at[1] === 1),
  };
}

function zap(): Case {
  const site = (from: number, name: string): object => ({
    '@name': name,
    alerts: ids(from, 3).map((id) => zapAlert(id, { instances: [{ uri: `${name}/${id}`, method: 'GET' }] })),
  });
  const sites = [site(100, 'https://one.example'), site(200, 'https://two.example')];
  const places = [0, 1].flatMap((at) => [0, 1, 2].map((index) => ['site', at, 'alerts', index]));
  return {
    text: JSON.stringify,
    document: { '@programName': 'ZAP', '@version': '2.15.0', '@generated': 'now', site: sites },
    findings: new Map(places.map((at, index) => [String(index < 3 ? 100 + index : 197 + index), at])),
    touches: (at, finding) => at[1] === finding[1] && at[2] === '@name',
    mayRefuse: (at) => at.length === 1,
  };
}

function nuclei(text: Case['text']): Case {
  const lines = ids(100, 5).map((id) => ({
    'template-id': id,
    info: { name: `Template ${id}`, severity: 'low', tags: ['xss'], classification: { 'cwe-id': ['cwe-79'] } },
    type: 'http',
    host: 'shop.example',
    port: '443',
    url: 'https://shop.example',
    'matched-at': `https://shop.example/${id}`,
    ip: '192.0.2.7',
    'extracted-results': ['a'],
    request: 'GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n',
    response: 'HTTP/1.1 200 OK\r\n\r\nhi',
  }));
  return {
    text,
    document: lines,
    findings: new Map(lines.map((line, index) => [line['template-id'], [index]])),
    touches: () => false,
    mayRefuse: () => false,
  };
}

const asLines = (document: unknown): string => (document as unknown[]).map((line) => JSON.stringify(line)).join('\n');

describe('POST /api/v1/scans/import of a report with one change', () => {
  it.each([
    ['SARIF', sarif()],
    ['ZAP JSON', zap()],
    ['Nuclei JSONL', nuclei(asLines)],
    ['Nuclei JSON', nuclei((document) => JSON.stringify(document))],
  ])('loses no other finding, and adds up: %s', async (_, one) => {
    await fc.assert(
      fc.asyncProperty(mutationOf(placesIn(one.document)), (mutation) => assertNoneLost(one, mutation)),
      { numRuns: 120 },
    );
  });

  it('loses no other finding, and adds up: lines that are cut, joined or garbage', async () => {
    const { document } = nuclei(asLines);
    const lines = asLines(document).split('\n');
    const garbage = fc.oneof(
      fc.constantFrom(
        '',
        '{',
        '}',
        '[INF] x',
        '"',
        'null',
        '[]',
        '\u0000',
        '{"a":'.repeat(500),
        'x'.repeat(5 * 2 ** 20),
      ),
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')),
      fc.nat({ max: 400 }).map((length) => (lines[2] ?? '').slice(0, length)),
    );
    await fc.assert(
      fc.asyncProperty(garbage, async (line) => {
        const { status, body } = await imports.send([...lines.slice(0, 2), line, ...lines.slice(3)].join('\n'));
        expect(status).toBe(201);
        assertSums(body);
        const tests = await testsOf(body);
        for (const id of ['100', '101', '103', '104']) expect(tests.has(id)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('loses no other finding, and adds up: ZAP XML', async () => {
    const alertOf = (pluginid: string): string => zapXmlAlert({ pluginid, name: `Alert ${pluginid}` });
    const whole = alertOf('102');
    const change = fc.oneof(
      fc.constantFrom('', '<alertitem/>', '<other/>', 'text', '<![CDATA[<alertitem>]]>', `${whole}${whole}`),
      fc
        .constantFrom(30, 70, 900)
        .map((levels) => `<alertitem>${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}</alertitem>`),
      fc.constantFrom('<a/>', 'x', ' ', '&amp;').map((piece) => `<alertitem>${piece.repeat(210_000)}</alertitem>`),
      fc
        .constantFrom('pluginid', 'name', 'riskcode', 'desc', 'instances')
        .chain((name) => fc.constantFrom('', '<x/>', '<x><y>1</y></x>', '-1', 'text').map((inner) => ({ name, inner })))
        .map(({ name, inner }) =>
          whole.replace(new RegExp(`<${name}>.*</${name}>`, 's'), `<${name}>${inner}</${name}>`),
        ),
      fc.constantFrom('pluginid', 'name', 'instances').map((name) => {
        return whole.replace(new RegExp(`<${name}>.*</${name}>`, 's'), (found) => found + found);
      }),
    );
    await fc.assert(
      fc.asyncProperty(change, async (changed) => {
        const sites = [
          zapXmlSite([alertOf('100'), alertOf('101'), changed, alertOf('103')], 'https://one.example'),
          zapXmlSite([alertOf('200')], 'https://two.example'),
        ];
        const { status, body } = await imports.send(zapXml(sites));
        expect(status).toBe(201);
        assertSums(body);
        const tests = await testsOf(body);
        for (const id of ['100', '101', '103', '200']) expect(tests.has(id)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
