import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which sessions the provider of OpenID Connect vouches for by two factors, and logins of it that still need a code. */
export class ProviderFactors1764570000000 implements MigrationInterface {
  name = 'ProviderFactors1764570000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN multi_factor boolean NOT NULL DEFAULT false');
    await runner.query('ALTER TABLE login_challenges ADD COLUMN voucher jsonb');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
