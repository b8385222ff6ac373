// Findings that say all that their format lets them say, each text of them once.

export type Fields = Record<string, unknown>;

let made = 0;
/** A text that is nowhere else. */
const text = (): string => `only-here-${++made}`;
/** A number that is nowhere else. */
const number = (): number => 700_000 + ++made;

/** Everything that a location of SARIF 2.1.0 may say (section 3.28). */
function location(uri: string): Fields {
  return {
    id: 1,
    physicalLocation: {
      artifactLocation: { uri, description: { text: text() } },
      address: { absoluteAddress: number(), name: text() },
      region: {
        startLine: number(),
        startColumn: number(),
        endLine: number(),
        endColumn: number(),
        charOffset: number(),
        byteLength: number(),
        snippet: { text: text(), binary: text() },
        message: { text: text() },
        sourceLanguage: 'typescript',
      },
      contextRegion: { startLine: 5, endLine: number(), snippet: { text: text() } },
    },
    logicalLocations: [{ fullyQualifiedName: text(), kind: text(), decoratedName: text() }],
    message: { text: text() },
    annotations: [{ startLine: number(), message: { text: text() } }],
    relationships: [{ target: 0, kinds: [text()] }],
    properties: { own: text() },
  };
}

const flow = (uri: string): Fields => ({
  message: { text: text() },
  threadFlows: [
    {
      id: text(),
      message: { text: text() },
      locations: [
        { location: location(uri), importance: 'essential', nestingLevel: number(), state: { x: { text: text() } } },
        { location: location(uri), kinds: [text()] },
      ],
      immutableState: { y: { text: text() } },
    },
  ],
});

/** Everything that a result of SARIF 2.1.0 may say (section 3.27). */
export const result: Fields = {
  ruleId: 'only-here-rule',
  ruleIndex: 0,
  kind: 'fail',
  level: 'warning',
  message: { text: `${text()} {0}`, arguments: [text()], markdown: text(), properties: { m: text() } },
  locations: [location('src/first-only.ts'), location('src/second-only.ts')],
  guid: text(),
  correlationGuid: text(),
  occurrenceCount: number(),
  partialFingerprints: { 'p/v1': text() },
  fingerprints: { 'f/v1': text() },
  stacks: [{ message: { text: text() }, frames: [{ location: location('src/stack-only.ts'), module: text() }] }],
  codeFlows: [flow('src/flow-only.ts')],
  graphs: [{ description: { text: text() }, nodes: [{ id: text() }] }],
  graphTraversals: [{ description: { text: text() } }],
  relatedLocations: [location('src/related-only.ts')],
  suppressions: [
    { kind: 'inSource', status: 'rejected', justification: text(), guid: text(), location: location('s.ts') },
  ],
  baselineState: 'updated',
  rank: 71.25,
  attachments: [{ description: { text: text() }, artifactLocation: { uri: text() } }],
  workItemUris: [`https://work.example/${text()}`],
  hostedViewerUri: `https://view.example/${text()}`,
  provenance: { firstDetectionTimeUtc: text() },
  fixes: [
    {
      description: { text: text() },
      artifactChanges: [
        {
          artifactLocation: { uri: 'src/fix-only.ts' },
          replacements: [
            {
              deletedRegion: { startLine: number(), startColumn: number(), endLine: number(), endColumn: number() },
              insertedContent: { text: text() },
            },
          ],
        },
      ],
    },
  ],
  taxa: [{ id: '798', toolComponent: { name: 'CWE' } }],
  webRequest: {
    protocol: 'HTTP',
    version: '1.1',
    target: `https://shop.example/${text()}`,
    method: 'PATCH',
    headers: { 'x-one': text() },
    body: { text: text() },
    parameters: { q: text() },
  },
  webResponse: { statusCode: 418, headers: { 'x-two': text() }, body: { text: text() }, reasonPhrase: text() },
  properties: { tags: [text(), 'CVE-2026-12345'], 'security-severity': '6.125', nested: { deep: [text()] } },
  somethingNew: { of: text() },
};

export const rule: Fields = {
  id: 'only-here-rule',
  name: text(),
  guid: text(),
  deprecatedIds: [text()],
  deprecatedGuids: [text()],
  shortDescription: { text: text() },
  fullDescription: { text: text(), markdown: text() },
  messageStrings: { other: { text: 'x' } },
  defaultConfiguration: { level: 'error', rank: 3, parameters: { p: text() } },
  help: { text: 'in short', markdown: text() },
  helpUri: `https://rules.example/${text()}`,
  relationships: [{ target: { id: '321', toolComponent: { name: 'CWE' } }, kinds: [text()] }],
  properties: { tags: ['external/cwe/cwe-089', text()], precision: text(), 'problem.severity': text() },
  futureField: text(),
};

export const sarif = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Lint', rules: [rule] } },
      versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/shop' }],
      results: [result],
    },
  ],
};

export const alert: Fields = {
  pluginid: '40012',
  alertRef: '40012-7',
  alert: 'Reflected only here',
  name: 'Reflected only here',
  riskcode: '3',
  confidence: '2',
  riskdesc: text(),
  desc: `<p>${text()}</p>`,
  instances: [
    {
      id: number(),
      uri: `https://shop.example/${text()}`,
      nodeName: text(),
      method: 'PATCH',
      param: text(),
      attack: text(),
      evidence: text(),
      otherinfo: text(),
      'request-header': `PATCH /${text()} HTTP/1.1\r\nx-one: ${text()}`,
      'request-body': text(),
      'response-header': `HTTP/1.1 418 I'm a teapot\r\nx-two: ${text()}`,
      'response-body': text(),
    },
  ],
  count: '17',
  systemic: false,
  solution: `<p>${text()}</p>`,
  otherinfo: `<p>${text()}</p>`,
  reference: `<p>https://refs.example/${text()}</p>`,
  cweid: '79',
  wascid: '8',
  sourceid: text(),
  tags: [{ tag: text(), link: `https://tags.example/${text()}` }],
  futureField: { of: text() },
};

const zap = (site: object): object => ({
  '@programName': 'ZAP',
  '@version': '2.16.0',
  '@generated': 'now',
  site: [site],
});
export const zapJson = zap({
  '@name': 'https://shop.example',
  '@host': 'shop.example',
  '@port': '443',
  '@ssl': 'true',
  alerts: [alert],
});

function xmlOf(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const [element] = name === 'tags' ? ['tag'] : [name.replace(/s$/, '')];
    return `<${name}>${value.map((one) => xmlOf(element ?? '', one)).join('')}</${name}>`;
  }
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, one]) => xmlOf(key.replace('-', ''), one))
          .join('')
      : String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<${name}>${inner}</${name}>`;
}

export const zapXml =
  '<?xml version="1.0"?><OWASPZAPReport programName="ZAP" version="2.16.0" generated="now">' +
  '<site name="https://shop.example" host="shop.example" port="443" ssl="true"><alerts>' +
  `${xmlOf('alertitem', alert)}</alerts></site></OWASPZAPReport>`;

export const line: Fields = {
  'template-id': 'only-here-template',
  'template-path': `/templates/${text()}.yaml`,
  'template-url': `https://templates.example/${text()}`,
  'template-encoded': text(),
  template: `http/${text()}.yaml`,
  info: {
    name: text(),
    author: [text()],
    tags: ['cve', 'only-here-tag'],
    description: text(),
    impact: text(),
    remediation: text(),
    reference: [`https://refs.example/${text()}`],
    severity: 'critical',
    metadata: { 'max-request': number(), vendor: text() },
    classification: {
      'cve-id': ['cve-2026-54321'],
      'cwe-id': ['cwe-502'],
      'cvss-metrics': text(),
      'cvss-score': 9.75,
      'epss-score': 0.9375,
      cpe: `cpe:2.3:a:${text()}`,
    },
    'future-field': text(),
  },
  'matcher-name': text(),
  'extractor-name': text(),
  type: 'http',
  host: 'shop.example',
  port: '8443',
  scheme: 'https',
  url: 'https://shop.example:8443',
  path: `/${text()}`,
  'matched-at': `https://shop.example:8443/${text()}`,
  'matched-line': [number()],
  'extracted-results': [text()],
  request: `PATCH /${text()} HTTP/1.1\r\nx-one: ${text()}\r\n\r\n${text()}`,
  response: `HTTP/1.1 418 Teapot\r\nx-two: ${text()}\r\n\r\n${text()}`,
  ip: '192.0.2.77',
  timestamp: '2026-11-20T01:02:03.456Z',
  'curl-command': `curl ${text()}`,
  'matcher-status': true,
  interaction: { protocol: text(), 'raw-request': text() },
  meta: { username: text() },
  'issue-trackers': { jira: { id: text() } },
  'global-matchers': true,
  futureField: { of: text() },
};
