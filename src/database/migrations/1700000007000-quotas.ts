import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was used of each rate in its window, by name and by whom it is counted for: shared by all nodes. */
const rates = `
CREATE TABLE rate_counters (
  key text PRIMARY KEY,
  used bigint NOT NULL,
  window_ends_at timestamptz(3) NOT NULL
);
CREATE INDEX rate_counters_end_idx ON rate_counters (window_ends_at);
`;

/** Who made an organization: unknown, and counted for nobody, for those from before. */
const makers = `
ALTER TABLE organizations ADD COLUMN created_by uuid REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX organizations_maker_idx ON organizations (created_by);
`;

export class Quotas1700000007000 implements MigrationInterface {
  name = 'Quotas1700000007000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rates);
    await runner.query(makers);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN created_by');
    await runner.query('DROP TABLE rate_counters');
  }
}
