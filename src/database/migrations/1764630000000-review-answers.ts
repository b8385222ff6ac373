import type { MigrationInterface, QueryRunner } from 'typeorm';

const answer = 'ADD COLUMN IF NOT EXISTS answer text, ADD COLUMN IF NOT EXISTS answered_at timestamptz(3)';

/** What the shop answers to reviews and testimonials, and indexes of what is searched for in them. */
export class ReviewAnswers1764630000000 implements MigrationInterface {
  name = 'ReviewAnswers1764630000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reviews ${answer}`);
    await runner.query(`ALTER TABLE testimonials ${answer}`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS reviews_text_idx');
    await runner.query(`CREATE INDEX CONCURRENTLY reviews_text_idx ON reviews
      USING gin (lower(coalesce(title, '') || ' ' || coalesce(content, '')) gin_trgm_ops)`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS testimonials_text_idx');
    await runner.query(`CREATE INDEX CONCURRENTLY testimonials_text_idx ON testimonials
      USING gin (lower(coalesce(guest_name, '') || ' ' || content) gin_trgm_ops)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
