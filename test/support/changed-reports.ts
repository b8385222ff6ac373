import fc from 'fast-check';
import { areNested, mutated, mutationOf, placesIn, type Step } from './mutations.js';
import { sarifResult, zapAlert } from './report-imports.js';
import { zapXml, zapXmlAlert, zapXmlSite } from './zap-reports.js';
import { anyText } from './any-text.js';

/** A report with one change. */
export interface ChangedReport {
  text: string;
  /** The tests of the findings that the change must not affect. */
  unaffected: string[];
  /** Whether the change may make the document invalid as a report. */
  mayRefuse: boolean;
}

interface Case {
  text: (document: unknown) => string;
  document: object;
  /** The places of the findings, by test. */
  findings: Map<string, Step[]>;
  /** Whether a change may affect a finding that does not contain it. */
  touches: (at: Step[], finding: Step[]) => boolean;
  mayRefuse: (at: Step[]) => boolean;
}

function changed({ text, document, findings, touches, mayRefuse }: Case): fc.Arbitrary<ChangedReport> {
  return mutationOf(placesIn(document)).map((mutation) => {
    const isUnaffected = (at: Step[]): boolean =>
      !areNested(at, mutation.at) && !areNested(mutation.at, at) && !touches(mutation.at, at);
    const unaffected = [...findings].filter(([, at]) => isUnaffected(at)).map(([test]) => test);
    return { text: text(mutated(document, mutation)), unaffected, mayRefuse: mayRefuse(mutation.at) };
  });
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
    // The whole document, or results that are not an array.
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
    // The first line determines the format: a list there belongs to another one.
    mayRefuse: (at) => at.length === 1 && at[0] === 0,
  };
}

function cyclonedx(): Case {
  const vulnerabilities = ids(100, 5).map((id) => ({
    id: `CVE-2026-${id}`,
    ratings: [{ score: 7.5, severity: 'high', method: 'CVSSv31' }],
    cwes: [79],
    advisories: [{ url: 'https://a.example' }],
    analysis: { state: 'exploitable', response: ['update'] },
    affects: [{ ref: 'a', versions: [{ version: '1', status: 'affected' }] }],
  }));
  return {
    text: JSON.stringify,
    document: {
      bomFormat: 'CycloneDX',
      metadata: { component: { type: 'container', name: 'acme/shop' }, tools: [{ name: 'Bill' }] },
      components: [{ 'bom-ref': 'a', name: 'a', version: '1', purl: 'pkg:npm/a@1' }],
      vulnerabilities,
    },
    findings: new Map(vulnerabilities.map(({ id }, at) => [id, ['vulnerabilities', at]])),
    touches: (at) => at[0] === 'metadata' && at.length <= 3,
    mayRefuse: (at) => at.length === 1 || (at[0] === 'metadata' && at.length <= 3),
  };
}

function trivy(): Case {
  const results = [0, 1].map((from) => ({
    Target: `${from}/package-lock.json`,
    Class: 'lang-pkgs',
    Type: 'npm',
    Vulnerabilities: ids(100 + 100 * from, 3).map((id) => ({
      VulnerabilityID: `CVE-2026-${id}`,
      PkgName: 'a',
      PkgIdentifier: { PURL: 'pkg:npm/a@1' },
      Severity: 'HIGH',
      CVSS: { nvd: { V3Score: 7.5 } },
    })),
  }));
  const places = [0, 1].flatMap((at) => [0, 1, 2].map((index) => ['Results', at, 'Vulnerabilities', index]));
  return {
    text: JSON.stringify,
    document: {
      SchemaVersion: 2,
      ArtifactName: 'acme/shop',
      ArtifactType: 'container_image',
      Metadata: { RepoTags: ['acme/shop:1'] },
      Results: results,
    },
    findings: new Map(places.map((at, index) => [`CVE-2026-${index < 3 ? 100 + index : 197 + index}`, at])),
    touches: (at) => at[0] === 'ArtifactType' || at[0] === 'ArtifactName',
    mayRefuse: (at) => at.length === 1,
  };
}

const asLines = (document: unknown): string => (document as unknown[]).map((line) => JSON.stringify(line)).join('\n');

/** Lines of which one is cut, joined to another or replaced by garbage. */
function changedLines(): fc.Arbitrary<ChangedReport> {
  const { document } = nuclei(asLines);
  const lines = asLines(document).split('\n');
  const garbage = fc.oneof(
    fc.constantFrom('', '{', '}', '[INF] x', '"', 'null', '[]', '\u0000', '{"a":'.repeat(500), 'x'.repeat(5 * 2 ** 20)),
    anyText().map((text) => text.replaceAll('\n', ' ')),
    fc.nat({ max: 400 }).map((length) => (lines[2] ?? '').slice(0, length)),
  );
  return garbage.map((line) => ({
    text: [...lines.slice(0, 2), line, ...lines.slice(3)].join('\n'),
    unaffected: ['100', '101', '103', '104'],
    mayRefuse: false,
  }));
}

/** Two sites, one of which has a changed alert. */
function changedXml(): fc.Arbitrary<ChangedReport> {
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
      .map(({ name, inner }) => whole.replace(new RegExp(`<${name}>.*</${name}>`, 's'), `<${name}>${inner}</${name}>`)),
    fc.constantFrom('pluginid', 'name', 'instances').map((name) => {
      return whole.replace(new RegExp(`<${name}>.*</${name}>`, 's'), (found) => found + found);
    }),
  );
  const other = zapXmlSite([alertOf('200')], 'https://two.example');
  return change.map((alert) => {
    const site = zapXmlSite([alertOf('100'), alertOf('101'), alert, alertOf('103')], 'https://one.example');
    return { text: zapXml([site, other]), unaffected: ['100', '101', '103', '200'], mayRefuse: false };
  });
}

/** Reports of every format, each with one change. */
export const changedReports: [format: string, report: fc.Arbitrary<ChangedReport>][] = [
  ['SARIF', changed(sarif())],
  ['ZAP JSON', changed(zap())],
  ['CycloneDX', changed(cyclonedx())],
  ['Trivy', changed(trivy())],
  ['ZAP XML', changedXml()],
  ['Nuclei JSONL', changed(nuclei(asLines))],
  ['Nuclei JSON', changed(nuclei((document) => JSON.stringify(document)))],
  ['Nuclei JSONL with broken lines', changedLines()],
];
