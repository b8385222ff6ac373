import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events of a scan or a profile by their organization too, which every statement names: it leads to the one server that
 * has them where they are spread over several.
 */
export class EventsByOrganizationAndLead1700000025200 implements MigrationInterface {
  name = 'EventsByOrganizationAndLead1700000025200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX scan_events_of_profile_idx ON scan_events (organization_id, profile_id, created_at DESC, id DESC);
      CREATE INDEX scan_events_of_scan_idx ON scan_events (organization_id, scan_id, created_at DESC, id DESC);
      DROP INDEX scan_events_profile_idx;
      DROP INDEX scan_events_scan_idx`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX scan_events_profile_idx ON scan_events (profile_id, created_at DESC, id DESC);
      CREATE INDEX scan_events_scan_idx ON scan_events (scan_id, created_at DESC, id DESC);
      DROP INDEX scan_events_of_scan_idx;
      DROP INDEX scan_events_of_profile_idx`);
  }
}
