import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexMeanwhile } from './indexes-meanwhile.js';

const account = `username || ' ' || email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')`;
const recipient = `coalesce(shipping_first_name, '') || ' ' || coalesce(shipping_last_name, '')`;

/** Accounts by the words of their names and address, and orders by those of who gets them. */
export class PeopleByName1700030005100 implements MigrationInterface {
  name = 'PeopleByName1700030005100';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const gin = 'USING gin';
    await indexMeanwhile(runner, 'users', 'users_words_idx', `name_words(${account})`, 'WHERE deleted_at IS NULL', gin);
    await indexMeanwhile(runner, 'orders', 'orders_recipient_idx', `name_words(${recipient})`, '', gin);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_recipient_idx; DROP INDEX users_words_idx');
  }
}
