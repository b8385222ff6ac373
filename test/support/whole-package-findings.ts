import type { Fields } from './whole-findings.js';

// Findings of dependency and code scanners that say all that their format lets them say, each text of them once.

let made = 0;
const text = (): string => `nowhere-else-${++made}`;
const number = (): number => 800_000 + ++made;

/** Everything that a vulnerability of CycloneDX 1.6 may say. */
export const billVulnerability: Fields = {
  'bom-ref': text(),
  id: 'CVE-2026-77701',
  source: { name: text(), url: `https://source.example/${text()}` },
  references: [{ id: 'GHSA-wwww-xxxx-yyyy', source: { name: text(), url: `https://source.example/${text()}` } }],
  ratings: [
    {
      source: { name: text() },
      score: 8.125,
      severity: 'high',
      method: 'CVSSv31',
      vector: text(),
      justification: text(),
    },
  ],
  cwes: [502],
  description: text(),
  detail: text(),
  recommendation: text(),
  workaround: text(),
  proofOfConcept: { reproductionSteps: text(), environment: text() },
  advisories: [{ title: text(), url: `https://advisory.example/${text()}` }],
  created: '2026-01-02T03:04:05Z',
  published: '2026-01-03T03:04:05Z',
  updated: '2026-01-04T03:04:05Z',
  credits: { individuals: [{ name: text() }] },
  tools: [{ name: text() }],
  analysis: {
    state: 'in_triage',
    justification: 'code_not_reachable',
    response: ['will_not_fix'],
    detail: text(),
    firstIssued: '2026-01-05T03:04:05Z',
  },
  affects: [{ ref: 'a', versions: [{ version: text(), status: 'affected' }] }],
  properties: [{ name: text(), value: text() }],
  futureField: { of: text() },
};

export const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { component: { type: 'container', name: 'acme/shop' } },
  components: [{ 'bom-ref': 'a', name: 'cart', version: '1.0.0', purl: 'pkg:npm/cart@1.0.0' }],
  vulnerabilities: [billVulnerability],
};

export const trivyVulnerability: Fields = {
  VulnerabilityID: 'CVE-2026-77702',
  VendorIDs: [text()],
  PkgID: text(),
  PkgName: 'cart',
  PkgPath: text(),
  PkgIdentifier: { PURL: 'pkg:npm/cart@1.0.0', UID: text() },
  InstalledVersion: text(),
  FixedVersion: text(),
  Status: text(),
  Layer: { Digest: text() },
  SeveritySource: 'nvd',
  PrimaryURL: `https://avd.example/${text()}`,
  DataSource: { ID: text(), Name: text(), URL: text() },
  Title: text(),
  Description: text(),
  Severity: 'LOW',
  CweIDs: ['CWE-863'],
  VendorSeverity: { nvd: number() },
  CVSS: { nvd: { V3Vector: text(), V3Score: 3.625 } },
  References: [`https://refs.example/${text()}`],
  PublishedDate: '2026-02-02T03:04:05Z',
  LastModifiedDate: '2026-02-03T03:04:05Z',
  FutureField: { of: text() },
};

export const trivyMisconfiguration: Fields = {
  Type: text(),
  ID: text(),
  AVDID: text(),
  Title: text(),
  Description: text(),
  Message: text(),
  Namespace: text(),
  Query: text(),
  Resolution: text(),
  Severity: 'MEDIUM',
  PrimaryURL: `https://avd.example/${text()}`,
  References: [`https://refs.example/${text()}`],
  Status: 'FAIL',
  Layer: { DiffID: text() },
  CauseMetadata: {
    Resource: text(),
    Provider: text(),
    Service: text(),
    StartLine: number(),
    EndLine: number(),
    Code: { Lines: [{ Content: text() }] },
    Occurrences: [{ Resource: text() }],
  },
  FutureField: text(),
};

export const trivyLicense: Fields = {
  Severity: 'HIGH',
  Category: text(),
  PkgName: text(),
  FilePath: text(),
  Name: text(),
  Text: text(),
  Confidence: 0.8125,
  Link: `https://license.example/${text()}`,
};

const trivyOf = (field: string, finding: Fields): Fields => ({
  SchemaVersion: 2,
  ArtifactName: 'acme/shop',
  ArtifactType: 'container_image',
  Results: [{ Target: 'package-lock.json', Class: 'lang-pkgs', Type: 'npm', [field]: [finding] }],
});
export const trivyReports = {
  vulnerability: trivyOf('Vulnerabilities', trivyVulnerability),
  misconfiguration: trivyOf('Misconfigurations', trivyMisconfiguration),
  license: trivyOf('Licenses', trivyLicense),
};

const advisory: Fields = {
  source: number(),
  name: 'cart',
  dependency: 'cart',
  title: text(),
  url: 'https://github.com/advisories/GHSA-wwww-xxxx-zzzz',
  severity: 'critical',
  cwe: ['CWE-1321'],
  cvss: { score: 9.375, vectorString: text() },
  range: text(),
  futureField: text(),
};
export const auditedPackage: Fields = {
  name: 'cart',
  severity: 'critical',
  isDirect: true,
  via: [advisory, 'other-package'],
  effects: [text()],
  nodes: [text()],
  fixAvailable: { name: text(), version: text(), isSemVerMajor: true },
  futureField: text(),
};
export const audit = { auditReportVersion: 2, vulnerabilities: { cart: auditedPackage }, metadata: {} };

export const gitLabFinding: Fields = {
  id: text(),
  name: text(),
  message: text(),
  description: text(),
  severity: 'Critical',
  confidence: text(),
  solution: text(),
  cve: text(),
  scanner: { id: text(), name: text() },
  identifiers: [
    { type: 'own_id', name: text(), value: text(), url: `https://rules.example/${text()}` },
    { type: 'cwe', name: 'CWE-89', value: '89' },
  ],
  links: [{ name: text(), url: `https://links.example/${text()}` }],
  location: { file: 'src/gitlab-only.ts', start_line: number(), end_line: number(), class: text(), method: text() },
  raw_source_code_extract: text(),
  flags: [{ type: 'flagged-as-likely-false-positive', origin: text(), description: text() }],
  tracking: { type: 'source', items: [{ signatures: [{ algorithm: 'scope_offset', value: text() }] }] },
  details: { url: { type: 'text', value: text() } },
  futureField: { of: text() },
};
export const gitLab = {
  version: '15.0.7',
  vulnerabilities: [gitLabFinding],
  scan: { type: 'sast', status: 'success', scanner: { id: 'own', name: 'Own' } },
};

export const burpIssue: Fields = {
  serialNumber: text(),
  type: '1049088',
  name: text(),
  host: 'https://shop.example',
  path: `/${text()}`,
  location: `/${text()} [user parameter]`,
  severity: 'High',
  confidence: text(),
  issueBackground: text(),
  remediationBackground: text(),
  issueDetail: text(),
  issueDetailItems: { issueDetailItem: text() },
  remediationDetail: text(),
  requestresponse: { request: `GET /nowhere-else HTTP/1.1\r\nx-one: ${text()}`, responseRedirected: 'false' },
  collaboratorEvent: { interactionType: text(), originIp: '192.0.2.9' },
  futureField: text(),
};

function xmlOf(name: string, value: unknown): string {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, one]) => xmlOf(key, one))
          .join('')
      : `<![CDATA[${String(value)}]]>`;
  return `<${name}>${inner}</${name}>`;
}

export const burpXml = `<?xml version="1.0"?><issues burpVersion="2026.1" exportTime="now">${xmlOf('issue', burpIssue)}</issues>`;
