import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE service_state (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  username varchar(50),
  email varchar(254),
  password_hash text NOT NULL,
  first_name varchar(100),
  last_name varchar(100),
  avatar_url text,
  bio varchar(2000),
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  account_credit numeric(12,2) NOT NULL DEFAULT 0,
  referral_count integer NOT NULL DEFAULT 0,
  can_be_deleted boolean NOT NULL DEFAULT true,
  token_version integer NOT NULL DEFAULT 0,
  totp_enabled boolean NOT NULL DEFAULT false,
  totp_secret text,
  totp_last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CHECK (deleted_at IS NOT NULL OR (username IS NOT NULL AND email IS NOT NULL)),
  CHECK (NOT totp_enabled OR totp_secret IS NOT NULL)
);
CREATE UNIQUE INDEX users_username_key ON users (lower(username));
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE INDEX users_newest_idx ON users (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_admins_idx ON users (id) WHERE role = 'admin' AND deleted_at IS NULL;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash text NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE login_challenges (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_version integer NOT NULL,
  wrong_codes integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX login_challenges_user_idx ON login_challenges (user_id);
CREATE INDEX login_challenges_expiry_idx ON login_challenges (expires_at);

CREATE TABLE guess_counters (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  blocked_until timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX guess_counters_updated_idx ON guess_counters (updated_at);

CREATE TABLE products (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name varchar(200) NOT NULL,
  description text,
  price numeric(12,2) NOT NULL CHECK (price >= 0),
  stock integer NOT NULL CHECK (stock >= 0),
  color text,
  material text,
  size text,
  image_url text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
CREATE INDEX products_listed_idx ON products (id) WHERE deleted_at IS NULL;
CREATE INDEX products_name_idx ON products (lower(name), id) WHERE deleted_at IS NULL;
CREATE INDEX products_color_idx ON products (lower(color), id) WHERE deleted_at IS NULL;
CREATE INDEX products_low_stock_idx ON products (stock) WHERE deleted_at IS NULL;
CREATE INDEX products_text_idx ON products USING gin (name gin_trgm_ops, description gin_trgm_ops) WHERE deleted_at IS NULL;

CREATE TABLE carts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE cart_items (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cart_id integer NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
  product_id integer NOT NULL REFERENCES products (id),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 999),
  UNIQUE (cart_id, product_id)
);
CREATE INDEX cart_items_product_idx ON cart_items (product_id);

CREATE TABLE coupons (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code varchar(32) NOT NULL,
  discount_percent numeric(5,2) NOT NULL CHECK (discount_percent > 0 AND discount_percent <= 100),
  max_uses integer NOT NULL CHECK (max_uses >= 1),
  current_uses integer NOT NULL DEFAULT 0 CHECK (current_uses >= 0),
  expires_at timestamptz(3),
  is_active boolean NOT NULL DEFAULT true,
  is_public boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX coupons_code_key ON coupons (upper(code));
CREATE INDEX coupons_newest_idx ON coupons (created_at DESC, id DESC);
CREATE INDEX coupons_public_idx ON coupons (created_at DESC, id DESC) WHERE is_active AND is_public;

CREATE TABLE orders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled', 'refunded')),
  total_price numeric(16,2) NOT NULL CHECK (total_price >= 0),
  discount numeric(16,2) NOT NULL DEFAULT 0 CHECK (discount >= 0),
  coupon_id integer REFERENCES coupons (id) ON DELETE SET NULL,
  shipping_first_name text,
  shipping_last_name text,
  shipping_address text,
  shipping_city text,
  shipping_zip text,
  shipping_country text,
  shipping_phone text,
  shipping_method text,
  shipping_cost numeric(7,2),
  estimated_delivery timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX orders_of_user_idx ON orders (user_id, created_at DESC, id DESC);
CREATE INDEX orders_newest_idx ON orders (created_at DESC, id DESC);
CREATE INDEX orders_by_status_idx ON orders (status, created_at DESC, id DESC);
CREATE INDEX orders_coupon_idx ON orders (coupon_id) WHERE coupon_id IS NOT NULL;

CREATE TABLE order_items (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  product_id integer NOT NULL REFERENCES products (id),
  quantity integer NOT NULL CHECK (quantity >= 1),
  price numeric(12,2) NOT NULL CHECK (price >= 0),
  UNIQUE (order_id, product_id)
);
CREATE INDEX order_items_product_idx ON order_items (product_id);

CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key text NOT NULL,
  request_hash text NOT NULL,
  response json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys (created_at);

CREATE TABLE testimonials (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  guest_name text,
  guest_role text,
  guest_avatar_url text,
  content text NOT NULL,
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
  is_featured boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (user_id IS NOT NULL OR guest_name IS NOT NULL)
);
CREATE INDEX testimonials_newest_idx ON testimonials (created_at DESC, id DESC);
CREATE INDEX testimonials_featured_idx ON testimonials (created_at DESC, id DESC) WHERE is_featured;
CREATE INDEX testimonials_user_idx ON testimonials (user_id);

CREATE TABLE reviews (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id integer NOT NULL REFERENCES products (id),
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
  title text,
  content text,
  image_url text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (product_id, user_id)
);
CREATE INDEX reviews_newest_idx ON reviews (product_id, created_at DESC, id DESC);
CREATE INDEX reviews_user_idx ON reviews (user_id);

CREATE TABLE uploads (
  filename text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('product', 'avatar', 'general')),
  user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  size integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX uploads_user_idx ON uploads (user_id);
`;

const tableNames =
  'uploads, reviews, testimonials, idempotency_keys, order_items, orders, coupons, cart_items, carts, products, ' +
  'guess_counters, login_challenges, recovery_codes, users, service_state';

/** The store's tables. */
export class Store1700000000000 implements MigrationInterface {
  name = 'Store1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${tableNames}`);
  }
}
