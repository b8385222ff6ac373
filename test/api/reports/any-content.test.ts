import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, rowCounts } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { anyText } from '../../support/any-text.js';

let app: TestApp;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp();
  imports = new Imports(app.api, (await insertOrganization(app)).member.token);
});
afterAll(() => app.close());

const words = [
  'message text id rule ruleId ruleIndex index level kind locations physicalLocation artifactLocation uri uriBaseId',
  'region snippet startLine fingerprints suppressions properties tags cwe security-severity taxa toolComponent',
  'arguments name driver rules extensions originalUriBaseIds artifacts versionControlProvenance automationDetails',
  'target relationships @name @host @port alerts pluginid riskcode instances url method request-header desc',
  'bomFormat vulnerabilities components affects ref bom-ref purl version versions analysis state ratings score method cwes',
  'Results Target Class Type Vulnerabilities Secrets Misconfigurations VulnerabilityID PkgName RuleID Code Lines Content',
  'vulnerabilities via title module_name findings advisories metadata fixAvailable',
  'category location file start_line dependency package tracking items signatures algorithm value raw_source_code_extract',
  'template-id info host matched-at ip port severity classification cwe-id request response __proto__ constructor',
].flatMap((line) => line.split(' '));
const scalars = fc.oneof(
  fc.constantFrom(
    'https://a.example/x',
    'src/a.ts',
    'CWE-79',
    '\u0000',
    '\ud800',
    '',
    'x'.repeat(5_000),
    'GET / HTTP/1.1\r\n\r\n',
  ),
  fc.constantFrom(0, -1, 1e308, 1.5, true, null, 2 ** 53),
  anyText(),
);
const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalars,
    fc.dictionary(fc.constantFrom(...words), tie('node'), { maxKeys: 8 }),
    fc.array(tie('node'), { maxLength: 4 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom(...words), node, { maxKeys: 12 });
const list = fc.array(fc.oneof(object, node), { maxLength: 6 });

const reports = {
  sarif: fc.record({ run: object, driver: object, results: list }).map(({ run, driver, results }) => ({
    version: '2.1.0',
    runs: [{ versionControlProvenance: [{ repositoryUri: 'https://a.example/b' }], ...run, tool: { driver }, results }],
  })),
  'zap-json': fc
    .record({ site: object, alerts: list })
    .map(({ site, alerts }) => ({ '@programName': 'ZAP', site: [{ '@name': 'https://a.example', ...site, alerts }] })),
  cyclonedx: fc.record({ rest: object, vulnerabilities: list }).map(({ rest, vulnerabilities }) => ({
    metadata: { component: { type: 'container', name: 'acme/shop' } },
    components: [{ 'bom-ref': 'a', purl: 'pkg:npm/a@1' }],
    ...rest,
    bomFormat: 'CycloneDX',
    vulnerabilities,
  })),
  'trivy-json': fc.record({ result: object, list }).map(({ result, list: elements }) => ({
    SchemaVersion: 2,
    ArtifactName: 'acme/shop',
    ArtifactType: 'container_image',
    Results: [
      { Target: 'a', ...result, Vulnerabilities: elements, Misconfigurations: elements },
      { Secrets: elements, Licenses: elements, ExperimentalModifiedFindings: elements },
      ...elements,
    ],
  })),
  gitlab: fc.record({ scan: object, list }).map(({ scan, list: vulnerabilities }) => ({
    version: '15.0.0',
    scan: { ...scan, type: 'secret_detection' },
    remediations: vulnerabilities,
    vulnerabilities,
  })),
  'mapped-json': list.map((elements) => ({ list: elements })),
  'npm-audit': fc.record({ packages: object, advisories: object }).map(({ packages, advisories }) => ({
    auditReportVersion: 2,
    vulnerabilities: packages,
    advisories,
  })),
  'nuclei-jsonl': list.map((lines) => [{ 'template-id': 'first', host: 'a.example' }, ...lines]),
};

const mapping = {
  findings: 'list[]',
  name: ['name', 'id'],
  path: 'uri',
  identifiers: 'tags',
  url: 'url',
  severity: 'level',
};
const more: Record<string, string> = {
  'npm-audit': '&asset=acme/shop',
  gitlab: '&asset=acme/shop',
  'mapped-json': `&asset=acme/shop&mapping=${encodeURIComponent(JSON.stringify(mapping))}`,
};

describe('POST /api/v1/scans/import of any content', () => {
  it.each(Object.entries(reports))('imports it whole or refuses it with a 422: %s', async (format, report) => {
    await fc.assert(
      fc.asyncProperty(report as fc.Arbitrary<object>, async (content) => {
        const before = await rowCounts(app);
        const { status, body } = await imports.send(JSON.stringify(content), `?format=${format}${more[format] ?? ''}`);
        expect([201, 422]).toContain(status);
        if (status === 201) expect(body.created + body.seen + body.skippedCount).toBe(body.findings);
        else expect(await rowCounts(app)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  it('responds with 422 to any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText(), fc.json()), async (text) => {
        expect((await imports.send(text)).status).toBe(422);
      }),
      { numRuns: 100 },
    );
  });
});
