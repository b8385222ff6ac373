import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { resolveOpen } from '../../../src/scanning/issues/issue-resolutions.repository.js';
import { firstTargets, joinTargets, targetsPage } from '../../../src/scanning/issues/issue-targets.repository.js';
import { storedImport } from '../../../src/scanning/reports/import-keys.repository.js';
import { goneIssues, importOutcomes, keepPages } from '../../../src/scanning/reports/import-outcomes.statements.js';
import { issuesOfScans } from '../../../src/scanning/webhook-export/matching.repository.js';
import { defaultVariant } from '../../../src/scanning/webhook-export/default-variant.statements.js';
import { comparedInVain, conditionsOf, scansOf } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const organization = uuidV7();
const profile = uuidV7();
const asset = uuidV7();
/** The reports of one asset: the previous and the newest of a large scope, and one of another tool. */
const scans = { former: uuidV7(), large: uuidV7(), small: uuidV7() };
const tools = { former: 'Lint', large: 'Lint', small: 'Look' };

const issueColumns = `id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
  security_test_uid, context, identity, scan_id`;
const issue = (id: string) => `md5('${id}' || n)::uuid`;
const text = `'n', 'f', 'HIGH', 'INJECTION', 'OPEN', 'a', 'rule' || n % 50, repeat('x', 1000)`;

/** Of 1,000 issues of the asset the newest large report has nearly all; 7,000 others lie on 500 other assets. */
const fill: [string, unknown[]][] = [
  [`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [organization]],
  [
    `INSERT INTO profiles (id, organization_id, name, scanner_kind, type) VALUES ($2, $1, 'p', 'BLST_REST', 'REST')`,
    [organization, profile],
  ],
  [
    `INSERT INTO assets (id, organization_id, name, type, class, uri)
     SELECT CASE n WHEN 0 THEN $2::uuid ELSE ${issue('asset')} END, $1::uuid, 'a', 'REPOSITORY', 'CODE', 'https://x.example/' || n
       FROM generate_series(0, 500) AS n`,
    [organization, asset],
  ],
  [
    `INSERT INTO scans (id, organization_id, application_id, kind, status)
     SELECT id, $1::uuid, $2::uuid, 'BLST_REST', 'FINISHED'
       FROM (SELECT unnest($3::uuid[]) AS id UNION ALL SELECT ${issue('scan')} FROM generate_series(1, 1000) AS n) AS made`,
    [organization, profile, Object.values(scans)],
  ],
  [
    `INSERT INTO scan_assets SELECT id, $1::uuid FROM unnest($2::uuid[]) AS id
     UNION ALL SELECT ${issue('scan')}, md5('asset' || (1 + n % 500))::uuid FROM generate_series(1, 1000) AS n`,
    [asset, Object.values(scans)],
  ],
  [
    `INSERT INTO scan_reports (scan_id, organization_id, scope, tool, category, branch, commit_id, is_whole)
     SELECT id, $1::uuid, tool, tool, '', 'main', '', true FROM unnest($2::uuid[], $3::text[]) AS own(id, tool)
     UNION ALL SELECT ${issue('scan')}, $1, 'scope' || n % 500, CASE n % 2 WHEN 0 THEN 'Lint' ELSE 'Third' END, '',
                      'main', '', true FROM generate_series(1, 1000) AS n`,
    [organization, Object.values(scans), Object.values(tools)],
  ],
  [
    `INSERT INTO issues (${issueColumns})
     SELECT ${issue('issue')}, $1::uuid, $2::uuid, ${text}, 'identity' || n,
            CASE WHEN n % 250 = 7 THEN $3::uuid WHEN n <= 5 THEN $5::uuid ELSE $4::uuid END
       FROM generate_series(1, 1000) AS n
     UNION ALL
     SELECT ${issue('other')}, $1, md5('asset' || (1 + n % 500))::uuid, ${text}, 'other' || n,
            md5('scan' || (1 + n % 1000))::uuid FROM generate_series(1, 7000) AS n`,
    [organization, asset, scans.former, scans.large, scans.small],
  ],
  [
    `INSERT INTO issue_scans (issue_id, scan_id)
     SELECT id, scan_id FROM issues UNION SELECT id, $1::uuid FROM issues WHERE asset_id = $2`,
    [scans.former, asset],
  ],
  [
    `INSERT INTO import_keys (organization_id, key, request_hash, response)
     SELECT $1, 'key' || n, '', '{}' FROM generate_series(1, 2000) AS n`,
    [organization],
  ],
];

const targets = `
  INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail)
  SELECT gen_random_uuid(), md5('issue' || (1 + n % 1000))::uuid, 'src/' || n, $1, '{}' FROM generate_series(1, 5000) AS n`;

const wideTargets = `
  INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail)
  SELECT gen_random_uuid(), md5('issue' || (1 + n % 4))::uuid, 'wide/' || n, $1, '{}' FROM generate_series(1, 20000) AS n`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const [sql, values] of fill) await database.rows(sql, values);
  await database.rows('ANALYZE');
  // The planner has no statistics on these, as in the transaction that imports the first report.
  await database.rows(targets, [scans.former]);
});
afterAll(() => database.drop());

/** How the plan reads the large tables: by index only, never a whole table. */
async function readBy(sql: string, values: unknown[]): Promise<Set<string>> {
  const all = await scansOf(database, sql, values);
  const large = all.filter((scan) => /issue|import/.test(scan) && !scan.startsWith('Bitmap Heap'));
  return new Set(large.map((scan) => scan.replace(/^.* of /, '')));
}

describe("The plans of an import's outcome", () => {
  it.each(['large', 'small'] as const)('look up gone issues by the scans of the %s report', async (which) => {
    const tool = tools[which];
    const values = [organization, [scans[which]], [asset], tool, tool, [], [uuidV7()], 'main', true, ['main']];
    for (const index of await readBy(goneIssues.text, values)) expect(index).toMatch(/_(idx|key|pkey)$/);
  });

  it.each(['large', 'small'] as const)(
    'compare the %s report with a base by one probe for each issue',
    async (which) => {
      const values = [organization, [scans[which]], [], [], [], 200, [asset], 'feature', ['main'], 20];
      const found = await readBy(importOutcomes.text, values);
      for (const index of found) expect(index).toMatch(/_(idx|key|pkey)$/);
      const probed = ['issue_scans_of_scan_idx', 'issue_targets_uid_key', 'issue_details_pkey'];
      expect([...found]).toEqual(expect.arrayContaining(probed));
    },
  );

  it('probe the scans of an issue by both parts of their key, however many imports found it', async () => {
    const base = [organization, [scans.small], [], [], [], 200, [asset], 'feature', ['main'], 20];
    const gone = [organization, [scans.small], [asset], 'Look', 'Look', [], [uuidV7()], 'main', true, ['main']];
    const indexes = ['issue_scans_pkey', 'issue_scans_of_scan_idx'];
    for (const [sql, values] of [
      [importOutcomes.text, base],
      [goneIssues.text, gone],
    ] as const) {
      const found = await Promise.all(indexes.map((index) => conditionsOf(database, sql, [...values], index)));
      expect(found.flat().filter((one) => /issue_id = /.test(one) && /scan_id = /.test(one))).not.toEqual([]);
    }
  });

  it('resolve gone issues by their ids', async () => {
    const gone = JSON.stringify([{ id: uuidV7(), scanId: null }]);
    expect(await readBy(resolveOpen.text, [organization, gone])).toEqual(new Set(['issues_pkey']));
  });

  it('find the targets of issues by an index, however old the statistics are', async () => {
    const again = Array.from({ length: 500 }, () => uuidV7());
    const found = await readBy(joinTargets.text, [uuidV7(), '[]', again, again, organization]);
    expect(found).toEqual(new Set(['issue_targets_uid_key', 'issue_targets_pkey', 'issues_pkey']));
  });

  it("find a key's response by the key", async () => {
    const found = await readBy(storedImport.text, [organization, 'the-key']);
    expect(found).toEqual(new Set(['import_keys_pkey']));
  });
});

describe('The plans of the targets of issues', () => {
  const reads: [string, string, (id: string) => unknown[]][] = [
    ['an issue', `SELECT ${firstTargets('i', 100)} FROM issues i WHERE i.id = $1`, (id) => [id]],
    ['a page of them', targetsPage.text, (id) => [organization, id, uuidV7(), 100]],
    ['a payload', defaultVariant.issues, (id) => [organization, [id]]],
  ];

  beforeAll(async () => {
    // Few issues have targets, and those have many: the planner takes any issue for one of these.
    await database.rows('DELETE FROM issue_targets');
    await database.rows(wideTargets, [scans.former]);
    await database.rows('ANALYZE issue_targets');
  });

  it.each(reads)('find the targets in %s by the issue', async (_what, sql, valuesOf) => {
    const [one] = await database.rows<{ id: string }>(`SELECT id FROM issues WHERE identity = 'identity500'`);
    const found = await readBy(sql, valuesOf(one?.id ?? ''));
    expect([...found].filter((index) => index.startsWith('issue_targets'))).toEqual(['issue_targets_uid_key']);
  });
});

describe('Where issues were counted while the first import was under way', () => {
  const issues = 2_000;
  const tables = ['issues', 'issue_scans'];
  const [stranger, place, scan] = [uuidV7(), uuidV7(), uuidV7()];
  const ids = Array.from({ length: issues }, () => uuidV7());
  const outcome = [stranger, [scan], ids, [], [], 200, [place], 'feature', ['main'], 20];
  const gone = [stranger, [uuidV7()], [place], 'Lint', 'Lint', [], [uuidV7()], 'main', false, ['main']];
  const statements: [string, string, () => unknown[]][] = [
    ['tells an import what it found', importOutcomes.text, () => outcome],
    ['keeps that in pages', keepPages.text, () => outcome.with(5, uuidV7())],
    ['looks for what is gone', goneIssues.text, () => gone],
    ['finds what matches a workflow', issuesOfScans(''), () => [stranger, '{}', [scan], 100]],
  ];

  beforeAll(async () => {
    for (const table of tables) {
      await database.rows(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
      await database.rows(`TRUNCATE ${table} CASCADE`);
    }
    await database.rows(`INSERT INTO organizations (id, name) VALUES ($1, 'Stranger')`, [stranger]);
    await database.rows(
      `INSERT INTO assets (id, organization_id, name, type, class, uri)
       VALUES ($2, $1, 'a', 'REPOSITORY', 'CODE', 'https://x.example/stranger')`,
      [stranger, place],
    );
    await database.rows(
      `INSERT INTO scans (id, organization_id, application_id, kind, status) VALUES ($1, $2, $3, 'BLST_REST', 'FINISHED')`,
      [scan, stranger, profile],
    );
    await database.rows(`INSERT INTO scan_assets (scan_id, asset_id) VALUES ($1, $2)`, [scan, place]);
    await database.rows(
      `INSERT INTO scan_reports (scan_id, organization_id, scope, tool, category, branch, commit_id, is_whole)
       VALUES ($1, $2, 'Lint', 'Lint', '', 'main', '', true)`,
      [scan, stranger],
    );
    const importing = new pg.Client({ connectionString: database.url });
    await importing.connect();
    await importing.query('BEGIN');
    await importing.query(
      `INSERT INTO issues (${issueColumns})
       SELECT id, $2, $3, ${text.replaceAll('n %', 'length(id::text) %')}, id::text, $4 FROM unnest($1::uuid[]) AS made(id)`,
      [ids, stranger, place, scan],
    );
    await importing.query('INSERT INTO issue_scans (issue_id, scan_id) SELECT unnest($1::uuid[]), $2', [ids, scan]);
    for (const table of tables) await database.rows(`ANALYZE ${table}`);
    await importing.query('COMMIT');
    await importing.end();
  });

  it.each(statements)('one statement %s without comparing each issue with each', async (_does, sql, valuesOf) => {
    expect(await comparedInVain(database, sql, valuesOf())).toBeLessThan(10 * issues);
  });
});
