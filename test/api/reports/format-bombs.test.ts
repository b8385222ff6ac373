import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secrets } from '../../../src/config/secrets.js';
import { ApiClient } from '../../support/api-client.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports, nucleiLine } from '../../support/report-imports.js';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const maxMegabytes = 450;

let shop: TestApp;
let organization: InsertedOrganization;
let dataDir: string;
let node: ServiceProcess;
beforeAll(async () => {
  shop = await startTestApp();
  organization = await insertOrganization(shop);
  dataDir = await mkdtemp(join(tmpdir(), 'store-format-bombs-'));
  const { jwtSecret, encryptionKey } = shop.app.get(Secrets);
  node = await startServiceProcess({
    DATABASE_URL: shop.database.url,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    JWT_SECRET: jwtSecret,
    ENCRYPTION_KEY: encryptionKey.toString('hex'),
    LOG_LEVEL: 'silent',
  });
}, 300_000);
afterAll(async () => {
  await node.stop('SIGKILL');
  await shop.close();
  await rm(dataDir, { recursive: true, force: true });
});

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

async function peakMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${node.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Imports the report twice at once, and requests /health meanwhile; returns the statuses of both. */
async function importTwice(report: string): Promise<{ statuses: number[]; health: Set<number> }> {
  const api = new ApiClient(node.baseUrl, () => undefined);
  const imports = new Imports(api, organization.member.token);
  const body = gzipSync(report, { level: 1 });
  const health = new Set<number>();
  const work = { done: false };
  const watching = (async () => {
    while (!work.done) {
      health.add((await fetch(`${node.baseUrl}/health`)).status);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const headers = { 'content-type': 'application/gzip' };
  const answers = await Promise.all([1, 2].map(() => imports.send(body, '?asset=https://a.example', headers)));
  work.done = true;
  await watching;
  return { statuses: answers.map(({ status }) => status), health };
}

describe('POST /api/v1/scans/import of a report that grows while it is read', () => {
  it.each(bombs)(
    'survives %s',
    async (_what, status, report) => {
      const { statuses, health } = await importTwice(report());
      expect(statuses).toEqual([status, status]);
      expect([...health]).toEqual([200]);
      expect(node.child.exitCode).toBeNull();
      expect(await peakMegabytes()).toBeLessThan(maxMegabytes);
    },
    120_000,
  );
});
