import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The orders in which the administration's lists can be sorted, for those that had no index. */
export class SortedLists1700000028100 implements MigrationInterface {
  name = 'SortedLists1700000028100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX orders_total_idx ON orders (total_price, id);
      CREATE INDEX products_price_idx ON products (price, id) WHERE deleted_at IS NULL;
      CREATE INDEX products_name_idx ON products ((lower(name) COLLATE names_in_order), id) WHERE deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_total_idx; DROP INDEX products_price_idx; DROP INDEX products_name_idx');
  }
}
