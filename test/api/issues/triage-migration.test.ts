import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Triage1700000004000 } from '../../../src/database/migrations/1700000004000-triage.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const uuid = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
type Move = [kind: string, from: string | null, to: string, actor: string];

/** Writes an issue with its activities as the previous version did. */
async function insert(n: number, status: string, severity: string, moves: Move[]): Promise<void> {
  await database.rows(
    `INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                         security_test_uid, identity)
     VALUES ($1, $2, $3, 'n', 'n', $4, 'CUSTOM', $5, 'a', 's', $6)`,
    [uuid(n), uuid(901), uuid(902), severity, status, `issue ${n}`],
  );
  for (const [at, [kind, from, to, actor]] of moves.entries()) {
    await database.rows(
      `INSERT INTO issue_activities (id, issue_id, kind, from_value, to_value, actor_kind, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, timestamptz '2026-01-01Z' + $7 * interval '1 hour')`,
      [uuid(n * 1_000 + at), uuid(n), kind, from, to, actor, at],
    );
  }
}

describe('The triage migration', () => {
  it('derives from the activities who set what, and is reversible', async () => {
    const runner = dataSource.createQueryRunner();
    const migration = new Triage1700000004000();
    await migration.down(runner);
    await database.rows(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [uuid(901)]);
    await database.rows(
      `INSERT INTO assets (id, organization_id, name, type, class, uri) VALUES ($1, $2, 'a', 'DNS', 'HOST', 'u')`,
      [uuid(902), uuid(901)],
    );
    const found: Move = ['STATUS', null, 'OPEN', 'SYSTEM'];
    await insert(1, 'OPEN', 'LOW', [found]);
    await insert(2, 'IGNORED', 'LOW', [['STATUS', null, 'IGNORED', 'SYSTEM']]);
    await insert(3, 'IGNORED', 'LOW', [found, ['STATUS', 'OPEN', 'IGNORED', 'USER']]);
    await insert(4, 'OPEN', 'LOW', [
      found,
      ['STATUS', 'OPEN', 'RESOLVED', 'API_KEY'],
      ['STATUS', 'RESOLVED', 'OPEN', 'SYSTEM'],
    ]);
    await insert(5, 'OPEN', 'HIGH', [found, ['SEVERITY', 'LOW', 'HIGH', 'USER']]);
    await insert(6, 'OPEN', 'INFO', [
      found,
      ['SEVERITY', 'LOW', 'HIGH', 'USER'],
      ['SEVERITY', 'HIGH', 'INFO', 'SYSTEM'],
    ]);
    const suppressed: Move = ['STATUS', null, 'IGNORED', 'SYSTEM'];
    await insert(7, 'OPEN', 'LOW', [suppressed, ['STATUS', 'IGNORED', 'OPEN', 'USER']]);
    await insert(8, 'IGNORED', 'LOW', [
      suppressed,
      ['STATUS', 'IGNORED', 'OPEN', 'USER'],
      ['STATUS', 'OPEN', 'IGNORED', 'API_KEY'],
    ]);
    await insert(9, 'OPEN', 'LOW', [['STATUS', 'IGNORED', 'OPEN', 'USER']]);
    await migration.up(runner);
    await runner.release();
    const rows = await database.rows(
      'SELECT status_set_by, set_aside, severity_set_by, tool_severity FROM issues ORDER BY identity',
    );
    expect(rows.map(Object.values)).toEqual([
      [null, null, null, null],
      [null, 'IGNORED', null, null],
      ['USER', null, null, null],
      [null, null, null, null],
      [null, null, 'USER', 'LOW'],
      [null, null, null, null],
      ['USER', 'IGNORED', null, null],
      ['API_KEY', 'IGNORED', null, null],
      ['USER', 'IGNORED', null, null],
    ]);
    const resolved = await database.rows('SELECT issue_id FROM issue_activities WHERE organization_id = $1', [
      uuid(901),
    ]);
    expect(resolved).toEqual([{ issue_id: uuid(4) }]);
  });
});
