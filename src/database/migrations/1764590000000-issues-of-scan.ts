import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of what a scan found that has the issue, too: to ask whether a scan found an issue is one probe of it, as of the
 * primary key. Of the index of scans alone, which this replaces, the planner expected no row for a scan that is newer than its
 * statistics, and read all that the scan had found for each issue.
 */
export class IssuesOfScan1764590000000 implements MigrationInterface {
  name = 'IssuesOfScan1764590000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS issue_scans_of_scan_idx');
    await runner.query('CREATE INDEX CONCURRENTLY issue_scans_of_scan_idx ON issue_scans (scan_id, issue_id)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS issue_scans_scan_idx');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
