import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the console lists: reviews of all products, and people by a part of their name or address. */
export class Console1700000018000 implements MigrationInterface {
  name = 'Console1700000018000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX reviews_all_newest_idx ON reviews (created_at DESC, id DESC);
      CREATE INDEX users_search_idx ON users
       USING gin ((lower(username) || ' ' || lower(email)) gin_trgm_ops) WHERE deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX users_search_idx; DROP INDEX reviews_all_newest_idx`);
  }
}
