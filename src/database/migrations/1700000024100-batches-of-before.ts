import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As many as a follower may be behind that goes on over the upgrade. */
const kept = 1_000;

/**
 * The newest transactions of each organization before there were batches, for followers whose cursors are snapshots. On
 * its own, as it takes a while and nobody waits for it: those that come meanwhile get larger numbers.
 */
const fill = `
INSERT INTO event_batches (organization_id, arrived, appended_at, number)
SELECT o.id, b.arrived, b.appended_at, row_number() OVER (PARTITION BY o.id ORDER BY b.arrived)
  FROM organizations o CROSS JOIN LATERAL (
    WITH RECURSIVE back AS (
      (SELECT e.arrived, e.appended_at FROM scan_events e
        WHERE e.organization_id = o.id ORDER BY e.arrived DESC LIMIT 1)
      UNION ALL
      SELECT e.* FROM back CROSS JOIN LATERAL (
        SELECT e.arrived, e.appended_at FROM scan_events e
         WHERE e.organization_id = o.id AND e.arrived < back.arrived ORDER BY e.arrived DESC LIMIT 1) AS e
    ) SELECT * FROM back LIMIT ${kept}) AS b
ON CONFLICT DO NOTHING;

INSERT INTO event_positions (organization_id, last) SELECT id, ${kept} FROM organizations
ON CONFLICT DO NOTHING;
`;

export class BatchesOfBefore1700000024100 implements MigrationInterface {
  name = 'BatchesOfBefore1700000024100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM event_batches WHERE number <= ${kept}; DELETE FROM event_positions`);
  }
}
