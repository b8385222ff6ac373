import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexByPartition } from './indexes-meanwhile.js';

/**
 * Events of a scan or a profile by their organization too, which every statement names: it leads to the one server that
 * has them where they are spread over several. Nodes of the release before list by the former indexes: where there are
 * events, these stay until a migration of the next release drops them (`test/support/left-behind.ts`).
 */
export class EventsByOrganizationAndLead1700000025200 implements MigrationInterface {
  name = 'EventsByOrganizationAndLead1700000025200';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const lead of ['profile', 'scan']) {
      const columns = `organization_id, ${lead}_id, created_at DESC, id DESC`;
      await indexByPartition(runner, 'scan_events', `scan_events_of_${lead}_idx`, columns);
    }
    const [events] = (await runner.query('SELECT EXISTS (SELECT FROM scan_events) AS yes')) as { yes: boolean }[];
    if (!events?.yes) await runner.query('DROP INDEX IF EXISTS scan_events_profile_idx, scan_events_scan_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX IF NOT EXISTS scan_events_profile_idx ON scan_events (profile_id, created_at DESC, id DESC);
      CREATE INDEX IF NOT EXISTS scan_events_scan_idx ON scan_events (scan_id, created_at DESC, id DESC);
      DROP INDEX scan_events_of_scan_idx;
      DROP INDEX scan_events_of_profile_idx`);
  }
}
