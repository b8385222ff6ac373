import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let organization: InsertedOrganization;
let rows: ScanningRows;
beforeAll(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: 'https://scans.example.com' } });
});
beforeEach(async () => {
  organization = await insertOrganization(app, { name: 'Harbour <Outfitters>' });
  rows = new ScanningRows(app, organization.id);
});
afterAll(() => app.close());

async function exported(format: string, query = ''): Promise<string> {
  const headers = { authorization: `Bearer ${organization.viewer.token}` };
  const answer = await fetch(`${app.baseUrl}/api/v1/issues/export?format=${format}${query}`, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The export answered ${answer.status} ${text}`);
  return text;
}

/** One open, and one that a member resolved, with a reason that is a formula and markup. */
async function withIssues(): Promise<{ open: string; resolved: string }> {
  const asset = await rows.asset({ name: 'web shop' });
  const open = await rows.issue(asset, { name: '=HYPERLINK("x")', severity: 'CRITICAL' });
  await rows.target(open, { codeFile: { path: 'src/search.ts', line: 42 } });
  const detail = {
    identifiers: [
      { type: 'CVE', value: 'CVE-2026-1234' },
      { type: 'CWE', value: 'CWE-89' },
    ],
    locations: [{ path: 'src/a b.ts', startLine: 42 }],
    message: 'Unquoted',
    score: 9.1,
  };
  await app.database.rows('INSERT INTO issue_details (issue_id, detail) VALUES ($1, $2)', [open, detail]);
  const resolved = await rows.issue(asset, { name: '<script>alert(1)</script>', status: 'OPEN' });
  const { token } = organization.member;
  const json = { status: 'RESOLVED', comment: 'Fixed <b>today</b>' };
  await app.api.send('PATCH', `/api/v1/issues/${resolved}`, { token, json });
  return { open, resolved };
}

describe('GET /api/v1/issues/export', () => {
  it('sends CSV with rule, place, identifiers, times, by whom and why, and no formulas', async () => {
    const { open } = await withIssues();
    const [head = '', ...lines] = (await exported('csv')).split('\r\n');
    // The mark of UTF-8 before it is no part of the text.
    expect(head).toMatch(/^id,severity,status,name,rule,asset,place/);
    const line = lines.find((one) => one.startsWith(open)) ?? '';
    expect(line).toContain(`'=HYPERLINK`);
    expect(line).toContain('src/search.ts:42');
    expect(line).toContain('CVE-2026-1234 CWE-89');
    expect(lines.find((one) => one.includes('RESOLVED'))).toContain(
      `${organization.member.username},Fixed <b>today</b>,https://scans.example.com/console/`,
    );
  });

  it('sends one JSON object a line', async () => {
    const { open } = await withIssues();
    const objects = (await exported('jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string });
    expect(objects).toHaveLength(2);
    expect(objects.find(({ id }) => id === open)).toMatchObject({
      severity: 'CRITICAL',
      asset: { name: 'web shop' },
      location: { path: 'src/a b.ts', startLine: 42 },
    });
  });

  it('sends SARIF, with rules, places and what people decided', async () => {
    await withIssues();
    const log = JSON.parse(await exported('sarif')) as {
      version: string;
      runs: { tool: { driver: { name: string; rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
    };
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    expect(run?.tool.driver.rules).toEqual([{ id: 'sqli' }]);
    expect(run?.results.find(({ level }) => level === 'error')).toMatchObject({
      ruleId: 'sqli',
      message: { text: expect.any(String) },
    });
    expect(JSON.stringify(run?.results)).toContain(
      '"artifactLocation":{"uri":"src/a%20b.ts"},"region":{"startLine":42}',
    );
    expect(run?.results.filter(({ baselineState }) => baselineState === 'absent')).toHaveLength(1);
  });

  it('sends VEX, in which each vulnerability affects a component of the file', async () => {
    await withIssues();
    const bom = JSON.parse(await exported('cyclonedx-vex')) as {
      specVersion: string;
      components: { 'bom-ref': string }[];
      vulnerabilities: { id: string; cwes?: number[]; analysis: { state: string }; affects: { ref: string }[] }[];
    };
    expect(bom.specVersion).toBe('1.6');
    const refs = bom.components.map((one) => one['bom-ref']);
    for (const { affects } of bom.vulnerabilities) expect(refs).toContain(affects[0]?.ref);
    expect(bom.vulnerabilities.find(({ id }) => id === 'CVE-2026-1234')).toMatchObject({
      cwes: [89],
      analysis: { state: 'in_triage' },
    });
    expect(bom.vulnerabilities.map(({ analysis }) => analysis.state).sort()).toEqual(['in_triage', 'resolved']);
  });

  it('sends one page of HTML without scripts, in which everything is escaped', async () => {
    await withIssues();
    const html = await exported('html');
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('Issues of Harbour &lt;Outfitters&gt;');
    expect(html).toContain('Fixed &lt;b&gt;today&lt;/b&gt;');
    expect(html).toContain('@media print');
    expect(html).toContain(': 2 issues.');
  });

  it('takes the filters of the list, and refuses what it does not know', async () => {
    await withIssues();
    expect((await exported('jsonl', '&severities=CRITICAL')).trim().split('\n')).toHaveLength(1);
    const { token } = organization.viewer;
    expect((await app.api.get('/api/v1/issues/export?format=pdf', { token })).status).toBe(422);
    expect((await app.api.get('/api/v1/issues/export', { token })).status).toBe(422);
    expect((await app.api.get('/api/v1/issues/export?format=csv&severity=HIGH', { token })).status).toBe(422);
  });

  it('is empty, and still a whole file, where nothing matches', async () => {
    expect((JSON.parse(await exported('sarif')) as { runs: { results: unknown[] }[] }).runs[0]?.results).toEqual([]);
    expect((JSON.parse(await exported('cyclonedx-vex')) as { vulnerabilities: unknown[] }).vulnerabilities).toEqual([]);
    expect(await exported('jsonl')).toBe('');
  });

  it('sends 100,000 issues in bounded memory', async () => {
    const asset = await rows.asset({ name: 'web shop' });
    await app.database.rows(
      `INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, context, alert_uid,
                           security_test_uid, identity, created_at)
       SELECT gen_random_uuid(), $1, $2, 'Finding ' || n, repeat('long ', 100), 'HIGH', 'INJECTION', 'OPEN',
              repeat('context ', 100), n::text, 'rule-' || n % 100, n::text, now() - n * interval '1 second'
         FROM generate_series(1, 100000) AS n`,
      [organization.id, asset],
    );
    const headers = { authorization: `Bearer ${organization.viewer.token}` };
    const before = process.memoryUsage().rss;
    const answer = await fetch(`${app.baseUrl}/api/v1/issues/export?format=sarif`, { headers });
    let [bytes, most, results] = [0, before, 0];
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      results += Buffer.from(chunk).toString('latin1').split('"ruleId"').length - 1;
      most = Math.max(most, process.memoryUsage().rss);
    }
    expect(bytes).toBeGreaterThan(50_000_000);
    expect(results).toBeGreaterThan(99_000);
    // Held whole, the rows, the objects made of them and the file would take several times as much.
    expect(most - before).toBeLessThan(400 * 2 ** 20);
  });
});
