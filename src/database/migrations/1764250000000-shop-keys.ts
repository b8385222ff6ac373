import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys by which programs administer the shop. A revoked one keeps its row for a while. */
const keys = `
CREATE TABLE shop_keys (
  id uuid PRIMARY KEY,
  name varchar(200) NOT NULL,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  prefix text NOT NULL,
  key_hash text NOT NULL CONSTRAINT shop_keys_key_hash_key UNIQUE,
  created_by uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX shop_keys_newest_idx ON shop_keys (created_at DESC, id DESC);
CREATE INDEX shop_keys_maker_idx ON shop_keys (created_by);
`;

/** Keys for machines. */
export class ShopKeys1764250000000 implements MigrationInterface {
  name = 'ShopKeys1764250000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(keys);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
