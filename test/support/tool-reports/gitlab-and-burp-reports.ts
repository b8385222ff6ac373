import type { ToolReport } from './expected-import.js';

// Small reports in the structure that the tools' own documentation shows; all names and secrets in them are made up.

const query = '?asset=https://code.example/acme/shop';
const assets = ['asset://code-project/code.example/acme/shop'];

const scan = (type: string, name: string): object => ({
  analyzer: { id: name.toLowerCase(), name, version: '4.2.0', vendor: { name: 'GitLab' } },
  scanner: { id: name.toLowerCase(), name, version: '1.0.0', vendor: { name: 'GitLab' } },
  type,
  start_time: '2026-11-22T04:00:00',
  end_time: '2026-11-22T04:01:00',
  status: 'success',
});

const sast: ToolReport = {
  tool: 'GitLab SAST',
  query,
  content: {
    version: '15.0.7',
    vulnerabilities: [
      {
        id: '0a1b',
        name: 'SQL injection',
        description: 'The query depends on what the user gives.',
        severity: 'High',
        solution: 'Use parameters',
        identifiers: [
          { type: 'semgrep_id', name: 'js.sql', value: 'js.sql', url: 'https://rules.example/js.sql' },
          { type: 'cwe', name: 'CWE-89', value: '89', url: 'https://cwe.mitre.org/data/definitions/89.html' },
        ],
        location: { file: 'src/orders.js', start_line: 12, end_line: 13, method: 'find' },
        tracking: {
          type: 'source',
          items: [
            { file: 'src/orders.js', signatures: [{ algorithm: 'scope_offset', value: 'src/orders.js|find[0]:3' }] },
          ],
        },
      },
    ],
    scan: scan('sast', 'Semgrep'),
  },
  findings: 1,
  issues: [['js.sql', 'HIGH', 'INJECTION']],
  assets,
  targets: ['src/orders.js'],
};

const failed: ToolReport = {
  tool: 'GitLab SAST that failed',
  query,
  content: {
    version: '15.0.7',
    vulnerabilities: [
      {
        name: 'Found before',
        severity: 'Low',
        identifiers: [{ type: 'a', name: 'early', value: 'early' }],
        location: { file: 'src/early.js' },
      },
    ],
    scan: { ...scan('sast', 'Semgrep'), status: 'failure', messages: [{ level: 'fatal', value: 'Out of memory' }] },
  },
  findings: 1,
  issues: [['early', 'LOW', 'CUSTOM']],
  assets,
  targets: ['src/early.js'],
  status: 'FAILED',
};

const secrets: ToolReport = {
  tool: 'GitLab secret detection',
  query,
  content: {
    version: '15.0.7',
    vulnerabilities: [
      {
        id: '0c1d',
        name: 'Password in URL',
        description: 'A password was found',
        severity: 'Critical',
        raw_source_code_extract: 'postgres://shop:tr0ub4dor@db.example/shop',
        identifiers: [{ type: 'gitleaks_rule_id', name: 'Gitleaks rule ID url', value: 'url' }],
        location: { file: '.env', commit: { sha: '0000000' }, start_line: 3, end_line: 3 },
      },
    ],
    scan: scan('secret_detection', 'Gitleaks'),
  },
  findings: 1,
  issues: [['url', 'CRITICAL', 'SENSITIVE_DATA']],
  assets,
  targets: ['.env'],
};

const dependencies: ToolReport = {
  tool: 'GitLab dependency scanning, with a remediation',
  query,
  content: {
    version: '15.0.7',
    vulnerabilities: [
      {
        id: '0e1f',
        name: 'Prototype pollution in cart',
        description: 'The cart merges what it is given.',
        severity: 'Medium',
        identifiers: [
          { type: 'gemnasium', name: 'Gemnasium-1', value: '1' },
          { type: 'cve', name: 'CVE-2026-10001', value: 'CVE-2026-10001', url: 'https://cve.example/1' },
          { type: 'cwe', name: 'CWE-1321', value: '1321' },
        ],
        links: [{ url: 'https://acme.example/advisories/1' }],
        location: { file: 'package-lock.json', dependency: { package: { name: '@acme/cart' }, version: '1.0.0' } },
      },
    ],
    remediations: [{ fixes: [{ id: '0e1f' }], summary: 'Upgrade cart', diff: 'ZGlmZg==' }],
    dependency_files: [{ path: 'package-lock.json', package_manager: 'npm', dependencies: [] }],
    scan: scan('dependency_scanning', 'Gemnasium'),
  },
  findings: 1,
  issues: [['CVE-2026-10001', 'MEDIUM', 'INJECTION']],
  assets,
  targets: ['package-lock.json'],
};

const request = Buffer.from('GET /login?user=a HTTP/1.1\r\nHost: shop.example\r\n\r\n').toString('base64');
const response = Buffer.from('HTTP/1.1 500 Oops\r\nServer: x\r\n\r\nSQL error').toString('base64');

const burp: ToolReport = {
  tool: 'Burp Suite, with its document type',
  content: `<?xml version="1.0"?>
<!DOCTYPE issues [
<!ELEMENT issues (issue*)>
<!ATTLIST issues burpVersion CDATA "">
<!ELEMENT issue (serialNumber, type, name, host, path, location, severity, confidence, issueBackground?)>
]>
<issues burpVersion="2026.1" exportTime="Fri Nov 27 03:00:00 UTC 2026">
  <issue>
    <serialNumber>1001</serialNumber>
    <type>1049088</type>
    <name><![CDATA[SQL injection]]></name>
    <host ip="192.0.2.7">https://shop.example</host>
    <path><![CDATA[/login]]></path>
    <location><![CDATA[/login [user parameter]]]></location>
    <severity>High</severity>
    <confidence>Firm</confidence>
    <issueBackground><![CDATA[<p>Queries that are built of input.</p>]]></issueBackground>
    <remediationBackground><![CDATA[<p>Use parameters.</p>]]></remediationBackground>
    <references><![CDATA[<ul><li><a href="https://academy.example/sql">SQL injection</a></li></ul>]]></references>
    <vulnerabilityClassifications><![CDATA[<ul><li><a href="https://cwe.example/89">CWE-89: SQL</a></li></ul>]]></vulnerabilityClassifications>
    <issueDetail><![CDATA[The parameter <b>user</b> seems to be vulnerable.]]></issueDetail>
    <requestresponse>
      <request method="GET" base64="true"><![CDATA[${request}]]></request>
      <response base64="true"><![CDATA[${response}]]></response>
      <responseRedirected>false</responseRedirected>
    </requestresponse>
  </issue>
  <issue>
    <serialNumber>1002</serialNumber>
    <type>5244416</type>
    <name>Cookie without HttpOnly</name>
    <host ip="192.0.2.7">https://shop.example</host>
    <path>/</path>
    <location>/</location>
    <severity>False positive</severity>
  </issue>
</issues>`,
  findings: 2,
  issues: [
    ['1049088', 'HIGH', 'INJECTION'],
    ['5244416', 'INFO', 'CUSTOM', 'FALSE_POSITIVE'],
  ],
  assets: ['asset://frontend/shop.example'],
  targets: ['https://shop.example/', 'https://shop.example/login'],
};

const mapping = {
  tool: 'Acme Lint',
  findings: 'scan.problems[]',
  name: 'headline',
  rule: ['check.id', 'check'],
  severity: 'risk',
  severities: { 4: 'HIGH' },
  otherwise: 'LOW',
  path: 'where.file',
  line: 'where.line',
  identifiers: 'refs',
  description: 'text',
};

const mapped: ToolReport = {
  tool: 'another tool, by a mapping',
  query: `${query}&mapping=${encodeURIComponent(JSON.stringify(mapping))}`,
  content: {
    scan: {
      problems: [
        { check: 'tls-1.0', headline: 'TLS 1.0', risk: 4, where: { file: 'nginx.conf', line: 12 }, refs: ['CWE-327'] },
        { check: { id: 'odd' }, risk: 'unheard of', where: [{ file: 'a.conf' }, { file: 'b.conf' }] },
        { risk: 4 },
      ],
    },
  },
  findings: 3,
  skipped: 1,
  issues: [
    ['odd', 'LOW', 'CUSTOM'],
    ['tls-1.0', 'HIGH', 'SENSITIVE_DATA'],
  ],
  assets,
  targets: ['a.conf', 'nginx.conf'],
};

export const gitLabAndBurpReports = [sast, failed, secrets, dependencies, burp, mapped];
