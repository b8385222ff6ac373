import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the user of a session last proved who they are. Nodes of the last release leave it to the default. */
export class RecentLogins1700030003000 implements MigrationInterface {
  name = 'RecentLogins1700030003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz(3)`);
    await runner.query(`ALTER TABLE sessions ALTER COLUMN authenticated_at SET DEFAULT now()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions DROP COLUMN authenticated_at`);
  }
}
