import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { sealedUrlPlace } from '../../../src/platform/delivery/delivery-statuses.js';
import type { InsertedOrganization } from '../../support/organizations.js';
import { makeResource, resourceBodies, type ResourceKind } from '../../support/scanning.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import type { TestApp } from '../../support/test-app.js';
import { webhook, WorkflowCalls } from '../../support/workflows.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';

const url = `https://192.0.32.10/${canary}`;
const parameters = {
  headers: [{ name: 'X-Token', value: canary }],
  secret: `whsec_${Buffer.from(canary.padEnd(32, '.')).toString('base64')}`,
};

/** Calls of the scanning wing's audited routes by an admin of the organization. */
export function organizationCalls(app: TestApp, acme: InsertedOrganization): RouteCalls {
  return {
    ...removals(app, acme),
    ...integrationCalls(app, acme),
    ...workflowCalls(app, acme),
    ...replays(app, acme),
    ...triageCalls(app, acme),
  };
}

function removals(app: TestApp, acme: InsertedOrganization): RouteCalls {
  const removalOf = (kind: ResourceKind) => async () => {
    const { id } = await makeResource(app, acme, kind, resourceBodies[kind](`gone-${kind}.example.com`));
    return () => app.api.delete(`/api/v1/${kind}/${id}`, { token: acme.admin.token });
  };
  const kinds = ['profiles', 'tags', 'locations', 'assets', 'integrations'] as const;
  return Object.fromEntries(kinds.map((kind) => [`DELETE /api/v1/${kind}/:id`, removalOf(kind)]));
}

function integrationCalls(app: TestApp, acme: InsertedOrganization): RouteCalls {
  const { token } = acme.admin;
  const json = { name: 'Tracker', kind: 'CUSTOM', parameters: { apiKey: canary, host: canary } };
  return {
    'POST /api/v1/integrations': async () => () => app.api.post('/api/v1/integrations', { token, json }),
    'PATCH /api/v1/integrations/:id': async () => {
      const { id } = await makeResource(app, acme, 'integrations', json);
      const changes = { parameters: { apiKey: `${canary}-2` }, valid: false };
      return () => app.api.patch(`/api/v1/integrations/${id}`, { token, json: changes });
    },
  };
}

function workflowCalls(app: TestApp, acme: InsertedOrganization): RouteCalls {
  const { token } = acme.admin;
  const calls = new WorkflowCalls(app, acme);
  const made = () => calls.make(url, { parameters });
  return {
    'POST /api/v1/workflows': async () => () => calls.create(url, { actions: [webhook(url, parameters)] }),
    'PATCH /api/v1/workflows/:id': async () => {
      const { id } = await made();
      const json = { name: 'Quiet', enabled: false, actions: [webhook(`${url}/2`, { secret: null })] };
      return () => app.api.patch(`/api/v1/workflows/${id}`, { token, json });
    },
    'DELETE /api/v1/workflows/:id': async () => {
      const { id } = await made();
      return () => app.api.delete(`/api/v1/workflows/${id}`, { token });
    },
    'POST /api/v1/workflows/:id/actions/:actionId/rotate-secret': async () => {
      const { id, actions } = await made();
      const secret = `whsec_${Buffer.from(canary.padEnd(32, '+')).toString('base64')}`;
      const path = `/api/v1/workflows/${id}/actions/${actions[0]?.id}/rotate-secret`;
      return () => app.api.post(path, { token, json: { secret } });
    },
    'POST /api/v1/workflows/:id/run': async () => {
      const { id } = await made();
      return () => app.api.post(`/api/v1/workflows/${id}/run`, { token });
    },
  };
}

function triageCalls(app: TestApp, acme: InsertedOrganization): RouteCalls {
  const { token } = acme.admin;
  const json = { name: 'Gone', shared: true, filter: { severities: ['LOW'] } };
  const view = async (name: string) => (await makeView(app, acme, { ...json, name })).id;
  return {
    'POST /api/v1/views': async () => () => app.api.post('/api/v1/views', { token, json }),
    'PATCH /api/v1/views/:id': async () => {
      const id = await view('To change');
      return () => app.api.patch(`/api/v1/views/${id}`, { token, json: { sort: 'due' } });
    },
    'DELETE /api/v1/views/:id': async () => {
      const id = await view('To delete');
      return () => app.api.delete(`/api/v1/views/${id}`, { token });
    },
    'PUT /api/v1/issues/policy': async () => () =>
      app.api.put('/api/v1/issues/policy', { token, json: { daysToFix: { CRITICAL: 7 } } }),
    'POST /api/v1/branches/close': async () => {
      const assetId = await new ScanningRows(app, acme.id).asset();
      const columns = 'id, organization_id, asset_id, name';
      const values = [uuidV7(), acme.id, assetId, 'merged'];
      await app.database.rows(`INSERT INTO branches (${columns}) VALUES ($1, $2, $3, $4)`, values);
      return () => app.api.post('/api/v1/branches/close', { token, json: { name: 'merged' } });
    },
    'POST /api/v1/issues/bulk': async () => {
      const rows = new ScanningRows(app, acme.id);
      await rows.issue(await rows.asset(), { security_test_uid: 'in-bulk' });
      const change = { filter: { rule: ['in-bulk'] }, changes: { status: 'IGNORED', acceptedReason: canary } };
      return () => app.api.post('/api/v1/issues/bulk', { token, json: change });
    },
  };
}

async function makeView(
  app: TestApp,
  { admin: { token } }: InsertedOrganization,
  json: object,
): Promise<{ id: string }> {
  return (await app.api.post<{ id: string }>('/api/v1/views', { token, json })).body;
}

function replays(app: TestApp, acme: InsertedOrganization): RouteCalls {
  const calls = new WorkflowCalls(app, acme);
  const delivered = async () => {
    const workflow = await calls.make(url, { parameters });
    const id = await insertDelivery(app, acme, workflow.id);
    return { id, workflowId: workflow.id };
  };
  return {
    'POST /api/v1/deliveries/:id/replay': async () => {
      const { id } = await delivered();
      return () => calls.replay(id);
    },
    'POST /api/v1/workflows/:id/deliveries/replay': async () => {
      const { workflowId } = await delivered();
      return () => calls.replayAll(workflowId, { since: new Date(Date.now() - 60_000), statuses: ['EXHAUSTED'] });
    },
  };
}

/** Writes an exhausted delivery of a workflow whose payload is kept. */
async function insertDelivery(app: TestApp, { id: organizationId }: InsertedOrganization, workflowId: string) {
  const id = uuidV7();
  const sealed = app.nest.get(SecretBox, { strict: false }).seal(url, sealedUrlPlace(id));
  await app.database.rows(
    `WITH run AS (
       INSERT INTO workflow_runs (id, organization_id, workflow_id, trigger_type, status, root_bytes)
       VALUES ($1, $2, $3, 'MANUAL', 'SENT', '{}') RETURNING id)
     INSERT INTO webhook_deliveries (id, organization_id, workflow_id, action_id, run_id, url_sealed, payload_bytes,
                                     status, finished_at)
     SELECT $1, $2, $3, a.id, run.id, $4, 7, 'EXHAUSTED', now() FROM run, workflow_actions a WHERE a.workflow_id = $3`,
    [id, organizationId, workflowId, sealed],
  );
  return id;
}
