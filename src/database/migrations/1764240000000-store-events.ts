import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happened in the shop, written with the change itself, in the order `written`. A number is given afterwards, in the order in which the
 * changes became visible, so that readers by cursor miss none. `customer` is about the account `user_id`, and goes with it.
 */
const events = `
CREATE SEQUENCE store_events_seq;
CREATE TABLE store_events (
  id uuid PRIMARY KEY,
  written bigserial,
  seq bigint,
  type text NOT NULL,
  user_id uuid,
  data jsonb NOT NULL,
  customer jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX store_events_seq_key ON store_events (seq);
CREATE INDEX store_events_unnumbered_idx ON store_events (written) WHERE seq IS NULL;
CREATE INDEX store_events_age_idx ON store_events (created_at);
CREATE INDEX store_events_user_idx ON store_events (user_id) WHERE customer IS NOT NULL;
`;

const webhooks = `
CREATE TABLE store_webhooks (
  id uuid PRIMARY KEY,
  events text[] NOT NULL,
  customer_data boolean NOT NULL,
  enabled boolean NOT NULL,
  disabled_reason text,
  failing_since timestamptz(3),
  parameters_sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
`;

/** A delivery belongs to a run of a workflow, or takes an event to a webhook of the shop. */
const deliveries = `
ALTER TABLE webhook_deliveries
  ADD COLUMN webhook_id uuid CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES store_webhooks (id) ON DELETE CASCADE,
  ADD COLUMN event_id uuid CONSTRAINT webhook_deliveries_event_id_fkey REFERENCES store_events (id) ON DELETE CASCADE;
ALTER TABLE webhook_deliveries ALTER COLUMN organization_id DROP NOT NULL;
ALTER TABLE webhook_deliveries ALTER COLUMN run_id DROP NOT NULL;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_user_check
  CHECK (num_nulls(organization_id, run_id) = 0 AND num_nonnulls(webhook_id, event_id) = 0
      OR num_nulls(webhook_id, event_id) = 0 AND num_nonnulls(organization_id, run_id) = 0) NOT VALID;
ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_user_check;
`;

/** Store events, and webhooks that get them by the deliveries that workflows have. */
export class StoreEvents1764240000000 implements MigrationInterface {
  name = 'StoreEvents1764240000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [events, webhooks, deliveries]) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
