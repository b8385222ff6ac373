import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of the shop that an admin writes; null: the value of the environment. The table has one row. */
const settings = `
CREATE TABLE shop_settings (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  name varchar(100),
  currency char(3) CHECK (currency ~ '^[A-Z]{3}$'),
  locale varchar(35),
  contact_email varchar(254),
  address varchar(1000),
  logo_url varchar(2048),
  payment_instructions varchar(2000),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO shop_settings DEFAULT VALUES;
`;

const orders = `
ALTER TABLE orders
  ADD COLUMN paid_total numeric(16,2) NOT NULL DEFAULT 0 CHECK (paid_total >= 0),
  ADD COLUMN refunded_total numeric(16,2) NOT NULL DEFAULT 0 CHECK (refunded_total >= 0),
  ADD COLUMN payment_problem text,
  ADD COLUMN carrier varchar(100),
  ADD COLUMN tracking_number varchar(200),
  ADD COLUMN tracking_url varchar(2048),
  ADD CONSTRAINT orders_refunded_check CHECK (refunded_total <= paid_total);
ALTER TABLE order_items
  ADD COLUMN restocked integer NOT NULL DEFAULT 0 CONSTRAINT order_items_restocked_check CHECK (restocked BETWEEN 0 AND quantity);
`;

/** A payment that somebody is asked for; its id is the key by which the provider knows it. */
const sessions = `
CREATE TABLE payment_sessions (
  id uuid PRIMARY KEY,
  order_id integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  provider text NOT NULL,
  reference text,
  url text,
  amount numeric(16,2) NOT NULL CHECK (amount > 0),
  currency char(3) NOT NULL,
  return_url varchar(2048),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'failed', 'expired')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ask_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX payment_sessions_order_idx ON payment_sessions (order_id);
CREATE INDEX payment_sessions_open_idx ON payment_sessions (ask_at) WHERE status = 'open';
CREATE UNIQUE INDEX payment_sessions_reference_key ON payment_sessions (provider, reference);
`;

const payments = `
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  order_id integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  provider text NOT NULL,
  reference varchar(255),
  method varchar(100),
  amount numeric(16,2) NOT NULL CHECK (amount > 0),
  currency char(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX payments_order_idx ON payments (order_id, created_at);
CREATE UNIQUE INDEX payments_reference_key ON payments (provider, reference);
`;

/** A refund counts in the order's total from the moment at which it is asked for, until it fails. */
const refunds = `
CREATE TABLE refunds (
  id uuid PRIMARY KEY,
  order_id integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  payment_id uuid NOT NULL REFERENCES payments (id) ON DELETE CASCADE,
  amount numeric(16,2) NOT NULL CHECK (amount > 0),
  reason varchar(500),
  restock boolean NOT NULL,
  by_hand boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done', 'failed')),
  reference varchar(255),
  failure varchar(500),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ask_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX refunds_order_idx ON refunds (order_id, created_at);
CREATE INDEX refunds_payment_idx ON refunds (payment_id);
CREATE INDEX refunds_pending_idx ON refunds (ask_at) WHERE status = 'pending';
CREATE TABLE refund_lines (
  refund_id uuid NOT NULL REFERENCES refunds (id) ON DELETE CASCADE,
  item_id integer NOT NULL REFERENCES order_items (id) ON DELETE CASCADE,
  quantity integer NOT NULL CHECK (quantity >= 1),
  PRIMARY KEY (refund_id, item_id)
);
CREATE INDEX refund_lines_item_idx ON refund_lines (item_id);
`;

const notes = `
CREATE TABLE order_notes (
  id uuid PRIMARY KEY,
  order_id integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  key_name varchar(100),
  text varchar(2000) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX order_notes_order_idx ON order_notes (order_id, created_at);
CREATE INDEX order_notes_user_idx ON order_notes (user_id);
`;

const addresses = `
CREATE TABLE user_addresses (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  first_name varchar(100) NOT NULL,
  last_name varchar(100) NOT NULL,
  address varchar(300) NOT NULL,
  city varchar(100) NOT NULL,
  zip_code varchar(20) NOT NULL,
  country varchar(100) NOT NULL,
  phone varchar(50),
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX user_addresses_user_idx ON user_addresses (user_id, created_at);
CREATE UNIQUE INDEX user_addresses_default_key ON user_addresses (user_id) WHERE is_default;
`;

/** What selling takes: the shop's settings, payments and refunds, tracking, notes, and customers' addresses. */
export class Payments1764200000000 implements MigrationInterface {
  name = 'Payments1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [settings, orders, sessions, payments, refunds, notes, addresses]) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
