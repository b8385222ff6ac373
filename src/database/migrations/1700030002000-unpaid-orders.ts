import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexMeanwhile } from './indexes-meanwhile.js';

/** The pending orders of each user, which a quota counts. */
export class UnpaidOrders1700030002000 implements MigrationInterface {
  name = 'UnpaidOrders1700030002000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexMeanwhile(runner, 'orders', 'orders_unpaid_idx', 'user_id', `WHERE status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_unpaid_idx');
  }
}
