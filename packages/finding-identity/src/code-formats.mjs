// Writers of reports about code. Each takes findings, and what differs from run to run.

const json = (value) => `${JSON.stringify(value, null, 1)}\n`;
const levels = { HIGH: 'error', MEDIUM: 'warning', LOW: 'note' };

function sarif({ findings, version, root }, hasPrints) {
  const rules = [...new Map(findings.map((one) => [one.rule, one])).values()];
  return json({
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [
      {
        tool: {
          driver: {
            name: 'CodeLook',
            version,
            rules: rules.map(({ rule, formerRule, title }) => ({
              id: rule,
              ...(formerRule ? { deprecatedIds: [formerRule] } : {}),
              shortDescription: { text: title },
            })),
          },
        },
        results: findings.map(({ rule, severity, message, file, line, code, print }) => ({
          ruleId: rule,
          level: levels[severity],
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: root === undefined ? file : `file://${root}/${file}` },
                region: { startLine: line, snippet: { text: code } },
              },
            },
          ],
          ...(hasPrints ? { partialFingerprints: { 'primaryLocationLineHash/v1': print } } : {}),
        })),
      },
    ],
  });
}

function gitLabReport(type, scanner, version, vulnerabilities) {
  return json({
    version: '15.0.7',
    vulnerabilities,
    scan: {
      type,
      status: 'success',
      scanner: { id: scanner.toLowerCase(), name: scanner, version, vendor: { name: 'Acme' } },
      start_time: '2026-11-27T03:00:00',
      end_time: '2026-11-27T03:01:00',
    },
  });
}

function gitLabSast({ findings, version, run }) {
  const vulnerabilities = findings.map(({ rule, severity, title, message, file, line, print }, at) => ({
    id: `${run}-${at}`,
    name: title,
    description: message,
    severity: `${severity.slice(0, 1)}${severity.slice(1).toLowerCase()}`,
    identifiers: [{ type: 'codelook_id', name: rule, value: rule }],
    location: { file, start_line: line },
    tracking: {
      type: 'source',
      items: [{ file, start_line: line, signatures: [{ algorithm: 'scope_offset', value: `${file}|${print}:1` }] }],
    },
  }));
  return gitLabReport('sast', 'CodeLook', version, vulnerabilities);
}

function gitLabSecrets({ findings, version, run }) {
  const vulnerabilities = findings.map(({ rule, title, file, line, print }, at) => ({
    id: `${run}-${at}`,
    name: title,
    description: `${title} was found`,
    severity: 'Critical',
    raw_source_code_extract: `not-a-real-secret-${print}`,
    identifiers: [{ type: 'secretlook_rule_id', name: `Rule ${rule}`, value: rule }],
    location: { file, start_line: line, end_line: line },
  }));
  return gitLabReport('secret_detection', 'SecretLook', version, vulnerabilities);
}

function trivyMisconfigurations({ findings, version, isNewForm }) {
  return json({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Trivy: { Version: version },
    Results: findings.map(({ number, severity, title, message, file, line, print }) => ({
      Target: file,
      Class: 'config',
      Type: 'terraform',
      Misconfigurations: [
        {
          // Newer versions write one id, older ones another beside AVD's.
          ID: isNewForm ? `AWS-${number}` : `AVD-AWS-${number}`,
          ...(isNewForm ? {} : { AVDID: `AVD-AWS-${number}` }),
          Title: title,
          Message: message,
          Severity: severity,
          Status: 'FAIL',
          CauseMetadata: { Resource: `aws_s3_bucket.${print}`, StartLine: line, EndLine: line + 2 },
        },
      ],
    })),
  });
}

function mapped({ findings, version, run }) {
  return json({
    scanner: { name: 'Acme Lint', version, run },
    problems: findings.map(({ rule, severity, title, message, file, line, print }) => ({
      check: rule,
      headline: title,
      risk: { HIGH: 9, MEDIUM: 5, LOW: 2 }[severity],
      text: message,
      where: { file, line },
      key: print,
    })),
  });
}

export const mapping = {
  tool: 'Acme Lint',
  findings: 'problems[]',
  name: 'headline',
  rule: 'check',
  severity: 'risk',
  severities: { 9: 'HIGH', 5: 'MEDIUM', 2: 'LOW' },
  path: 'where.file',
  line: 'where.line',
  description: 'text',
  fingerprint: 'key',
};

/** The formats by their names here: how they are written, and what of them is not for every scenario. */
export const codeFormats = {
  sarif: { extension: 'sarif', write: (run) => sarif(run, true), hasRoots: true, namesFormerIds: true },
  'sarif-without-fingerprints': {
    extension: 'sarif',
    write: (run) => sarif(run, false),
    hasRoots: true,
    namesFormerIds: true,
  },
  'gitlab-sast': { extension: 'json', write: gitLabSast },
  'gitlab-secrets': { extension: 'json', write: gitLabSecrets },
  'trivy-misconfigurations': { extension: 'json', write: trivyMisconfigurations },
  'mapped-json': { extension: 'json', write: mapped, mapping },
};
