import type { MigrationInterface, QueryRunner } from 'typeorm';

const issuesAtOnce = 1_000;

const identifyNext = `
  WITH next AS MATERIALIZED (SELECT issue_id FROM issue_details WHERE issue_id > $1 ORDER BY issue_id LIMIT $2),
       identified AS MATERIALIZED (SELECT identify_issues(ARRAY(SELECT issue_id FROM next)))
  SELECT max(issue_id::text) AS last FROM next WHERE EXISTS (SELECT FROM identified)`;

/** The index that finds the issues of a rule, newest first; and the identifiers of the issues that were there before. */
export class IssuesOfRule1764320000001 implements MigrationInterface {
  name = 'IssuesOfRule1764320000001';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS issues_rule_idx');
    await runner.query(
      `CREATE INDEX CONCURRENTLY issues_rule_idx
         ON issues (organization_id, security_test_uid, created_at DESC, id DESC)`,
    );
    for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last !== undefined;) {
      const rows = (await runner.query(identifyNext, [last, issuesAtOnce])) as { last: string | null }[];
      last = rows[0]?.last ?? undefined;
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
