import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Asset } from '../../../src/scanning/assets/assets.dto.js';
import type { Issue, IssuePage } from '../../../src/scanning/issues/issues.dto.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import {
  FoundIssues,
  Imports,
  nucleiLine,
  sarifLog,
  sarifResult,
  zapAlert,
  zapReport,
} from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let issues: IssueCalls;
let found: FoundIssues;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  issues = new IssueCalls(app, acme.token);
  found = new FoundIssues(app.api, acme.token);
  imports = new Imports(app.api, acme.token);
});
afterAll(() => app.close());

const github = 'https://github.com/acme/shop';
const patchAsset = (id: string, json: object) =>
  app.api.send<Asset>('PATCH', `/api/v1/assets/${id}`, { token: acme.token, json });

/** The issue of a report with one finding. */
async function issueOf(report: object | string): Promise<Issue> {
  const { scan } = await imports.import(report);
  const [issue] = await found.list(`&scanIds=${scan.id}`);
  return issues.get(issue?.id ?? '');
}

async function append(scanId: string, event: object): Promise<void> {
  const own = { title: 'Tried', description: '', level: 'INFO', stage: 'EXECUTION' };
  const { status } = await app.api.post(`/api/v1/scans/${scanId}/events`, {
    token: acme.token,
    json: [{ ...own, ...event }],
  });
  expect(status).toBe(201);
}

describe('The evidence of an issue', () => {
  it('is the snippet of SARIF with its true line, beside the steps of its flow', async () => {
    const at = (startLine: number) => ({
      location: { physicalLocation: { artifactLocation: { uri: 'src/in.ts' }, region: { startLine } } },
    });
    const codeFlows = [{ threadFlows: [{ locations: [at(3), at(8)] }] }];
    const { evidence, location } = await issueOf(sarifLog([sarifResult('flow', 'src/in.ts', { codeFlows })]));
    expect(evidence.map(({ type }) => type)).toEqual(['SNIPPET', 'FLOW']);
    expect(evidence[0]).toMatchObject({ snippet: { content: 'eval(x)', startLine: 3 }, exchange: null, steps: [] });
    expect(evidence[0]?.eventId).toMatch(/^[0-9a-f-]{36}$/);
    expect(evidence[1]).toMatchObject({ steps: [{ startLine: 3 }, { startLine: 8 }], eventId: null, createdAt: null });
    expect(location).toMatchObject({ path: 'src/in.ts', startLine: 3, url: null });
  });

  it('is the request and response of ZAP and of Nuclei', async () => {
    const header = {
      'request-header': 'GET https://shop.example/1 HTTP/1.1\r\nHost: shop.example',
      'response-header': 'HTTP/1.1 200 OK',
    };
    const instances = [{ uri: 'https://shop.example/1', method: 'GET', param: '', ...header }];
    const zap = await issueOf(zapReport([zapAlert('4711', { instances })]));
    expect(zap.evidence[0]).toMatchObject({
      type: 'EXCHANGE',
      exchange: { request: { method: 'GET' }, response: { status: 200 } },
    });
    expect(zap.location).toMatchObject({ url: 'https://shop.example/1', path: null });
    const more = { request: 'GET /t HTTP/1.1\r\nHost: shop.example\r\n\r\n', response: 'HTTP/1.1 500 Oops\r\n\r\n' };
    const nuclei = await issueOf(nucleiLine('t', more));
    expect(nuclei.evidence[0]).toMatchObject({ type: 'EXCHANGE', exchange: { response: { status: 500 } } });
  });

  it('is what the newest event with attachments has, after a change too', async () => {
    const scan = await acme.scan();
    const id = await issues.one(scan.id, finding((await acme.asset()).id, { name: 'Newest' }));
    const screenshot = { url: 'https://scans.example.com/login.png', alt: 'Login' };
    await append(scan.id, {
      issueIds: [id],
      attachments: [{ type: 'SNIPPET', snippet: { content: 'old' } }],
      createdAt: new Date(Date.now() - 60_000),
    });
    await append(scan.id, { issueIds: [id], attachments: [{ type: 'SCREENSHOT', screenshot }] });
    await append(scan.id, { issueIds: [id] });
    const shown = (await issues.get(id)).evidence;
    expect(shown.map(({ screenshot: one }) => one)).toEqual([screenshot]);
    expect((await issues.patch(id, { status: 'MANUAL_REVIEW' })).body.evidence).toEqual(shown);
  });

  it('is none without attachments and report, and the place is that of the first target', async () => {
    const scan = await acme.scan();
    const codeFile = { language: 'ts', path: 'src/b.ts', line: 7 };
    const asset = (await acme.asset()).id;
    const id = await issues.one(scan.id, finding(asset, { name: 'Bare', targets: [{ targetUid: 'b', codeFile }] }));
    expect(await issues.get(id)).toMatchObject({
      evidence: [],
      location: { path: 'src/b.ts', startLine: 7, url: null },
    });
    expect((await patchAsset(asset, { sourceUrl: github })).body.sourceUrl).toBe(github);
    expect((await issues.get(id)).location?.url).toBe(`${github}/blob/HEAD/src/b.ts#L7`);
  });
});

describe('The sourceUrl of an asset', () => {
  it('leads from each place to its line, until it is taken away', async () => {
    const related = [{ physicalLocation: { artifactLocation: { uri: 'src/other.ts' }, region: { startLine: 9 } } }];
    const { id, assetId } = await issueOf(
      sarifLog([sarifResult('linked', 'src/linked.ts', { relatedLocations: related })]),
    );
    const { status, body } = await patchAsset(assetId, { sourceUrl: `${github}.git` });
    expect([status, body.sourceUrl]).toEqual([200, `${github}.git`]);
    const { location, locations, evidence } = await issues.get(id);
    expect(location?.url).toBe(`${github}/blob/HEAD/src/linked.ts#L3`);
    expect(locations[0]?.url).toBe(location?.url);
    expect(evidence.flatMap(({ steps }) => steps.map(({ url }) => url))).toEqual([
      `${github}/blob/HEAD/src/other.ts#L9`,
    ]);
    await imports.import(
      sarifLog([sarifResult('linked', 'src/linked.ts', { relatedLocations: related })]),
      '?branch=main&defaultBranch=main&commit=c0ffee1234',
    );
    expect((await issues.get(id)).location?.url).toBe(`${github}/blob/c0ffee1234/src/linked.ts#L3`);
    expect((await patchAsset(assetId, { name: 'Renamed' })).body.sourceUrl).toBe(`${github}.git`);
    expect((await patchAsset(assetId, { sourceUrl: null })).body.sourceUrl).toBeNull();
    expect((await issues.get(id)).location?.url).toBeNull();
  });

  it.each([
    'http://github.com/a/b',
    'https://github.com/a',
    'https://u:p@github.com/a/b',
    'javascript:alert(1)',
    `https://x/a/${'b'.repeat(3_000)}`,
    '',
    7,
  ])('is refused as %s', async (sourceUrl) => {
    const { id } = await acme.asset();
    expect((await patchAsset(id, { sourceUrl })).status).toBe(422);
  });
});

describe('GET /api/v1/issues/{id}/similar', () => {
  it('lists the other issues of the rule, newest first, in pages', async () => {
    const files = ['src/one.ts', 'src/two.ts', 'src/three.ts'];
    await imports.import(sarifLog([...files.map((file) => sarifResult('everywhere', file)), sarifResult('elsewhere')]));
    const all = (await found.list('&rule=everywhere')).map(({ id }) => id);
    expect(all).toHaveLength(3);
    const [newest = '', ...others] = all;
    const page = async (query = '') =>
      (await app.api.get<IssuePage>(`/api/v1/issues/${newest}/similar${query}`, { token: acme.token })).body;
    expect((await page()).data.map(({ id }) => id)).toEqual(others);
    const first = await page('?size=1');
    expect(first.data.map(({ id }) => id)).toEqual(others.slice(0, 1));
    const rest = await page(`?size=1&cursor=${first.nextCursor ?? ''}`);
    expect([rest.data.map(({ id }) => id), rest.nextCursor]).toEqual([others.slice(1), null]);
  });

  it('is not found for an issue of another organization', async () => {
    const [issue] = await found.list();
    const other = await insertOrganization(app);
    const answer = await app.api.get(`/api/v1/issues/${issue?.id ?? ''}/similar`, { token: other.member.token });
    expect(answer.status).toBe(404);
  });
});
