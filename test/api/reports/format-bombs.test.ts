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
