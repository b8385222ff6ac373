import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes: [index: string, on: string][] = [
  ['issues_epss_order_idx', 'issues (organization_id, coalesce(epss, 0) DESC, created_at DESC, id DESC)'],
  ['issues_kev_idx', 'issues (organization_id, created_at DESC, id DESC) WHERE kev'],
];

/** The indexes of issues by their threats. */
export class IssuesByThreat1764350000001 implements MigrationInterface {
  name = 'IssuesByThreat1764350000001';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, on] of indexes) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${on}`);
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
