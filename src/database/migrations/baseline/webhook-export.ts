const workflows = `
CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  trigger_type text NOT NULL,
  cron text,
  time_zone text NOT NULL DEFAULT 'UTC',
  conditions jsonb NOT NULL DEFAULT '{}',
  throttle_ms integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  scheduled_for timestamptz(3)
);
CREATE INDEX workflows_newest_idx ON workflows (organization_id, created_at DESC, id DESC);
CREATE INDEX workflows_trigger_idx ON workflows (organization_id, trigger_type) WHERE enabled;

CREATE TABLE workflow_triggers (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  type text NOT NULL,
  subjects jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX workflow_triggers_organization_idx ON workflow_triggers (organization_id);

CREATE TABLE workflow_actions (
  id uuid PRIMARY KEY,
  workflow_id uuid NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  position integer NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  failing_since timestamptz(3),
  resources text[],
  parameters_sealed text NOT NULL
);
CREATE INDEX workflow_actions_workflow_idx ON workflow_actions (workflow_id, position);

CREATE TABLE workflow_runs (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  workflow_id uuid REFERENCES workflows (id) ON DELETE SET NULL,
  trigger_type text NOT NULL,
  subjects jsonb NOT NULL DEFAULT '[]',
  status text NOT NULL CHECK (status IN ('PENDING', 'SENT', 'SKIPPED', 'FAILED', 'CANCELED')),
  reason text,
  runs_at timestamptz(3) NOT NULL DEFAULT now(),
  shape text CHECK (shape IN ('default', 'scoped')),
  root_bytes jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX workflow_runs_organization_idx ON workflow_runs (organization_id);
CREATE INDEX workflow_runs_newest_idx ON workflow_runs (workflow_id, created_at DESC, id DESC);
CREATE INDEX workflow_runs_pending_idx ON workflow_runs (runs_at) WHERE status = 'PENDING';
CREATE INDEX workflow_runs_age_idx ON workflow_runs (created_at);
`;

/**
 * A payload is stored as its roots, each compressed and encrypted in chunks, from which a delivery assembles what it
 * sends. The organization determines the server of a chunk where Citus distributes them.
 */
const payloads = `
CREATE TABLE workflow_run_payloads (
  run_id uuid NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  root text NOT NULL,
  number integer NOT NULL,
  sealed bytea NOT NULL,
  organization_id uuid NOT NULL,
  PRIMARY KEY (run_id, root, number)
);
ALTER TABLE workflow_run_payloads ALTER COLUMN sealed SET STORAGE EXTERNAL;
`;

const deliveries = `
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  workflow_id uuid REFERENCES workflows (id) ON DELETE SET NULL,
  action_id uuid REFERENCES workflow_actions (id) ON DELETE SET NULL,
  run_id uuid NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  url_sealed text NOT NULL,
  resources text[],
  payload_bytes bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'RETRYING', 'EXHAUSTED', 'CANCELED')),
  turn integer NOT NULL DEFAULT 0,
  series_failures integer NOT NULL DEFAULT 0,
  claimed_by text,
  next_attempt_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhook_deliveries_newest_idx ON webhook_deliveries (workflow_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_status_idx ON webhook_deliveries (organization_id, status, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_workflow_status_idx ON webhook_deliveries (workflow_id, status, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_action_idx ON webhook_deliveries (action_id);
CREATE INDEX webhook_deliveries_run_idx ON webhook_deliveries (run_id);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (next_attempt_at)
  WHERE status IN ('PENDING', 'RETRYING');
CREATE INDEX webhook_deliveries_exhausted_idx ON webhook_deliveries (workflow_id, finished_at)
  WHERE status = 'EXHAUSTED';

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number integer NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  duration_ms integer,
  status_code integer,
  error text,
  response text,
  PRIMARY KEY (delivery_id, number)
);
`;

/** The tables of a workflow: its actions, its runs with their frozen payloads, and their deliveries. */
export const webhookExport = [workflows, payloads, deliveries].join('');
