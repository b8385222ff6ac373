import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ThreatFeedsService } from '../../../src/scanning/threat-feeds/threat-feeds.service.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { FoundIssues, Imports } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let folder: string;
let server: Server;
let served: { status: number; body: string | Buffer };
let organization: InsertedOrganization;

const epssFile = (): string => join(folder, 'epss.csv.gz');

function epss(rows: [cve: string, epss: number][], date = '2026-11-27'): string {
  const lines = rows.map(([cve, score]) => `${cve},${score},0.5`);
  return `#model_version:v2026.03.01,score_date:${date}T00:00:00+0000\ncve,epss,percentile\n${lines.join('\n')}\n`;
}

function kev(cves: string[], date = '2026-11-27'): string {
  const vulnerabilities = cves.map((cveID) => ({ cveID, dateAdded: date, knownRansomwareCampaignUse: 'Unknown' }));
  return JSON.stringify({ title: 'Known', catalogVersion: date, dateReleased: `${date}T12:00:00Z`, vulnerabilities });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feeds-'));
  server = createServer((_request, response) => response.writeHead(served.status).end(served.body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/kev.json`;
  app = await startTestApp({
    env: { THREAT_FEEDS: `epss=${epssFile()},kev=${address}`, EGRESS_ALLOW: '127.0.0.1' },
  });
});
afterAll(async () => {
  await app.close();
  server.close();
  await rm(folder, { recursive: true });
});

const read = (): Promise<void> => app.nest.get(ThreatFeedsService).readAll();

const known: [string, number][] = [
  ['CVE-2026-20001', 0.02],
  ['CVE-2026-20002', 0.9321],
  ['CVE-2026-20003', 0.0004],
];

async function readWhole(): Promise<void> {
  await app.database.rows('DELETE FROM threat_feeds');
  await writeFile(epssFile(), gzipSync(epss(known)));
  served = { status: 200, body: kev(['CVE-2026-20003']) };
  await read();
}

beforeEach(async () => {
  organization = await insertOrganization(app);
  await readWhole();
});

/** Imports one vulnerability that has these ids. */
async function importIssue(...[id = '', ...aliases]: string[]): Promise<void> {
  await new Imports(app.api, organization.member.token).import(
    {
      bomFormat: 'CycloneDX',
      metadata: { component: { type: 'container', name: 'acme/shop' } },
      vulnerabilities: [{ id, references: aliases.map((one) => ({ id: one })), description: 'd' }],
    },
    '',
  );
}

async function issues(): Promise<unknown[]> {
  const list = await new FoundIssues(app.api, organization.viewer.token).list();
  return list.map(({ securityTestUid, epss: score, kev: isKnown }) => [securityTestUid, score, isKnown]).reverse();
}

async function feeds(): Promise<Record<string, { entries: number; fault: string | null }>> {
  const rows = await app.database.rows<{ kind: string; entries: number; fault: string | null }>(
    'SELECT kind, entries, fault FROM threat_feeds',
  );
  return Object.fromEntries(rows.map(({ kind, ...feed }) => [kind, feed]));
}

describe('Threat feeds', () => {
  it('give issues the highest score of their vulnerabilities, and say which are exploited', async () => {
    await importIssue('CVE-2026-20001', 'CVE-2026-20002');
    await importIssue('CVE-2026-20003');
    await importIssue('CVE-2026-29999');
    expect(await issues()).toEqual([
      ['CVE-2026-20001', 0.9321, false],
      ['CVE-2026-20003', 0.0004, true],
      ['CVE-2026-29999', null, false],
    ]);
    expect(await feeds()).toEqual({ EPSS: { entries: 3, fault: null }, KEV: { entries: 1, fault: null } });
  });

  it('replace what they said before, in issues that were there, too', async () => {
    await importIssue('CVE-2026-20001');
    await importIssue('CVE-2026-20003');
    await writeFile(
      epssFile(),
      epss(
        [
          ['cve-2026-20001', 1],
          ['CVE-2026-20004', 0.1],
        ],
        '2026-11-28',
      ),
    );
    served = { status: 200, body: kev(['CVE-2026-20001'], '2026-11-28') };
    await read();
    expect(await issues()).toEqual([
      ['CVE-2026-20001', 1, true],
      ['CVE-2026-20003', null, false],
    ]);
    const rows = await app.database.rows('SELECT cve FROM epss_scores ORDER BY cve');
    expect(rows).toEqual([{ cve: 'CVE-2026-20001' }, { cve: 'CVE-2026-20004' }]);
  });

  it.each<[string, string | Buffer | null, RegExp]>([
    ['absent', null, /ENOENT/],
    ['empty', '', /empty/],
    ['without a row', 'cve,epss,percentile\n', /empty/],
    ['HTML', '<!doctype html><html></html>', /line 1 is not/],
    ['cut off in a row', epss(known).slice(0, -8), /line 5 is not/],
    ['gzip that is cut off', gzipSync(epss(known)).subarray(0, -12), /decompressed/],
    ['no UTF-8', Buffer.from([0x43, 0xff, 0xfe, 0x0a]), /UTF-8/],
    ['a line without end', 'x'.repeat(200_000), /longer than/],
    ['impossible in its scores', 'CVE-2026-20001,7,0.1\n', /line 1 is not/],
    ['older', epss(known, '2026-11-01'), /older/],
    ['less than half', epss(known.slice(0, 1), '2026-11-28'), /less than half/],
    ['larger than its bound', gzipSync(Buffer.alloc(101 * 2 ** 20, '\n')), /larger than 100 MiB/],
  ])('keep what EPSS said where it is %s, and say so', async (_, content, reason) => {
    await importIssue('CVE-2026-20002');
    await (content === null ? rm(epssFile()) : writeFile(epssFile(), content));
    await read();
    expect((await feeds())['EPSS']).toEqual({ entries: 3, fault: expect.stringMatching(reason) });
    expect(await issues()).toEqual([['CVE-2026-20002', 0.9321, false]]);
    const { body } = await app.api.get<string>('/metrics');
    expect(body).toContain('threat_feed_failed{feed="epss"} 1');
    await readWhole();
    expect((await feeds())['EPSS']).toEqual({ entries: 3, fault: null });
  });

  it.each<[string, number, string, RegExp]>([
    ['not found', 404, 'no', /answers with 404/],
    ['no JSON', 200, 'no', /not valid JSON/],
    ['cut off', 200, kev(['CVE-2026-20003']).slice(0, -20), /ends too early/],
    ['another document', 200, '{"runs":[]}', /empty/],
    ['a list of something else', 200, '{"vulnerabilities":[{"id":1}]}', /no cveID/],
    ['no list', 200, '{"vulnerabilities":{"a":1}}', /no list/],
    ['older', 200, kev(['CVE-2026-20003'], '2020-01-01'), /older/],
  ])('keep what KEV said where it is %s', async (_, status, body, reason) => {
    await importIssue('CVE-2026-20003');
    served = { status, body };
    await read();
    expect((await feeds())['KEV']).toEqual({ entries: 1, fault: expect.stringMatching(reason) });
    expect(await issues()).toEqual([['CVE-2026-20003', 0.0004, true]]);
  });
});

describe('GET /api/v1/issues by threat', () => {
  it('filters by kev and minEpss, and sorts by epss page by page', async () => {
    for (const id of ['CVE-2026-20001', 'CVE-2026-20002', 'CVE-2026-20003', 'CVE-2026-29999']) await importIssue(id);
    const found = new FoundIssues(app.api, organization.viewer.token);
    const ids = async (query: string): Promise<string[]> =>
      (await found.list(query)).map(({ securityTestUid }) => securityTestUid.slice(-5));
    expect(await ids('&kev=true')).toEqual(['20003']);
    expect(await ids('&kev=false&sort=epss')).toEqual(['20002', '20001', '29999']);
    expect(await ids('&minEpss=0.02&sort=epss')).toEqual(['20002', '20001']);
    const seen: string[] = [];
    interface IssuePage {
      data: { securityTestUid: string }[];
      nextCursor: string | null;
    }
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer: { status: number; body: IssuePage } = await app.api.get<IssuePage>(
        `/api/v1/issues?size=1&sort=epss${query}`,
        { token: organization.viewer.token },
      );
      expect(answer.status).toBe(200);
      seen.push(...answer.body.data.map(({ securityTestUid }) => securityTestUid.slice(-5)));
      cursor = answer.body.nextCursor;
    }
    expect(seen).toEqual(['20002', '20001', '20003', '29999']);
    for (const bad of ['minEpss=2', 'minEpss=x', 'kev=maybe', 'sort=kev']) {
      const { status } = await app.api.get(`/api/v1/issues?${bad}`, { token: organization.viewer.token });
      expect([bad, status]).toEqual([bad, 422]);
    }
  });
});
