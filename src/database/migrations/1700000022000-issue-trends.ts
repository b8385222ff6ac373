import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For figures of issues: what changed when in an organization, and the open ones of an asset. */
export class IssueTrends1700000022000 implements MigrationInterface {
  name = 'IssueTrends1700000022000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE issue_activities a SET organization_id = i.organization_id
        FROM issues i WHERE i.id = a.issue_id AND a.organization_id IS NULL AND a.kind IN ('STATUS', 'SEVERITY');
      CREATE INDEX issue_activities_changes_idx ON issue_activities (organization_id, created_at)
        WHERE kind IN ('STATUS', 'SEVERITY');
      DROP INDEX issue_activities_resolved_idx;
      CREATE INDEX issues_open_of_asset_idx ON issues (asset_id, severity) WHERE status = 'OPEN'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX issues_open_of_asset_idx;
      DROP INDEX issue_activities_changes_idx;
      CREATE INDEX issue_activities_resolved_idx ON issue_activities (organization_id, created_at)
        WHERE kind = 'STATUS' AND to_value = 'RESOLVED'`);
  }
}
