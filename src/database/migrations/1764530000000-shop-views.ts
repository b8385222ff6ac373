import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Saved filters of the lists of the administration, of an admin or of all. */
const views = `
CREATE TABLE shop_views (
  id uuid PRIMARY KEY,
  owner_id uuid REFERENCES users (id) ON DELETE SET NULL,
  list text NOT NULL,
  name varchar(100) NOT NULL,
  shared boolean NOT NULL,
  query varchar(2000) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX shop_views_shared_name_key ON shop_views (list, lower(name)) WHERE shared;
CREATE UNIQUE INDEX shop_views_own_name_key ON shop_views (owner_id, list, lower(name)) WHERE NOT shared;
CREATE INDEX shop_views_newest_idx ON shop_views (created_at DESC, id DESC);
CREATE INDEX shop_views_owner_idx ON shop_views (owner_id);
`;

/** Saved views of the shop. */
export class ShopViews1764530000000 implements MigrationInterface {
  name = 'ShopViews1764530000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(views);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
