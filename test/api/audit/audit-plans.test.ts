import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditFilterName, auditPage } from '../../../src/platform/audit/audit-entries.statements.js';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { scansOf } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const log = uuidV7();
const actor = uuidV7();
const subject = uuidV7();

const months = ['2026-04', '2026-05', '2026-06'];
const fill = `
  INSERT INTO audit_entries (id, created_at, log_id, action, actor_kind, actor_id, subject_type, subject_id, changes)
  SELECT gen_random_uuid(), timestamptz '2026-04-02' + n * interval '6 minutes', $1,
         CASE WHEN n % 3000 = 7 THEN 'workflow.deleted' ELSE 'workflow.updated' END, 'user',
         CASE WHEN n % 3000 = 7 THEN $2::uuid ELSE md5((n % 40)::text)::uuid END,
         CASE WHEN n % 3000 = 7 THEN 'member' ELSE 'workflow' END,
         CASE WHEN n % 3000 = 7 THEN $3::text ELSE md5((n % 900)::text)::uuid::text END, '{}'
    FROM generate_series(1, 20000) AS n`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const month of months) {
    const name = `audit_entries_${month.replace('-', '_')}`;
    const from = `timestamptz '${month}-01Z'`;
    await database.rows(
      `CREATE TABLE ${name} PARTITION OF audit_entries FOR VALUES FROM (${from}) TO (${from} + interval '1 month')`,
    );
  }
  await database.rows(fill, [log, actor, subject]);
  await database.rows('VACUUM ANALYZE audit_entries');
});
afterAll(() => database.drop());

function scans(filter: Partial<Record<AuditFilterName, unknown>>): Promise<string[]> {
  const { statement, values } = auditPage.of([log, 'infinity', log, 51], filter);
  return scansOf(database, statement.text, values);
}

const ofEntries = (all: string[]) => all.filter((scan) => scan.includes('audit_entries'));

describe('A page of the audit log', () => {
  it.each<[string, Partial<Record<AuditFilterName, unknown>>, RegExp]>([
    ['without a filter', {}, /_pkey$/],
    ['of an action', { action: 'workflow.deleted' }, /_log_id_action_/],
    ['of an actor', { actorId: actor }, /_log_id_actor_id_/],
    ['of a type of subject', { subjectType: 'member' }, /_log_id_subject_type_/],
    ['of a subject', { subjectId: subject }, /_log_id_subject_id_/],
    ['of a subject and its type', { subjectId: subject, subjectType: 'member' }, /_log_id_subject_/],
  ])('%s reads the index of its filter, in order', async (_, filter, index) => {
    const found = ofEntries(await scans(filter));
    expect(found).toHaveLength(months.length);
    for (const scan of found) expect(scan).toMatch(index);
    for (const scan of found) expect(scan).toMatch(/^Index/);
  });

  it('of a period reads only the months of that period', async () => {
    const filter = { since: '2026-05-03T00:00:00Z', until: '2026-05-04T00:00:00Z' };
    expect(ofEntries(await scans(filter))).toEqual([expect.stringContaining('audit_entries_2026_05_pkey')]);
  });
});
