import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ImportNode } from '../../support/import-node.js';
import { nucleiLine } from '../../support/report-imports.js';

const maxMegabytes = 450;

let node: ImportNode;
beforeAll(async () => {
  node = await ImportNode.open();
});
afterAll(() => node.close());

function sarif(more: string): string {
  return `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[{"ruleId":"r","message":{"text":"m"}${more}}]}]}`;
}

function zapJson(more: string): string {
  return `{"@programName":"ZAP","site":[{"@name":"https://a.example","alerts":[{"pluginid":"1","name":"A"${more}}]}]}`;
}

function zapXml(description: string, attributes = ''): string {
  return (
    `<OWASPZAPReport programName="ZAP"${attributes}><site name="https://a.example"><alerts><alertitem><pluginid>1</pluginid>` +
    `<alert>A</alert><desc>${description}</desc></alertitem></alerts></site></OWASPZAPReport>`
  );
}

function nuclei(more: string): string {
  return `{"template-id":"t","host":"https://a.example",${more}}\n${nucleiLine('sound')}`;
}

function bill(more: string): string {
  return `{"bomFormat":"CycloneDX","components":[{"bom-ref":"a","purl":"pkg:npm/a@1"}],"vulnerabilities":[{"id":"CVE-2026-1"${more}}]}`;
}

function trivy(more: string): string {
  return `{"SchemaVersion":2,"ArtifactName":"a","Results":[{"Target":"t","Secrets":[{"RuleID":"r"${more}}]}]}`;
}

function audit(packages: string): string {
  return `{"auditReportVersion":2,"vulnerabilities":{${packages}}}`;
}

function burp(response: string, before = ''): string {
  return (
    `${before}<issues burpVersion="1"><issue><type>1</type><name>n</name><host>https://a.example</host><requestresponse>` +
    `<request base64="true">R0VUIC8gSFRUUC8xLjE=</request><response base64="true">${response}</response></requestresponse></issue></issues>`
  );
}

function gitLab(more: string): string {
  return `{"version":"15.0.0","scan":{"type":"secret_detection"},"vulnerabilities":[{"name":"n"${more}}]}`;
}

const million = 1_000_000;
const nested = `${'['.repeat(56)}${'0,'.repeat(1.9 * million)}0${']'.repeat(56)}`;
const attributes = Array.from({ length: 900 }, (_, at) => ` a${at}="${'&#65;'.repeat(5_000)}"`).join('');

const bombs: [string, number, () => string][] = [
  ['a SARIF number of 50 million digits', 422, () => sarif(`,"rank":${'1'.repeat(50 * million)}`)],
  ['a ZAP number of 50 million digits', 422, () => zapJson(`,"riskcode":${'1'.repeat(50 * million)}`)],
  ['a SARIF text of 3 million escapes', 201, () => sarif(`,"x":"${String.raw`\u0041`.repeat(3 * million)}"`)],
  ['an XML comment of 20 million hyphens', 201, () => zapXml(`d<!--${' -'.repeat(20 * million)}-->`)],
  ['an XML instruction of 20 million question marks', 201, () => zapXml(`d<?p ${' ?'.repeat(20 * million)}?>`)],
  ['a CDATA section of 20 million brackets', 201, () => zapXml(`<![CDATA[${' ]'.repeat(20 * million)}]]>`)],
  ['an XML text of 12 million references', 201, () => zapXml('&lt;'.repeat(12 * million))],
  ['XML attributes of 4.5 million references', 422, () => zapXml('d', attributes)],
  ['a vulnerability that affects 180,000 components', 201, () => bill(`,"affects":[${'{},'.repeat(180_000)}{}]`)],
  [
    'a bill of 300,000 components',
    201,
    () => bill(`},{"id":"b"`).replace('[{"bom-ref', `[${'{"bom-ref":"b","name":"n"},'.repeat(300_000)}{"bom-ref`),
  ],
  ['a secret in a line of 8 million characters', 201, () => trivy(`,"Match":"${'a1B2'.repeat(2 * million)}"`)],
  ['a secret in 1.9 million lines', 201, () => trivy(`,"Code":{"Lines":[${'0,'.repeat(190_000)}0]}`)],
  ['a package with 190,000 advisories', 201, () => audit(`"a":{"via":[${'{},'.repeat(190_000)}{"source":1}]}`)],
  ['400,000 packages that say nothing', 201, () => audit(`${'"a":{},'.repeat(400_000)}"b":{"via":[{"source":1}]}`)],
  ['Burp responses of 12 million characters', 201, () => burp('A'.repeat(12 * million))],
  [
    'a Burp document type of a million declarations',
    422,
    () => burp('QQ==', `<!DOCTYPE issues [${'<!ELEMENT a ANY>'.repeat(3.1 * million)}]>`),
  ],
  ['a secret of 8 million characters', 201, () => gitLab(`,"raw_source_code_extract":"${'a1B2'.repeat(2 * million)}"`)],
  ['a Nuclei interaction that nests deep', 201, () => nuclei(`"interaction":{"a":${nested}}`)],
  ['Nuclei references without end', 201, () => nuclei(`"info":{"reference":[${'[],'.repeat(1.3 * million)}[]]}`)],
];

/** Imports the report twice at once. */
function importTwice(report: string): Promise<number[]> {
  const body = gzipSync(report, { level: 1 });
  const send = async (): Promise<number> => (await node.send(body, '?asset=https://a.example')).status;
  return Promise.all([send(), send()]);
}

describe('POST /api/v1/scans/import of a report that grows while it is read', () => {
  it.each(bombs)('survives %s', async (_what, status, report) => {
    const { result, health } = await node.watch(importTwice(report()));
    expect(result).toEqual([status, status]);
    expect([node.isAlive, [...health]]).toEqual([true, [200]]);
    expect(await node.peakMegabytes()).toBeLessThan(maxMegabytes);
  });
});
