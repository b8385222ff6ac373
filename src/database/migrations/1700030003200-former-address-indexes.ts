import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexMeanwhile } from './indexes-meanwhile.js';

/** Accounts by the address that they had before. */
export class FormerAddressIndexes1700030003200 implements MigrationInterface {
  name = 'FormerAddressIndexes1700030003200';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const replaced = 'WHERE former_email IS NOT NULL';
    await indexMeanwhile(runner, 'users', 'users_former_email_idx', 'lower(former_email)', replaced);
    await indexMeanwhile(runner, 'mail_tokens', 'mail_tokens_undo_idx', 'lower(email)', `WHERE purpose = 'undo'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_former_email_idx; DROP INDEX mail_tokens_undo_idx');
  }
}
