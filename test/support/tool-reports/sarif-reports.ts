import type { ToolReport } from './expected-import.js';

// Small reports in the structure that the tools' own documentation and writers show; all names in them are made up.

const region = (startLine: number, text?: string): object => ({
  startLine,
  startColumn: 5,
  endLine: startLine,
  endColumn: 40,
  ...(text === undefined ? {} : { snippet: { text } }),
});

const inFile = (uri: string, line: number, more: object = {}): object => ({
  physicalLocation: { artifactLocation: { uri, ...more }, region: region(line, 'the line') },
});

const log = (run: object): object => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [run],
});

const semgrep: ToolReport = {
  tool: 'Semgrep',
  query: '?asset=https://code.example/acme/shop',
  content: log({
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
    tool: {
      driver: {
        name: 'Semgrep OSS',
        semanticVersion: '1.90.0',
        rules: [
          {
            id: 'javascript.lang.sqli',
            name: 'javascript.lang.sqli',
            shortDescription: { text: 'Semgrep Finding: javascript.lang.sqli' },
            fullDescription: { text: 'User data flows into a manually built query.' },
            defaultConfiguration: { level: 'error' },
            help: { text: 'Bind it.', markdown: 'Bind it.' },
            properties: {
              precision: 'very-high',
              tags: [
                "CWE-89: Improper Neutralization of Special Elements ('SQL Injection')",
                'HIGH CONFIDENCE',
                'security',
              ],
            },
          },
        ],
      },
    },
    results: [
      {
        ruleId: 'javascript.lang.sqli',
        message: { text: 'User data flows into a manually built query.' },
        fingerprints: { 'matchBasedId/v1': 'f3a1_0' },
        locations: [inFile('src/orders.js', 12, { uriBaseId: '%SRCROOT%' })],
        properties: {},
      },
      {
        ruleId: 'javascript.lang.sqli',
        message: { text: 'User data flows into a manually built query.' },
        fingerprints: { 'matchBasedId/v1': 'f3a1_1' },
        locations: [inFile('src/legacy.js', 3, { uriBaseId: '%SRCROOT%' })],
        suppressions: [{ kind: 'inSource' }],
        properties: {},
      },
    ],
  }),
  findings: 2,
  issues: [
    ['javascript.lang.sqli', 'HIGH', 'INJECTION', 'IGNORED'],
    ['javascript.lang.sqli', 'HIGH', 'INJECTION', 'OPEN'],
  ],
  assets: ['asset://code-project/code.example/acme/shop'],
  targets: ['src/legacy.js', 'src/orders.js'],
};

const codeql: ToolReport = {
  tool: 'CodeQL',
  content: log({
    tool: {
      driver: { name: 'CodeQL', organization: 'GitHub', semanticVersion: '2.19.0', notifications: [], rules: [] },
      extensions: [
        {
          name: 'codeql/javascript-queries',
          semanticVersion: '1.2.0+abc',
          locations: [{ uri: 'file:///opt/codeql/', description: { text: 'The QL pack root directory.' } }],
          rules: [
            {
              id: 'js/reflected-xss',
              name: 'js/reflected-xss',
              shortDescription: { text: 'Reflected cross-site scripting' },
              fullDescription: { text: 'Writing user input directly to a page allows for scripting.' },
              defaultConfiguration: { enabled: true, level: 'error' },
              properties: {
                tags: ['security', 'external/cwe/cwe-079', 'external/cwe/cwe-116'],
                kind: 'path-problem',
                'problem.severity': 'error',
                'security-severity': '7.8',
              },
            },
          ],
        },
      ],
    },
    automationDetails: { id: '.github/workflows/codeql.yml:analyze/language:javascript/' },
    versionControlProvenance: [
      { repositoryUri: 'https://code.example/acme/shop.git', revisionId: 'd3b07384', branch: 'refs/heads/main' },
    ],
    invocations: [
      { executionSuccessful: true, toolExecutionNotifications: [{ level: 'none', message: { text: '' } }] },
    ],
    artifacts: [{ location: { uri: 'src/pages/search%20page.js', uriBaseId: '%SRCROOT%', index: 0 } }],
    results: [
      {
        ruleId: 'js/reflected-xss',
        rule: { id: 'js/reflected-xss', index: 0, toolComponent: { index: 0 } },
        message: { text: 'Cross-site scripting vulnerability due to a [user-provided value](1).' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'src/pages/search%20page.js', uriBaseId: '%SRCROOT%', index: 0 },
              region: region(29),
            },
          },
        ],
        partialFingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0:1' },
        codeFlows: [{ threadFlows: [{ locations: [] }] }],
        relatedLocations: [{ id: 1, ...inFile('src/pages/other.js', 3) }],
      },
    ],
    columnKind: 'utf16CodeUnits',
  }),
  findings: 1,
  issues: [['js/reflected-xss', 'HIGH', 'INJECTION', 'OPEN']],
  assets: ['asset://code-project/code.example/acme/shop'],
  targets: ['src/pages/search page.js'],
};

const trivy: ToolReport = {
  tool: 'Trivy',
  query: '?asset=registry.example/acme/shop',
  content: log({
    tool: {
      driver: {
        fullName: 'Trivy Vulnerability Scanner',
        informationUri: 'https://scanner.example',
        name: 'Trivy',
        rules: [
          {
            id: 'CVE-2023-0286',
            name: 'OsPackageVulnerability',
            shortDescription: { text: 'openssl: type confusion' },
            fullDescription: { text: 'There is a type confusion vulnerability.' },
            defaultConfiguration: { level: 'error' },
            properties: {
              precision: 'very-high',
              'security-severity': '7.4',
              tags: ['vulnerability', 'security', 'HIGH'],
            },
          },
          {
            id: 'DS002',
            name: 'Misconfiguration',
            shortDescription: { text: 'Image user should not be root' },
            defaultConfiguration: { level: 'error' },
            properties: { 'security-severity': '8.0', tags: ['misconfiguration', 'security', 'HIGH'] },
          },
        ],
      },
    },
    results: [
      {
        ruleId: 'CVE-2023-0286',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'Package: libcrypto3\nInstalled Version: 3.0.7-r0' },
        locations: [
          { ...inFile('acme/shop', 1, { uriBaseId: 'ROOTPATH' }), message: { text: 'acme/shop: libcrypto3@3.0.7-r0' } },
        ],
      },
      {
        ruleId: 'DS002',
        ruleIndex: 1,
        level: 'error',
        message: { text: 'Artifact: Dockerfile' },
        locations: [inFile('Dockerfile', 1, { uriBaseId: 'ROOTPATH' })],
      },
    ],
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { ROOTPATH: { uri: 'file:///' } },
    properties: { imageName: 'registry.example/acme/shop:1.0', repoTags: ['registry.example/acme/shop:1.0'] },
  }),
  findings: 2,
  issues: [
    ['CVE-2023-0286', 'HIGH', 'CUSTOM', 'OPEN'],
    ['DS002', 'HIGH', 'CUSTOM', 'OPEN'],
  ],
  assets: ['asset://code-project/registry.example/acme/shop'],
  targets: ['Dockerfile', 'acme/shop'],
};

const gitleaks: ToolReport = {
  tool: 'Gitleaks',
  query: '?asset=git@code.example:acme/shop.git',
  content: log({
    tool: {
      driver: {
        name: 'gitleaks',
        semanticVersion: 'v8.0.0',
        rules: [
          {
            id: 'aws-access-token',
            shortDescription: { text: 'Identified a pattern that may indicate AWS credentials.' },
          },
        ],
      },
    },
    results: ['0a1b', '2c3d'].map((commitSha) => ({
      message: { text: `aws-access-token has detected secret for file config/app.yml at commit ${commitSha}.` },
      ruleId: 'aws-access-token',
      locations: [inFile('config/app.yml', 4)],
      partialFingerprints: {
        commitSha,
        email: 'ada@code.example',
        author: 'Ada',
        date: '2026-11-01T00:00:00Z',
        commitMessage: 'x',
      },
      properties: { tags: [] },
    })),
  }),
  findings: 2,
  issues: [
    ['aws-access-token', 'MEDIUM', 'CUSTOM', 'OPEN'],
    ['aws-access-token', 'MEDIUM', 'CUSTOM', 'OPEN'],
  ],
  assets: ['asset://code-project/code.example/acme/shop'],
  targets: ['config/app.yml', 'config/app.yml'],
};

const checkov: ToolReport = {
  tool: 'Checkov',
  query: '?asset=infrastructure',
  content: log({
    tool: {
      driver: {
        name: 'Checkov',
        version: '3.2.0',
        organization: 'bridgecrew',
        rules: [
          {
            id: 'CKV_AWS_20',
            name: 'S3 Bucket has an ACL defined which allows public READ access.',
            shortDescription: { text: 'S3 Bucket has an ACL defined which allows public READ access.' },
            fullDescription: { text: 'S3 Bucket has an ACL defined which allows public READ access.' },
            help: { text: 'S3 Bucket has an ACL\nResource: aws_s3_bucket.data' },
            defaultConfiguration: { level: 'error' },
          },
        ],
      },
    },
    results: [1, 9].map((line) => ({
      ruleId: 'CKV_AWS_20',
      ruleIndex: 0,
      level: 'error',
      attachments: [],
      message: { text: 'S3 Bucket has an ACL defined which allows public READ access.' },
      locations: [inFile('main.tf', line)],
      ...(line === 9 ? { suppressions: [{ kind: 'external', justification: 'A page of the public' }] } : {}),
    })),
  }),
  findings: 2,
  issues: [
    ['CKV_AWS_20', 'HIGH', 'CUSTOM', 'IGNORED'],
    ['CKV_AWS_20', 'HIGH', 'CUSTOM', 'OPEN'],
  ],
  assets: ['asset://code-project/infrastructure'],
  targets: ['main.tf', 'main.tf'],
};

export const sarifReports = [semgrep, codeql, trivy, gitleaks, checkov];
