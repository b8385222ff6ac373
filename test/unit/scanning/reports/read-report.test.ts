import { describe, expect, it } from '@jest/globals';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { readWhole } from '../../../support/reports.js';

const nuclei = '{"template-id":"t","info":{"name":"n"},"host":"a.example"}';
const sarif = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"L"}},"results":[{"message":{"text":"m"}}]}]}';
const zap =
  '{"@programName":"ZAP","site":[{"@name":"http://a.example","alerts":[{"pluginid":"1","name":"n","riskcode":"1"}]}]}';
const bill = '{"bomFormat":"CycloneDX","vulnerabilities":[{"id":"CVE-2026-1234"}]}';
const trivy =
  '{"SchemaVersion":2,"ArtifactName":"x","Results":[{"Target":"a","Vulnerabilities":[{"VulnerabilityID":"V"}]}]}';
const audit = '{"auditReportVersion":2,"vulnerabilities":{"a":{"via":[{"source":1,"severity":"low"}]}}}';
const gitLab = '{"version":"15.0.0","vulnerabilities":[{"name":"n"}],"scan":{"type":"sast"}}';
const burp =
  '<?xml version="1.0"?>\n<!DOCTYPE issues [\n<!ELEMENT issues (issue*)>\n]>\n<issues burpVersion="1"><issue/></issues>';
const oldAudit = '{"advisories":{"1":{"id":1,"module_name":"a"}},"metadata":{}}';

describe('readReport', () => {
  it.each([
    ['gitlab', gitLab],
    ['gitlab', '{"version":"3.0","vulnerabilities":[{"category":"sast","identifiers":[]}]}'],
    ['burp-xml', burp],
    ['burp-xml', '<issues burpVersion="1"/>'],
    ['cyclonedx', bill],
    ['cyclonedx', '{"vulnerabilities":[],"bomFormat":"CycloneDX"}'],
    ['trivy-json', trivy],
    ['trivy-json', '{"Results":[],"ArtifactName":"x","SchemaVersion":2}'],
    ['npm-audit', audit],
    ['npm-audit', oldAudit],
    ['sarif', sarif],
    ['sarif', '{"runs":[],"version":"2.1.0"}'],
    ['sarif', `  \n${sarif}\n `],
    ['zap-json', zap],
    ['nuclei-jsonl', nuclei],
    ['nuclei-jsonl', `\n\n${nuclei}\n${nuclei}\n`],
    ['nuclei-jsonl', `[${nuclei}]`],
    ['nuclei-jsonl', `not json\n${nuclei}`],
    ['nuclei-jsonl', `{"level":"info"}\n${nuclei}`],
  ])('detects %s from %j', async (format, text) => {
    for (const pieceBytes of [1, 64 * 1024]) expect(await readWhole(text, { pieceBytes })).toMatchObject({ format });
  });

  it.each([
    ['', 'The report is empty'],
    ['   \n', 'The report is empty'],
    ['\ufeff\n', 'The report is empty'],
    ['{}', 'The format of the report is not supported'],
    ['[]', 'The format of the report is not supported'],
    ['5', 'The format of the report is not supported'],
    ['"runs"', 'The format of the report is not supported'],
    ['{"runs":5,"site":"x"}', 'The format of the report is not supported'],
    ['{"results":[{"check_id":"x"}],"errors":[]}', 'looks like Semgrep’s own JSON'],
    ['<?xml version="1.0"?><OWASPZAPReport>', 'not valid XML'],
    [
      '<?xml version="1.0"?>\n<testsuites><testsuite/></testsuites>',
      'looks like JUnit XML: the supported formats are SARIF',
    ],
    ['<testsuite tests="1"/>', 'looks like JUnit XML'],
    ['<!-- made by x -->\n<!DOCTYPE html><html></html>', 'looks like an HTML page'],
    ['<HTML><body>', 'looks like an HTML page'],
    ['\ufeff<?xml version="1.0"?><a:b xmlns:a="u"/>', 'looks like XML whose root is a:b'],
    ['<nmaprun scanner="nmap"></nmaprun>', 'looks like Nmap XML'],
    ['<?xml version="1.0"?><!-- no end', 'looks like XML'],
    ['id,severity,title\n1,high,XSS\n2,low,Header\n', 'looks like CSV'],
    ['id;severity;title\r\n1;high;XSS\r\n', 'looks like CSV'],
    ['PK\u0003\u0004rest', 'looks like a ZIP archive'],
    ['%PDF-1.7\n', 'looks like a PDF'],
    ['[{"filePath":"/a.js","messages":[]}]', 'looks like ESLint’s own JSON'],
    ['{"ClusterName":"c","Resources":[]}', 'looks like Trivy’s report of a cluster'],
    ['{"error":{"code":"ENOLOCK","summary":"x"}}', 'looks like the error of an npm audit that did not run'],
    ['<bom xmlns="u"/>', 'looks like CycloneDX XML (convert it'],
    ['<issues format="5" by="lint 4.1.0"/>', 'looks like Android Lint’s XML'],
    ['{"version":"15.0.0","vulnerabilities":[],"scan":{"type":"dast"}}', 'GitLab of the type dast'],
    ['<!DOCTYPE issues [<!ENTITY a "b">]><issues burpVersion="1"/>', 'declares an entity'],
    [`${burp}<issues/>`, 'not valid XML'],
    ['{"bomFormat":"Other"}', 'The format of the report is not supported'],
    ['{"bomFormat":{"a":"CycloneDX"}}', 'The format of the report is not supported'],
    ['{"SchemaVersion":"2","ArtifactName":5}', 'not Trivy’s JSON'],
    ['{"auditReportVersion":2}', 'not an audit by npm'],
    ['hello', 'not valid JSON: see byte 1'],
    [sarif.slice(0, -2), 'not valid JSON: it ends too early'],
    [sarif.slice(0, 30), 'not valid JSON: it ends too early'],
    [zap.slice(0, -9), 'not valid JSON: it ends too early'],
    [`${sarif}${sarif}`, 'not valid JSON'],
    [`{"runs":${'['.repeat(200)}`, 'it ends too early'],
    ['['.repeat(200), 'it ends too early'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, 'The format of the report is not supported'],
    ['{"a":'.repeat(200), 'it ends too early'],
  ])('refuses %j', async (text, sentence) => {
    await expect(readWhole(text)).rejects.toThrow(sentence);
    await expect(readWhole(text)).rejects.toBeInstanceOf(Invalid);
  });

  it.each(['', ' \n', '\ufeff', '\ufeff \r\n'])(
    'accepts %j as a clean scan with format=nuclei-jsonl only',
    async (text) => {
      expect(await readWhole(text, { format: 'nuclei-jsonl' })).toMatchObject({
        format: 'nuclei-jsonl',
        findings: [],
        skipped: [],
      });
      for (const format of [undefined, 'sarif', 'zap-json', 'zap-xml'] as const) {
        const read = readWhole(text, format === undefined ? {} : { format });
        await expect(read).rejects.toThrow(
          'For a clean scan by Nuclei, which writes nothing when it finds nothing, send format=nuclei-jsonl',
        );
      }
    },
  );

  it.each([sarif, zap, `[${nuclei}]`, bill, trivy, audit, oldAudit, gitLab, burp])(
    'refuses %j truncated at any point',
    async (text) => {
      for (let length = 0; length < text.length; length++) {
        await expect(readWhole(text.slice(0, length))).rejects.toBeInstanceOf(Invalid);
      }
    },
  );
});
