import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists and counts leave out what only other branches than the default one have; lists of scans ask for a branch or commit. */
const indexes: [index: string, on: string][] = [
  ['issues_of_default_newest_idx', 'issues (organization_id, created_at DESC, id DESC) WHERE NOT branch_only'],
  ['issues_of_default_counts_idx', 'issues (organization_id, severity, status, category) WHERE NOT branch_only'],
  ['scans_branch_idx', 'scans (organization_id, branch, created_at DESC, id DESC) WHERE branch IS NOT NULL'],
  ['scans_commit_idx', 'scans (organization_id, commit_id) WHERE commit_id IS NOT NULL'],
];

/** The indexes by branch of tables that have rows already. */
export class BranchIndexes1764310000001 implements MigrationInterface {
  name = 'BranchIndexes1764310000001';
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
