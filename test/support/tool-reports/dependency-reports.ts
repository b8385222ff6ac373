import type { ToolReport } from './expected-import.js';

// Small reports in the structure that the tools' own documentation shows; all names in them are made up.

const cyclonedx: ToolReport = {
  tool: 'CycloneDX 1.5 of an image, with statements of VEX',
  content: {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
    version: 1,
    metadata: {
      timestamp: '2026-11-22T04:00:00Z',
      tools: { components: [{ type: 'application', name: 'BillMaker', version: '1.4.0' }] },
      component: { 'bom-ref': 'root', type: 'container', name: 'registry.example/acme/shop:1.2' },
    },
    components: [
      {
        'bom-ref': 'a',
        type: 'library',
        name: 'cart',
        group: '@acme',
        version: '1.0.0',
        purl: 'pkg:npm/%40acme/cart@1.0.0',
      },
      {
        'bom-ref': 'b',
        type: 'operating-system',
        name: 'system',
        components: [
          {
            'bom-ref': 'c',
            name: 'libssl3',
            version: '3.0.11-1',
            purl: 'pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12',
          },
        ],
      },
    ],
    vulnerabilities: [
      {
        id: 'CVE-2026-10001',
        source: { name: 'NVD', url: 'https://nvd.example/CVE-2026-10001' },
        references: [{ id: 'GHSA-aaaa-bbbb-cccc', source: { name: 'GitHub', url: 'https://github.example/a' } }],
        ratings: [
          { source: { name: 'NVD' }, score: 5, severity: 'medium', method: 'CVSSv2' },
          { source: { name: 'NVD' }, score: 9.8, severity: 'critical', method: 'CVSSv31', vector: 'CVSS:3.1/AV:N' },
        ],
        cwes: [79],
        description: 'The cart shows what it is given.',
        recommendation: 'Update to 1.0.1',
        advisories: [{ url: 'https://acme.example/advisories/1' }],
        analysis: { state: 'exploitable' },
        affects: [{ ref: 'a', versions: [{ version: '1.0.0', status: 'affected' }] }],
      },
      {
        id: 'CVE-2026-10002',
        ratings: [{ score: 7.5, severity: 'high', method: 'CVSSv3' }],
        analysis: { state: 'not_affected', justification: 'code_not_reachable', response: ['will_not_fix'] },
        affects: [{ ref: 'a' }, { ref: 'c' }],
      },
      {
        id: 'CVE-2026-10003',
        ratings: [{ severity: 'low' }],
        analysis: { state: 'false_positive', detail: 'Another product of this name' },
        affects: [{ ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#c' }],
      },
      { id: 'CVE-2026-10004', analysis: { state: 'resolved' }, affects: [{ ref: 'c' }] },
      { id: 'CVE-2026-10005', affects: [{ ref: 'c', versions: [{ version: '3.0.11-1', status: 'unaffected' }] }] },
    ],
  },
  findings: 6,
  skipped: 2,
  issues: [
    ['CVE-2026-10001', 'CRITICAL', 'INJECTION'],
    ['CVE-2026-10002', 'HIGH', 'CUSTOM', 'IGNORED'],
    ['CVE-2026-10002', 'HIGH', 'CUSTOM', 'IGNORED'],
    ['CVE-2026-10003', 'LOW', 'CUSTOM', 'FALSE_POSITIVE'],
  ],
  assets: ['asset://cloud-component/registry.example/acme/shop'],
  targets: ['pkg:deb/debian/libssl3', 'pkg:deb/debian/libssl3', 'pkg:npm/@acme/cart', 'pkg:npm/@acme/cart'],
};

const trivyImage: ToolReport = {
  tool: 'Trivy of an image',
  content: {
    SchemaVersion: 2,
    CreatedAt: '2026-11-22T04:00:00Z',
    ArtifactName: 'registry.example/acme/shop:1.2',
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'debian', Name: '12.2' }, RepoTags: ['registry.example/acme/shop:1.2'] },
    Results: [
      {
        Target: 'registry.example/acme/shop:1.2 (debian 12.2)',
        Class: 'os-pkgs',
        Type: 'debian',
        Vulnerabilities: [
          {
            VulnerabilityID: 'CVE-2026-10002',
            PkgID: 'libssl3@3.0.11-1',
            PkgName: 'libssl3',
            PkgIdentifier: { PURL: 'pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12.2' },
            InstalledVersion: '3.0.11-1',
            FixedVersion: '3.0.13-1',
            Status: 'fixed',
            SeveritySource: 'debian',
            PrimaryURL: 'https://avd.example/nvd/cve-2026-10002',
            DataSource: { ID: 'debian', Name: 'Debian Security Tracker' },
            Title: 'openssl: loops without end',
            Description: 'A certificate makes OpenSSL loop.',
            Severity: 'HIGH',
            CweIDs: ['CWE-835'],
            CVSS: { nvd: { V3Vector: 'CVSS:3.1/AV:N', V3Score: 7.5 } },
            References: ['https://openssl.example/1'],
            Layer: { DiffID: 'sha256:1' },
          },
        ],
      },
      { Target: 'app/package-lock.json', Class: 'lang-pkgs', Type: 'npm' },
    ],
  },
  findings: 1,
  issues: [['CVE-2026-10002', 'HIGH', 'RESOURCE_LIMITATION']],
  assets: ['asset://cloud-component/registry.example/acme/shop'],
  targets: ['pkg:deb/debian/libssl3'],
};

const lines = (...content: string[]): object => ({
  Lines: content.map((Content, at) => ({ Number: at + 3, Content, IsCause: true, Truncated: false })),
});

const trivyFolder: ToolReport = {
  tool: 'Trivy of a folder: packages, configuration, secrets and licenses',
  query: '?asset=https://code.example/acme/shop',
  content: {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [
      {
        Target: 'api/package-lock.json',
        Class: 'lang-pkgs',
        Type: 'npm',
        Vulnerabilities: [
          {
            VulnerabilityID: 'GHSA-aaaa-bbbb-cccc',
            PkgName: '@acme/cart',
            InstalledVersion: '1.0.0',
            Severity: 'UNKNOWN',
          },
        ],
        ExperimentalModifiedFindings: [
          {
            Type: 'vulnerability',
            Status: 'not_affected',
            Statement: 'vulnerable_code_not_in_execute_path',
            Source: 'OpenVEX',
            Finding: {
              VulnerabilityID: 'CVE-2026-10009',
              PkgName: 'left',
              InstalledVersion: '1.0.0',
              Severity: 'CRITICAL',
            },
          },
          {
            Type: 'vulnerability',
            Status: 'fixed',
            Source: 'OpenVEX',
            Finding: {
              VulnerabilityID: 'CVE-2026-10010',
              PkgName: 'right',
              InstalledVersion: '1.0.0',
              Severity: 'LOW',
            },
          },
        ],
      },
      {
        Target: 'Dockerfile',
        Class: 'config',
        Type: 'dockerfile',
        MisconfSummary: { Successes: 1, Failures: 1 },
        Misconfigurations: [
          {
            Type: 'Dockerfile Security Check',
            ID: 'DS002',
            AVDID: 'AVD-DS-0002',
            Title: 'Image user should not be root',
            Description: 'A container of root can do everything.',
            Message: 'Specify at least 1 USER command',
            Resolution: 'Add a USER line',
            Severity: 'HIGH',
            PrimaryURL: 'https://avd.example/misconfig/ds002',
            References: ['https://docker.example/best-practices'],
            Status: 'FAIL',
            CauseMetadata: {
              Provider: 'Dockerfile',
              Service: 'general',
              StartLine: 3,
              EndLine: 3,
              Code: lines('FROM a'),
            },
          },
          { ID: 'DS001', AVDID: 'AVD-DS-0001', Title: 'Tag', Severity: 'LOW', Status: 'PASS' },
        ],
      },
      {
        Target: 'deploy/.env',
        Class: 'secret',
        Secrets: [
          {
            RuleID: 'aws-access-key-id',
            Category: 'AWS',
            Severity: 'CRITICAL',
            Title: 'AWS Access Key ID',
            StartLine: 3,
            EndLine: 3,
            Match: 'KEY=********************',
            Code: lines('KEY=********************'),
          },
        ],
      },
      {
        Target: 'Loose File License(s)',
        Class: 'license-file',
        Licenses: [
          {
            Severity: 'HIGH',
            Category: 'restricted',
            FilePath: 'LICENSE',
            Name: 'GPL-3.0-only',
            Confidence: 1,
            Link: '',
          },
        ],
      },
    ],
  },
  findings: 7,
  skipped: 2,
  issues: [
    ['CVE-2026-10009', 'CRITICAL', 'CUSTOM', 'IGNORED'],
    ['DS-0002', 'HIGH', 'CONFIGURATION'],
    ['GHSA-aaaa-bbbb-cccc', 'INFO', 'CUSTOM'],
    ['aws-access-key-id', 'CRITICAL', 'SENSITIVE_DATA'],
    ['license-GPL-3.0-only', 'HIGH', 'CUSTOM'],
  ],
  assets: ['asset://code-project/code.example/acme/shop'],
  targets: ['Dockerfile', 'LICENSE', 'api/package-lock.json', 'api/package-lock.json', 'deploy/.env'],
};

const npmAudit: ToolReport = {
  tool: 'npm audit of npm 7 and later',
  query: '?repository=https://code.example/acme/shop',
  content: {
    auditReportVersion: 2,
    vulnerabilities: {
      '@acme/cart': {
        name: '@acme/cart',
        severity: 'high',
        isDirect: true,
        via: [
          {
            source: 1_098_001,
            name: '@acme/cart',
            dependency: '@acme/cart',
            title: 'Prototype Pollution in the cart',
            url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
            severity: 'high',
            cwe: ['CWE-1321'],
            cvss: { score: 7.2, vectorString: 'CVSS:3.1/AV:N' },
            range: '<1.0.1',
          },
        ],
        effects: ['shop-kit'],
        range: '<1.0.1',
        nodes: ['node_modules/@acme/cart'],
        fixAvailable: { name: '@acme/cart', version: '2.0.0', isSemVerMajor: true },
      },
      'shop-kit': {
        name: 'shop-kit',
        severity: 'high',
        isDirect: true,
        via: ['@acme/cart'],
        effects: [],
        range: '*',
        nodes: ['node_modules/shop-kit'],
        fixAvailable: false,
      },
    },
    metadata: { vulnerabilities: { high: 2, total: 2 }, dependencies: { total: 3 } },
  },
  findings: 2,
  skipped: 1,
  issues: [['GHSA-aaaa-bbbb-cccc', 'HIGH', 'INJECTION']],
  assets: ['asset://code-project/code.example/acme/shop'],
  targets: ['pkg:npm/@acme/cart'],
};

const npm6Audit: ToolReport = {
  tool: 'npm audit of npm 6, which pnpm writes too',
  query: '?repository=https://code.example/acme/shop',
  content: {
    actions: [{ action: 'update', resolves: [], module: '@acme/cart', target: '1.0.1' }],
    advisories: {
      1_098_001: {
        findings: [{ version: '1.0.0', paths: ['.>@acme/cart'] }],
        id: 1_098_001,
        title: 'Prototype Pollution in the cart',
        module_name: '@acme/cart',
        vulnerable_versions: '<1.0.1',
        patched_versions: '>=1.0.1',
        severity: 'moderate',
        cwe: 'CWE-1321',
        cves: ['CVE-2026-10001'],
        github_advisory_id: 'GHSA-aaaa-bbbb-cccc',
        url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
        overview: 'The cart merges what it is given.',
        recommendation: 'Upgrade to version 1.0.1 or later',
        references: '- https://acme.example/advisories/1',
        access: 'public',
      },
    },
    muted: [],
    metadata: { vulnerabilities: { moderate: 1 }, totalDependencies: 3 },
  },
  findings: 1,
  issues: [['GHSA-aaaa-bbbb-cccc', 'MEDIUM', 'INJECTION']],
  assets: ['asset://code-project/code.example/acme/shop'],
  targets: ['pkg:npm/@acme/cart'],
};

export const dependencyReports = [cyclonedx, trivyImage, trivyFolder, npmAudit, npm6Audit];
