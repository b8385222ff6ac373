import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TargetCreate } from '../../../src/scanning/issues/issue-target.dto.js';
import { issuePlace } from '../../../src/scanning/issues/issue-place.statements.js';
import type { IssuePage } from '../../../src/scanning/issues/issues.dto.js';
import { readsOf, rowsIn } from '../../support/explain.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let issues: IssueCalls;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  issues = new IssueCalls(app, acme.token);
});
afterAll(() => app.close());

const codeFile = { language: 'ts', path: 'src/a.ts' };

async function placesOf(query: string): Promise<(string | null)[]> {
  const { body } = await app.api.get<IssuePage>(`/api/v1/issues?${query}`, { token: acme.token });
  return body.data.map(({ place }) => place);
}

/** The place of an issue found at these targets: the same in the list, in the issue, and in its scan. */
async function placeAt(targets: TargetCreate[]): Promise<string | null | undefined> {
  const scan = await acme.scan();
  const id = await issues.one(scan.id, finding((await acme.asset()).id, { targets }));
  const { body } = await app.api.get<{ created: { issues: { place: string | null }[] } }>(
    `/api/v1/scans/${scan.id}/issues`,
    { token: acme.token },
  );
  const places = [
    ...(await placesOf(`scanIds=${scan.id}`)),
    (await issues.get(id)).place,
    ...body.created.issues.map(({ place }) => place),
  ];
  expect([places.length, new Set(places).size]).toEqual([3, 1]);
  return places[0];
}

describe('The place of an issue', () => {
  it.each<[string, TargetCreate, string]>([
    ['the line of a file', { targetUid: 'a', codeFile: { ...codeFile, line: 42 } }, 'src/a.ts:42'],
    ['a file', { targetUid: 'a', codeFile }, 'src/a.ts'],
    ['a route', { targetUid: 'a', apiRoute: { operation: 'GET', name: '/cart' } }, 'GET /cart'],
    ['a resolver', { targetUid: 'a', graphqlResolver: { parent: 'Query', name: 'cart' } }, 'Query.cart'],
    ['a page', { targetUid: 'a', webPage: { url: 'https://shop.example/', visits: 1 } }, 'https://shop.example/'],
    ['a crawled URL', { targetUid: 'a', webCrawledUrl: { url: 'https://shop.example/a' } }, 'https://shop.example/a'],
  ])('is %s', async (_what, target, place) => {
    expect(await placeAt([target])).toBe(place);
  });

  it('is null without a target, and shortened when long', async () => {
    expect(await placeAt([])).toBeNull();
    expect(await placeAt([{ targetUid: 'a', codeFile: { language: '', path: 'p'.repeat(600) } }])).toBe(
      'p'.repeat(500),
    );
  });

  it('tells findings of one rule in one file apart, and follows the newest report', async () => {
    const imports = new Imports(app.api, acme.token);
    const at = (startLine: number, text: string) =>
      sarifResult('R1', 'src/a.ts', {
        message: { text },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine } } }],
      });
    const first = await imports.import(sarifLog([at(3, 'One'), at(8, 'Two')]));
    expect(new Set(await placesOf(`scanIds=${first.scan.id}`))).toEqual(new Set(['src/a.ts:3', 'src/a.ts:8']));
    const second = await imports.import(sarifLog([at(5, 'One'), at(10, 'Two')]));
    expect(second.created).toBe(0);
    expect(new Set(await placesOf(`scanIds=${second.scan.id}`))).toEqual(new Set(['src/a.ts:5', 'src/a.ts:10']));
  });

  it('is refused with an impossible line number', async () => {
    const scan = await acme.scan();
    const asset = await acme.asset();
    for (const line of [0, 1.5, 2 ** 31, '3']) {
      const found = finding(asset.id, { targets: [{ targetUid: 'a', codeFile: { ...codeFile, line } }] });
      expect((await issues.append(scan.id, [found])).status).toBe(422);
    }
  });

  it('costs one index lookup, however many targets there are', async () => {
    const asset = await acme.asset();
    const id = await issues.one((await acme.scan()).id, finding(asset.id, { targets: [{ targetUid: 'a', codeFile }] }));
    await app.database.rows(
      `INSERT INTO issue_targets (id, issue_id, target_uid, detail)
       SELECT gen_random_uuid(), $1, 'more ' || n, '{}' FROM generate_series(1, 20000) AS n`,
      [id],
    );
    await app.database.rows('VACUUM ANALYZE issue_targets');
    const reads = await readsOf(app.database, `SELECT ${issuePlace('i.id')} FROM issues i WHERE i.id = $1`, [id]);
    const ofTargets = reads.filter((read) => read['Relation Name'] === 'issue_targets');
    expect(ofTargets.map((read) => read['Index Name'])).toEqual(['issue_targets_uid_key']);
    expect(rowsIn(ofTargets)).toBe(1);
  });
});
