import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { ScannedThings } from '../../support/scanned-things.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

type Thing = Record<string, unknown>;
type Payload = Record<string, Thing[]>;

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let shop: TestApp;
let schemas: PayloadSchemas;
let receiver: Receiver;
let acme: InsertedOrganization;
let things: ScannedThings;
let calls: WorkflowCalls;

beforeAll(async () => {
  shop = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1' }, jobs: true });
  schemas = await holdToSchema(shop.baseUrl);
  receiver = await startReceiver();
});
beforeEach(async () => {
  acme = await insertOrganization(shop);
  things = new ScannedThings(shop, acme.id);
  calls = new WorkflowCalls(shop, acme);
  receiver.received.length = 0;
});
afterAll(async () => {
  await shop.close();
  await receiver.close();
});

async function sentPayload(count = 1): Promise<Payload> {
  const received = await receiver.has(count);
  return JSON.parse(String(received[count - 1]?.bytes)) as Payload;
}

async function sentByHand(parameters: Thing = {}): Promise<Payload> {
  const { id } = await calls.make(receiver.url, { parameters });
  await calls.run(id);
  return sentPayload(receiver.received.length + 1);
}

describe('The scoped shape', () => {
  it('holds ids and scalars alone', async () => {
    await shop.database.rows('UPDATE organizations SET scoped_webhook_export_payload = true WHERE id = $1', [acme.id]);
    const profileId = await things.profile();
    const assetId = await things.asset();
    const scanId = await things.scan(profileId, {}, [assetId]);
    const issueId = await things.issue(assetId, { scan_id: scanId });
    const locationId = await things.location();
    const integrationId = await things.integration({ apiKey: 'hidden' });
    const payload = await sentByHand();
    schemas.scoped(payload);
    const time: unknown = expect.stringMatching(timePattern);
    const asset = {
      id: assetId,
      name: 'shop.example.com',
      type: 'WEBAPP',
      class: 'FRONTEND',
      uri: `asset://frontend/${assetId}`,
    };
    expect(payload).toEqual({
      issues: [
        {
          id: issueId,
          name: 'SQL injection',
          fullName: 'SQL injection (high risk)',
          severity: 'HIGH',
          category: 'INJECTION',
          status: 'OPEN',
          createdAt: time,
          alertUid: `alert-${issueId}`,
          securityTestUid: 'sqli',
          assetId,
          scanId,
          applicationId: profileId,
          asset,
        },
      ],
      assets: [{ ...asset, createdAt: time }],
      scans: [
        {
          id: scanId,
          status: 'RUNNING',
          kind: 'FRONTEND_DAST',
          createdAt: time,
          updatedAt: time,
          finishedAt: null,
          progressRatio: 0.5,
          applicationId: profileId,
        },
      ],
      profiles: [
        { id: profileId, name: 'Shop API', scannerKind: 'BLST_REST', type: 'REST', createdAt: time, updatedAt: time },
      ],
      locations: [
        { id: locationId, name: 'Berlin', type: 'PRIVATE', enabled: true, region: 'eu-central', createdAt: time },
      ],
      integrations: [{ id: integrationId, name: 'AWS', kind: 'AWS', valid: true, createdAt: time, updatedAt: time }],
    });
  });
});

describe('The resources of an action', () => {
  it('narrow the roots by name and leave the others empty', async () => {
    await things.profile();
    await things.location();
    const payload = await sentByHand({ resources: ['locations'] });
    expect(payload['locations']).toHaveLength(1);
    expect(payload['profiles']).toEqual([]);
  });

  it('are each action its own, of one frozen payload', async () => {
    await things.profile();
    await things.location();
    const other = await startReceiver();
    const { id } = await calls.make(receiver.url, {
      actions: [
        { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: receiver.url, resources: ['profiles'] } },
        { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: other.url } },
      ],
    });
    await calls.run(id);
    const narrow = await sentPayload();
    const [whole] = await other.has(1);
    await other.close();
    expect(narrow['locations']).toEqual([]);
    const all = JSON.parse(String(whole?.bytes)) as Payload;
    expect(all['locations']).toHaveLength(1);
    expect(all['profiles']).toEqual(narrow['profiles']);
  });
});

describe('GET /schemas/', () => {
  it('lists the two schemas, open to all', async () => {
    const { status, body } = await shop.api.get('/schemas/');
    expect(status).toBe(200);
    expect(body).toEqual({ schemas: ['/schemas/webhook-export.default.json', '/schemas/webhook-export.scoped.json'] });
  });
});
