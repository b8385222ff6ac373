import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who set what of an issue, and what its scanner says meanwhile: `tool_severity` is the severity that the newest scan gave
 * while a person's holds, `set_aside` the status as which it sets the issue aside itself.
 */
const columns = `
ALTER TABLE issues
  ADD COLUMN severity_set_by text CHECK (severity_set_by IN ('USER', 'API_KEY')),
  ADD COLUMN tool_severity text CHECK (tool_severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  ADD COLUMN status_set_by text CHECK (status_set_by IN ('USER', 'API_KEY')),
  ADD COLUMN set_aside text CHECK (set_aside IN ('IGNORED', 'FALSE_POSITIVE'));

ALTER TABLE issue_activities
  ADD COLUMN organization_id uuid,
  DROP CONSTRAINT issue_activities_kind_check,
  ADD CONSTRAINT issue_activities_kind_check
    CHECK (kind IN ('STATUS', 'SEVERITY', 'COMMENT', 'CONTEXT', 'TARGETS'));
`;

/** For summaries: the counts of an organization, and what it resolved when. */
const indexes = `
CREATE INDEX issues_counts_idx ON issues (organization_id, severity, status, category);
CREATE INDEX issue_activities_resolved_idx ON issue_activities (organization_id, created_at)
  WHERE kind = 'STATUS' AND to_value = 'RESOLVED';
`;

const newestMove = (kind: 'STATUS' | 'SEVERITY'): string => `(
  SELECT DISTINCT ON (issue_id) issue_id, actor_kind, from_value, to_value FROM issue_activities
   WHERE kind = '${kind}' ORDER BY issue_id, created_at DESC, id DESC)`;

/** What the activities tell of the issues that there are. */
const backfill = `
UPDATE issues i
   SET status_set_by = a.actor_kind
  FROM ${newestMove('STATUS')} AS a
 WHERE a.issue_id = i.id AND a.to_value = i.status AND a.actor_kind <> 'SYSTEM';

-- Also where a person has moved it since: what its scanner sets aside again, stays as they left it.
UPDATE issues i SET set_aside = 'IGNORED'
 WHERE EXISTS (SELECT FROM issue_activities
                WHERE issue_id = i.id AND kind = 'STATUS' AND actor_kind = 'SYSTEM' AND to_value = 'IGNORED')
    OR 'IGNORED' = coalesce((SELECT coalesce(from_value, to_value) FROM issue_activities
                              WHERE issue_id = i.id AND kind = 'STATUS' ORDER BY created_at, id LIMIT 1), i.status);

UPDATE issues i
   SET severity_set_by = a.actor_kind, tool_severity = coalesce(a.from_value, i.severity)
  FROM ${newestMove('SEVERITY')} AS a
 WHERE a.issue_id = i.id AND a.to_value = i.severity AND a.actor_kind <> 'SYSTEM';

UPDATE issue_activities a SET organization_id = i.organization_id
  FROM issues i WHERE i.id = a.issue_id AND a.kind = 'STATUS' AND a.to_value = 'RESOLVED';
`;

export class Triage1700000004000 implements MigrationInterface {
  readonly name = 'Triage1700000004000';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [columns, backfill, indexes]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX IF EXISTS issue_activities_resolved_idx; -- a later migration replaces it
      DROP INDEX issues_counts_idx;
      DELETE FROM issue_activities WHERE kind IN ('CONTEXT', 'TARGETS');
      ALTER TABLE issue_activities DROP COLUMN organization_id, DROP CONSTRAINT issue_activities_kind_check,
        ADD CONSTRAINT issue_activities_kind_check CHECK (kind IN ('STATUS', 'SEVERITY', 'COMMENT'));
      ALTER TABLE issues DROP COLUMN severity_set_by, DROP COLUMN tool_severity, DROP COLUMN status_set_by,
        DROP COLUMN set_aside;`);
  }
}
