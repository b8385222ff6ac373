import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when an account is suspended: its owner cannot sign in. */
export class Suspensions1700030004100 implements MigrationInterface {
  name = 'Suspensions1700030004100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN suspended_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN suspended_at');
  }
}
