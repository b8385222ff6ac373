import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexMeanwhile } from './indexes-meanwhile.js';

/** The columns that show a picture. */
const shown = [
  ['users', 'avatar_url'],
  ['products', 'image_url'],
  ['order_items', 'product_image_url'],
  ['reviews', 'image_url'],
  ['testimonials', 'guest_avatar_url'],
] as const;

/** An order's lines show what their products, which it locks, show at that moment: it need not hold the pictures. */
const holding = shown.filter(([table]) => table !== 'order_items');

/**
 * Since when a picture is shown nowhere, and how to tell. Who begins to show one holds it until the commit, so that the sweep,
 * which locks what it removes, passes it over or sees it shown.
 */
export class UnusedPictures1700030009000 implements MigrationInterface {
  name = 'UnusedPictures1700030009000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE uploads ADD COLUMN IF NOT EXISTS unused_since timestamptz(3)`);
    await indexMeanwhile(runner, 'uploads', 'uploads_unused_idx', 'unused_since', 'WHERE unused_since IS NOT NULL');
    for (const [table, column] of shown) {
      const name = `substring(${column}, '/uploads/[a-z]+/([^/?#]+)')`;
      await indexMeanwhile(runner, table, `${table}_picture_idx`, `(${name})`, `WHERE ${column} LIKE '%/uploads/%'`);
    }
    await runner.query(`
      CREATE OR REPLACE FUNCTION hold_shown_picture() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM uploads
          WHERE filename = substring(to_jsonb(NEW) ->> TG_ARGV[0], '/uploads/[a-z]+/([^/?#]+)') FOR KEY SHARE;
        RETURN NEW;
      END $$`);
    for (const [table, column] of holding) {
      await runner.query(`
        CREATE OR REPLACE TRIGGER ${table}_picture BEFORE INSERT OR UPDATE OF ${column} ON ${table}
          FOR EACH ROW WHEN (NEW.${column} LIKE '%/uploads/%') EXECUTE FUNCTION hold_shown_picture('${column}')`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of holding) await runner.query(`DROP TRIGGER ${table}_picture ON ${table}`);
    await runner.query('DROP FUNCTION hold_shown_picture');
    for (const [table] of shown) await runner.query(`DROP INDEX ${table}_picture_idx`);
    await runner.query('ALTER TABLE uploads DROP COLUMN unused_since');
  }
}
