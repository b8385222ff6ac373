import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, zapAlert, zapReport } from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let issues: IssueCalls;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  acme = new Scanning(app, await insertOrganization(app));
  issues = new IssueCalls(app, acme.token);
  imports = new Imports(app.api, acme.token);
});
afterAll(() => app.close());

const pages = (names: (number | string)[]) =>
  names.map((name) => ({ uri: `https://shop.example/page/${name}`, method: 'GET', param: '' }));
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);
/** Imports a report of one alert on these pages; returns the id of its issue. */
const importOn = async (names: (number | string)[]) => {
  const { scan } = await imports.import(zapReport([zapAlert('40012', { instances: pages(names) })]));
  const path = `/api/v1/issues?scanIds=${scan.id}`;
  const { body } = await app.api.get<{ data: { id: string; targetsCount: number }[] }>(path, { token: acme.token });
  return { id: body.data[0]?.id ?? '', targetsCount: body.data[0]?.targetsCount, scanId: scan.id };
};
const lost = async (id: string) => (await issues.activities(id)).filter(({ kind }) => kind === 'TARGETS');
const pageUrls = async (id: string) => (await issues.get(id)).targets.map(({ webPage }) => `${webPage?.url}`).sort();

describe('GET /api/v1/issues/{id}/targets', () => {
  it('pages through all in order, without gaps or repeats; the issue itself has the first hundred and the count', async () => {
    const { id, targetsCount } = await importOn(numbers(250));
    const issue = await issues.get(id);
    expect([targetsCount, issue.targetsCount, issue.targets.length]).toEqual([250, 250, 100]);
    const seen: string[] = [];
    for (let query = 'size=70'; ;) {
      const { status, body } = await issues.targets(id, query);
      expect(status).toBe(200);
      seen.push(...body.data.map((target) => target.id));
      if (body.nextCursor === null) break;
      query = `size=70&cursor=${body.nextCursor}`;
    }
    expect([seen.length, new Set(seen).size]).toEqual([250, 250]);
    expect(seen.slice(0, 100)).toEqual(issue.targets.map((target) => target.id));
    const stored = await app.database.rows('SELECT id FROM issue_targets WHERE issue_id = $1 ORDER BY id', [id]);
    expect(seen).toEqual(stored.map((row) => row['id']));
    expect((await issues.targets(id, 'size=100')).body.data).toEqual(issue.targets);
  });

  it.each(['size=0', 'size=101', 'cursor=x', 'cursor=', `cursor=${Buffer.from('1_x').toString('base64url')}`])(
    'responds with 422 for %s',
    async (query) => {
      const { id } = await importOn([1]);
      expect((await issues.targets(id, query)).status).toBe(422);
    },
  );

  it("returns an empty page when there are none, and 404 for another organization's issue and an unknown one", async () => {
    const id = await issues.one((await acme.scan()).id, finding((await acme.asset()).id));
    expect((await issues.targets(id)).body).toEqual({ data: [], nextCursor: null });
    const other = new IssueCalls(app, (await insertOrganization(app)).member.token);
    expect((await other.targets(id)).status).toBe(404);
    expect((await issues.targets(uuidV7())).status).toBe(404);
  });
});

describe('The targets of an issue', () => {
  it('are those that the newest scan found; activities name the ones that disappeared', async () => {
    const { id } = await importOn(['a', 'b', 'c']);
    const before = await issues.get(id);
    const { id: again, scanId } = await importOn(['b', 'd']);
    expect(again).toBe(id);
    const after = await issues.get(id);
    expect(await pageUrls(id)).toEqual(['https://shop.example/page/b', 'https://shop.example/page/d']);
    expect(after.targets.map((target) => target.scanId)).toEqual([scanId, scanId]);
    const kept = before.targets.find(({ webPage }) => webPage?.url.endsWith('/b'));
    expect(after.targets.map((target) => target.id)).toContain(kept?.id);
    const gone = before.targets.filter(({ webPage }) => !webPage?.url.endsWith('/b')).map(({ targetUid }) => targetUid);
    expect(await lost(id)).toMatchObject([{ from: gone.sort().join('\n'), to: null, actor: { kind: 'SYSTEM' } }]);
  });

  it('stay when a scan finds the issue but names none', async () => {
    const { id } = await importOn(['a', 'b']);
    const { targets } = await issues.get(id);
    await importOn([]);
    expect((await issues.get(id)).targets).toEqual(targets);
  });

  it('are merged when one scan names them in several parts', async () => {
    const other = zapAlert('40012', { instances: pages(['z']) });
    await imports.import(zapReport([zapAlert('40012', { instances: pages(['a']) }), other]));
    const { body } = await app.api.get<{ data: { id: string }[] }>('/api/v1/issues', { token: acme.token });
    expect(body.data).toHaveLength(1);
    expect(await pageUrls(body.data[0]?.id ?? '')).toEqual([
      'https://shop.example/page/a',
      'https://shop.example/page/z',
    ]);
  });

  it('do not grow from import to import, and activities abridge the lists of those that disappeared', async () => {
    const { id } = await importOn(numbers(400));
    for (let scan = 1; scan <= 24; scan++) await importOn(numbers(400, scan * 400));
    const issue = await issues.get(id);
    expect([issue.targetsCount, issue.targets.length]).toEqual([400, 100]);
    const told = await lost(id);
    expect(told).toHaveLength(20);
    for (const { from } of told) {
      expect(from?.split('\n')).toHaveLength(101);
      expect(from).toMatch(/\n\(and 300 more\)$/);
    }
  });

  it('are the first ten thousand that a scan names; the last event says how many were cut', async () => {
    const { id, scanId } = await importOn(numbers(10_300));
    expect((await issues.get(id)).targetsCount).toBe(10_000);
    const events = `/api/v1/events?scanIds=${scanId}&levels=WARNING`;
    const { body } = await app.api.get<{ data: { id: string }[] }>(events, { token: acme.token });
    const [last] = body.data;
    const told = await app.api.get<{ description: string }>(`/api/v1/events/${last?.id}`, { token: acme.token });
    expect(told.body.description).toContain('300 targets were dropped, since an issue keeps at most 10000');
  });

  it('are ten thousand at most when a scan names them in several parts', async () => {
    const asset = await acme.asset();
    const scan = await acme.scan();
    const id = await issues.one(scan.id, finding(asset.id, { targets: [{ targetUid: '0', codeFile: file }] }));
    await app.database.rows(
      `INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail)
       SELECT gen_random_uuid(), $1, 'earlier ' || n, $2, '{}' FROM generate_series(1, 10000) AS n`,
      [id, scan.id],
    );
    await issues.append(scan.id, [finding(asset.id, { targets: [{ targetUid: '0', codeFile: file }] })]);
    const [row] = await app.database.rows(
      `SELECT count(*)::int AS count, bool_or(target_uid = '0') AS known FROM issue_targets WHERE issue_id = $1`,
      [id],
    );
    expect(row).toEqual({ count: 10_001, known: true });
    const later = await acme.scan();
    await issues.append(later.id, [finding(asset.id, { targets: [{ targetUid: '0', codeFile: file }] })]);
    expect((await issues.get(id)).targetsCount).toBe(1);
  });

  it('are the same whichever of several concurrent appends commits last', async () => {
    const asset = await acme.asset();
    const found = finding(asset.id, { targets: numbers(20).map((at) => ({ targetUid: `${at}`, codeFile: file })) });
    const scans = await Promise.all(numbers(6).map(() => acme.scan()));
    const answers = await Promise.all(scans.map(({ id }) => issues.append(id, [found])));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const issue = await issues.get(answers[0]?.body.issues[0]?.id ?? '');
    expect(issue.targetsCount).toBe(20);
    expect(new Set(issue.targets.map(({ scanId }) => scanId))).toEqual(new Set([issue.scan?.id]));
  });
});

const file = { language: 'ts', path: 'src/a.ts' };
