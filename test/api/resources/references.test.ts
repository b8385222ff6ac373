import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { type Reference, referencesByStatement } from '../../support/references.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const nameOf = ({ table, column }: Reference) => `${table}.${column}`;

/** What becomes of the rows that refer to a deleted row. */
const deletions: Record<string, 'deleted' | 'emptied' | 'refused'> = {
  'issue_activities.issue_id': 'deleted',
  'issue_branches.issue_id': 'deleted',
  'issue_scans.issue_id': 'deleted',
  'issue_scans.scan_id': 'deleted',
  'issue_targets.issue_id': 'deleted',
  'issue_targets.scan_id': 'emptied',
  'issues.asset_id': 'refused',
  'issues.organization_id': 'deleted',
  'issues.scan_id': 'emptied',
};

/** References that no statement changes, so that changes are not tested. */
const fixed = new Set(['issue_branches.issue_id', 'issues.asset_id', 'issues.organization_id']);

let app: TestApp;
let references: Reference[];
beforeAll(async () => {
  app = await startTestApp();
  references = await referencesByStatement(app.database);
});
afterAll(() => app.close());

const sql = (text: string, ...values: unknown[]) => app.database.rows(text, values);

/** An organization with a row of each referring table, and the ids that they refer to. */
interface Scene {
  organization: InsertedOrganization;
  /** By the name of the column. */
  ids: Record<string, string>;
}

async function makeScene(): Promise<Scene> {
  const organization = await insertOrganization(app);
  const things = new ScanningRows(app, organization.id);
  const asset = await things.asset();
  const scan = await things.scan(await things.profile());
  const issue = await things.issue(asset, { scan_id: scan });
  await things.target(issue, {}, scan);
  await sql(
    `INSERT INTO issue_activities (id, issue_id, organization_id, kind, actor_kind) VALUES ($1, $2, $3, 'COMMENT', 'USER')`,
    uuidV7(),
    issue,
    organization.id,
  );
  await sql(
    `WITH made AS (
       INSERT INTO branches (id, organization_id, asset_id, name) VALUES (gen_random_uuid(), $1, $2, 'main') RETURNING id)
     INSERT INTO issue_branches (issue_id, branch_id, last_seen_at, present) SELECT $3, id, now(), true FROM made`,
    organization.id,
    asset,
    issue,
  );
  return { organization, ids: { asset_id: asset, scan_id: scan, issue_id: issue, organization_id: organization.id } };
}

/** SQL that copies the rows of a table with another value ($1) in the column of a reference. */
async function copySql({ table, column }: Reference): Promise<string> {
  const columns = await sql(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    table,
  );
  const names = columns.map(({ name }) => String(name));
  const own = { id: 'gen_random_uuid()', identity: 'gen_random_uuid()', target_uid: 'gen_random_uuid()' };
  const valueOf: Record<string, string> = { ...own, [column]: '$1::uuid' };
  const values = names.map((name) => valueOf[name] ?? name);
  return `INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM ${table} WHERE ${column} = $2`;
}

/** How many rows refer to the id. */
async function referring({ table, column }: Reference, id: string): Promise<number> {
  const [row] = await sql(`SELECT count(*)::integer AS count FROM ${table} WHERE ${column} = $1`, id);
  return Number(row?.['count']);
}

function violation({ table, column }: Reference) {
  return { code: '23503', table, constraint: `${table}_${column}_fkey` };
}

describe('References that triggers hold for whole statements', () => {
  it('are all listed here', () => {
    expect(references.map(nameOf)).toEqual(Object.keys(deletions));
  });

  it('refuse new rows without a referenced row', async () => {
    const { ids } = await makeScene();
    for (const reference of references) {
      await expect(sql(await copySql(reference), uuidV7(), ids[reference.column])).rejects.toMatchObject(
        violation(reference),
      );
    }
  });

  it('refuse changes that leave no referenced row', async () => {
    const { ids } = await makeScene();
    for (const reference of references.filter((one) => !fixed.has(nameOf(one)))) {
      const { table, column } = reference;
      const change = `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2`;
      await expect(sql(change, uuidV7(), ids[column])).rejects.toMatchObject(violation(reference));
    }
  });

  it('follow deletions', async () => {
    for (const reference of references) {
      const { organization, ids } = await makeScene();
      const { to, column } = reference;
      const id = ids[column] ?? '';
      const all = await rowsOf(reference, organization.id);
      const deletion = sql(`DELETE FROM ${to} WHERE id = $1`, id);
      if (deletions[nameOf(reference)] === 'refused') {
        await expect(deletion).rejects.toMatchObject(violation(reference));
        expect(await referring(reference, id)).toBe(1);
        continue;
      }
      await deletion;
      const left = deletions[nameOf(reference)] === 'emptied' ? all : all - 1;
      expect([nameOf(reference), await referring(reference, id)]).toEqual([nameOf(reference), 0]);
      expect([nameOf(reference), await rowsOf(reference, organization.id)]).toEqual([nameOf(reference), left]);
    }
  });

  it('delete everything with a deleted organization', async () => {
    const { organization, ids } = await makeScene();
    await sql('DELETE FROM organizations WHERE id = $1', organization.id);
    for (const reference of references) expect(await referring(reference, ids[reference.column] ?? '')).toBe(0);
  });

  it('wait for an uncommitted deletion, and are refused after it', async () => {
    for (const reference of references) {
      const { ids } = await makeScene();
      const { to, column } = reference;
      const other = await anotherOf(reference, ids);
      const deletion = await HeldTransaction.open(app.database, `DELETE FROM ${to} WHERE id = $1`, [other]);
      const insertion = sql(await copySql(reference), other, ids[column]).catch((error: unknown) => error);
      await deletion.blocks(1);
      await deletion.commit();
      expect(await insertion).toMatchObject(violation(reference));
    }
  });

  it('block a deletion, which then sees them', async () => {
    for (const reference of references) {
      const { ids } = await makeScene();
      const { to, column } = reference;
      const other = await anotherOf(reference, ids);
      const insertion = await HeldTransaction.open(app.database, await copySql(reference), [other, ids[column]]);
      const deletion = sql(`DELETE FROM ${to} WHERE id = $1`, other).then(
        () => 'deleted',
        () => 'refused',
      );
      await insertion.blocks(1);
      await insertion.commit();
      const isRefused = deletions[nameOf(reference)] === 'refused';
      expect([nameOf(reference), await deletion]).toEqual([nameOf(reference), isRefused ? 'refused' : 'deleted']);
      expect(await referring(reference, other)).toBe(isRefused ? 1 : 0);
    }
  });
});

/** The number of the organization's rows in the reference's table. */
async function rowsOf({ table }: Reference, organizationId: string): Promise<number> {
  const own = ['issue_branches', 'issue_scans', 'issue_targets'].includes(table)
    ? 'issue_id IN (SELECT id FROM issues WHERE organization_id = $1)'
    : 'organization_id = $1';
  const [row] = await sql(`SELECT count(*)::integer AS count FROM ${table} WHERE ${own}`, organizationId);
  return Number(row?.['count']);
}

/** Another row that the same column may refer to. */
async function anotherOf({ to }: Reference, ids: Record<string, string>): Promise<string> {
  const organization = ids['organization_id'] ?? '';
  const things = new ScanningRows(app, organization);
  if (to === 'organizations') return (await insertOrganization(app)).id;
  if (to === 'assets') return things.asset();
  if (to === 'scans') return things.scan(await things.profile());
  return things.issue(ids['asset_id'] ?? '');
}
