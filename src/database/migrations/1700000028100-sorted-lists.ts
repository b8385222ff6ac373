import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexMeanwhile } from './indexes-meanwhile.js';

const shown = 'WHERE deleted_at IS NULL';

/** The orders in which the administration's lists can be sorted, for those that had no index. */
export class SortedLists1700000028100 implements MigrationInterface {
  name = 'SortedLists1700000028100';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexMeanwhile(runner, 'orders', 'orders_total_idx', 'total_price, id');
    await indexMeanwhile(runner, 'products', 'products_price_idx', 'price, id', shown);
    await indexMeanwhile(runner, 'products', 'products_name_idx', '(lower(name) COLLATE names_in_order), id', shown);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_total_idx; DROP INDEX products_price_idx; DROP INDEX products_name_idx');
  }
}
