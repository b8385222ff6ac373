import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import { maxPayloadBytes } from '../../../src/scanning/webhook-export/payload-rows.js';
import { PayloadRowsRepository } from '../../../src/scanning/webhook-export/payload-rows.repository.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { referencesByStatement } from '../../support/references.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** The references to issues, assets and scans, and what keeps responses about one of these small. */
const bounds: Record<string, string> = {
  'asset_tags.asset_id': 'the first hundred',
  'branches.asset_id': 'a list of its own, by pages',
  'issue_activities.issue_id': 'a list of its own, by pages',
  'issue_branches.issue_id': 'the first ones; asked by filters',
  'issue_scans.issue_id': 'asked by filters alone',
  'issue_scans.scan_id': 'asked by filters alone',
  'issue_targets.issue_id': 'the first hundred and their number; a list of its own, by pages',
  'issue_targets.scan_id': 'counted alone',
  'issues.asset_id': 'a list of its own, by pages',
  'issues.scan_id': 'a list of its own, by pages',
  'scan_assets.asset_id': 'the newest twenty scans in payloads',
  'scan_assets.scan_id': 'asked by filters; an event names a hundred at most',
  'scan_reports.scan_id': 'one at most',
};

let app: TestApp;
let acme: InsertedOrganization;
let things: ScanningRows;
let ids: { asset: string; issue: string; scan: string };
beforeAll(async () => {
  app = await startTestApp();
  await app.nest.get(EventPartitionsService).prepareForNow();
  acme = await insertOrganization(app);
  things = new ScanningRows(app, acme.id);
  const profile = await things.profile();
  const asset = await things.asset();
  const scan = await things.scan(profile, {}, [asset]);
  ids = { asset, scan, issue: await things.issue(asset, { scan_id: scan }) };
  await fill(profile);
});
afterAll(() => app.close());

const sql = (text: string, ...values: unknown[]) => app.database.rows(text, values);

/** Gives the asset, the issue and the scan thousands of related rows of every kind. */
async function fill(profile: string): Promise<void> {
  const { asset, issue, scan } = ids;
  await sql(
    `INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail)
     SELECT gen_random_uuid(), $1, 'target ' || n, $2, jsonb_build_object('webPage', jsonb_build_object(
            'id', gen_random_uuid(), 'url', 'https://shop.example.com/' || repeat('x', 1000) || n, 'visits', 1))
       FROM generate_series(1, 50000) AS n`,
    issue,
    scan,
  );
  await sql(
    `WITH made AS (
       INSERT INTO tags (id, organization_id, name) SELECT gen_random_uuid(), $1, 'tag ' || n FROM generate_series(1, 5000) AS n
       RETURNING id)
     INSERT INTO asset_tags (asset_id, tag_id) SELECT $2, id FROM made`,
    acme.id,
    asset,
  );
  await sql(
    `INSERT INTO issue_activities (id, issue_id, organization_id, kind, comment, actor_kind)
     SELECT gen_random_uuid(), $1, $2, 'COMMENT', repeat('c', 5000), 'SYSTEM' FROM generate_series(1, 5000) AS n`,
    issue,
    acme.id,
  );
  await sql(
    `WITH made AS (
       INSERT INTO scans (id, organization_id, application_id, kind, status)
       SELECT gen_random_uuid(), $1, $2, 'FRONTEND_DAST', 'FINISHED' FROM generate_series(1, 5000) RETURNING id
     ), joined AS (
       INSERT INTO scan_assets (scan_id, asset_id) SELECT id, $3 FROM made)
     INSERT INTO issue_scans (issue_id, scan_id) SELECT $4, id FROM made`,
    acme.id,
    profile,
    asset,
    issue,
  );
  await sql(
    `WITH made AS (
       INSERT INTO assets (id, organization_id, name, type, class, uri)
       SELECT gen_random_uuid(), $1, 'a' || n, 'DNS', 'HOST', 'asset://host/a' || n FROM generate_series(1, 20000) AS n
       RETURNING id)
     INSERT INTO scan_assets (scan_id, asset_id) SELECT $2, id FROM made`,
    acme.id,
    scan,
  );
  await sql(
    `INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
                              asset_ids, issue_ids, attachments, attachment_types, attachment_text)
     SELECT gen_random_uuid(), now(), $1, $2, $3, 'INFO', 'EXECUTION', 'Request', repeat('d', 50000), ARRAY[$4::uuid],
            ARRAY[$5::uuid], '[]', '{}', '' FROM generate_series(1, 2000)`,
    acme.id,
    scan,
    profile,
    asset,
    issue,
  );
}

/** The fields of an issue or asset that the tests check. */
interface Shown {
  targets: object[];
  targetsCount: number;
  tags: object[];
  asset: { tags: object[] };
}

/** Reads an existing thing; returns its body and size. */
async function read(path: string): Promise<{ body: Shown; bytes: number }> {
  const { status, body } = await app.api.get<Shown>(path, { token: acme.admin.token });
  expect(status).toBe(200);
  return { body, bytes: JSON.stringify(body).length };
}

describe('The rows related to one', () => {
  it('are all listed here, each with its limit', async () => {
    const keys = await sql(
      `SELECT c.conrelid::regclass || '.' || a.attname AS name
         FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.confrelid IN ('issues'::regclass, 'assets'::regclass, 'scans'::regclass)`,
    );
    const held = (await referencesByStatement(app.database)).filter(({ to }) => to !== 'organizations');
    const names = [...keys.map(({ name }) => String(name)), ...held.map(({ table, column }) => `${table}.${column}`)];
    expect(new Set(names)).toEqual(new Set(Object.keys(bounds)));
  });

  it('keep every response about one thing, and every page of them, small', async () => {
    const { asset, issue, scan } = ids;
    for (const path of [
      `issues/${issue}`,
      `issues?assetIds=${asset}`,
      `issues?scanIds=${scan}`,
      `issues/${issue}/targets?size=100`,
      `issues/${issue}/activities?size=100`,
      'issues/summary',
      `assets/${asset}`,
      'assets?search=shop.example.com',
      `scans/${scan}`,
      `scans?assetIds=${asset}&size=100`,
      'tags?size=100',
    ]) {
      const { bytes } = await read(`/api/v1/${path}`);
      expect([path, bytes < 1_000_000]).toEqual([path, true]);
    }
  });

  it('are cut to the first hundred targets and tags, with the number of targets', async () => {
    const { body: issue } = await read(`/api/v1/issues/${ids.issue}`);
    const { body: asset } = await read(`/api/v1/assets/${ids.asset}`);
    expect([issue.targets.length, issue.targetsCount, issue.asset.tags.length]).toEqual([100, 50_000, 100]);
    expect(asset.tags).toEqual(issue.asset.tags);
  });

  it('are cut in payloads to a thousand targets, the newest scans and a megabyte of the newest events', async () => {
    type Thing = { targets: object[]; events: object[]; scans: object[]; tags: object[]; asset: { tags: object[] } };
    const payload = async (root: 'issues' | 'assets', id: string) => {
      const sizes = { pageBytes: maxPayloadBytes, rowBytes: maxPayloadBytes };
      const rows = app.nest.get(PayloadRowsRepository, { strict: false });
      const [row] = await rows.page(acme.id, ['default', root], [id], sizes);
      expect(row?.json?.length).toBeLessThan(4_000_000);
      return JSON.parse(row?.json ?? '{}') as Thing;
    };
    const issue = await payload('issues', ids.issue);
    expect([issue.targets.length, issue.asset.tags.length, issue.events.length]).toEqual([1_000, 100, 20]);
    const asset = await payload('assets', ids.asset);
    expect([asset.scans.length, asset.tags.length, asset.events.length]).toEqual([20, 100, 20]);
  });

  it('do not enlarge the events of a scan of thousands of assets', async () => {
    const events = [{ title: 'Started', description: '', level: 'INFO', stage: 'EXECUTION' }];
    const path = `/api/v1/scans/${ids.scan}/events`;
    const { status } = await app.api.post(path, { token: acme.member.token, json: events });
    expect(status).toBe(201);
    const [row] = await sql(
      `SELECT cardinality(asset_ids) AS count FROM scan_events WHERE title = 'Started' AND scan_id = $1`,
      ids.scan,
    );
    expect(row).toEqual({ count: 0 });
  });
});

describe('A page of large rows', () => {
  it.each(['issues', 'assets'])(
    'ends before it grows too large, and the next pages bring the rest: %s',
    async (list) => {
      const large = await insertOrganization(app);
      const own = new ScanningRows(app, large.id);
      const records = Array.from({ length: 200 }, () => ({ id: uuidV7(), type: 'TXT', value: 'v'.repeat(1_000) }));
      const host = { type: 'DNS', address: 'a.example.com', ips: [], regionCountryCodes: [], ports: [], records };
      const assets: string[] = [];
      for (let at = 0; at < 60; at++) {
        assets.push(await own.asset({ host: JSON.stringify({ id: uuidV7(), ...host }) }));
      }
      const issues: string[] = [];
      for (let at = 0; at < 60; at++) issues.push(await own.issue(assets[0] ?? ''));
      const seen: string[] = [];
      let pages = 0;
      for (let cursor = ''; ; pages++) {
        const path = `/api/v1/${list}?size=100${cursor}`;
        const { body } = await app.api.get<{ data: { id: string }[]; nextCursor: string | null }>(path, {
          token: large.member.token,
        });
        expect(JSON.stringify(body).length).toBeLessThan(10_000_000);
        seen.push(...body.data.map(({ id }) => id));
        if (body.nextCursor === null) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect(pages).toBeGreaterThan(0);
      expect(seen).toEqual((list === 'issues' ? issues : assets).toReversed());
    },
  );
});
