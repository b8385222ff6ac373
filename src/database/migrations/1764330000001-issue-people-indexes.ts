import type { MigrationInterface, QueryRunner } from 'typeorm';

const severityRank = `(CASE severity WHEN 'CRITICAL' THEN 5 WHEN 'HIGH' THEN 4 WHEN 'MEDIUM' THEN 3 WHEN 'LOW' THEN 2 ELSE 1 END)`;

/** One for each order of the list and for each filter that somebody opens every day. */
const indexes: [index: string, on: string][] = [
  ['issues_severity_order_idx', `issues (organization_id, ${severityRank} DESC, created_at DESC, id DESC)`],
  ['issues_last_seen_idx', 'issues (organization_id, coalesce(last_seen_at, updated_at) DESC, id DESC)'],
  ['issues_due_idx', `issues (organization_id, coalesce(due_at, 'infinity'::timestamptz), id)`],
  [
    'issues_assignee_idx',
    'issues (assignee_id, organization_id, created_at DESC, id DESC) WHERE assignee_id IS NOT NULL',
  ],
  ['issues_accepted_until_idx', 'issues (accepted_until) WHERE accepted_until IS NOT NULL'],
  ['issues_accepted_by_idx', 'issues (accepted_by) WHERE accepted_by IS NOT NULL'],
];

/** The indexes of lists by people and time. */
export class IssuePeopleIndexes1764330000001 implements MigrationInterface {
  name = 'IssuePeopleIndexes1764330000001';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, on] of indexes) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${on}`);
    }
    await runner.query('ALTER TABLE issue_activities VALIDATE CONSTRAINT issue_activities_kind_check');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
