import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events by their first asset, in order: most have but one. What has several stays in a GIN index, which is slower to
 * write and has no order.
 */
export class EventsByFirstAsset1700000023000 implements MigrationInterface {
  name = 'EventsByFirstAsset1700000023000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX scan_events_first_asset_idx
          ON scan_events (organization_id, (asset_ids[1]), created_at DESC, id DESC);
      CREATE INDEX scan_events_further_assets_idx ON scan_events USING gin (asset_ids) WHERE cardinality(asset_ids) > 1;
      CREATE INDEX scan_events_many_assets_idx ON scan_events (organization_id, created_at DESC, id DESC)
        WHERE cardinality(asset_ids) > 1;
      DROP INDEX scan_events_assets_idx`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX scan_events_assets_idx ON scan_events USING gin (asset_ids);
      DROP INDEX scan_events_many_assets_idx;
      DROP INDEX scan_events_further_assets_idx;
      DROP INDEX scan_events_first_asset_idx`);
  }
}
