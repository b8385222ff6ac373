import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Names sort as people sort them: by the root collation of Unicode (ICU's "und"), on a server that was built without ICU
 * by code points. The index of colours takes over from the former one, which sorted by id, so that an order pays for one.
 */
export class NamesInOrder1700000009200 implements MigrationInterface {
  name = 'NamesInOrder1700000009200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$
      BEGIN
        CREATE COLLATION names_in_order (provider = icu, locale = 'und');
      EXCEPTION WHEN OTHERS THEN
        CREATE COLLATION names_in_order FROM "C";
      END $$`);
    await runner.query(`
      CREATE INDEX products_color_name_idx ON products (lower(color), (lower(name) COLLATE names_in_order), id)
       WHERE deleted_at IS NULL;
      DROP INDEX products_color_idx`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX products_color_idx ON products (lower(color), id) WHERE deleted_at IS NULL;
      DROP INDEX products_color_name_idx;
      DROP COLLATION names_in_order`);
  }
}
