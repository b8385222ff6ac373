import { beforeAll, describe, expect, it } from '@jest/globals';
import { storeEventTypes } from '../../../src/store/events/store-event-types.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { startReceiver } from '../../support/receiver.js';
import { workflowScene } from '../../support/workflow-scene.js';

type Thing = Record<string, unknown>;
type Payload = Record<string, Thing[]>;

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const scene = workflowScene({ jobs: true });
let schemas: PayloadSchemas;
beforeAll(async () => {
  schemas = await holdToSchema(scene.service.baseUrl);
});

const inOrder = (a: string, b: string) => (a < b ? -1 : 1);

const sentByHand = (parameters?: Thing) => scene.sentPayload(parameters);

describe('The scoped variant', () => {
  it('contains only ids and scalars', async () => {
    await scene.chooseVariant('scoped');
    const profileId = await scene.things.profile();
    const assetId = await scene.things.asset();
    const scanId = await scene.things.scan(profileId, {}, [assetId]);
    const issueId = await scene.things.issue(assetId, { scan_id: scanId });
    const locationId = await scene.things.location();
    const integrationId = await scene.things.integration({ apiKey: 'hidden' });
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
    const url: unknown = expect.stringContaining(`/console/scanning`);
    expect(payload).toEqual({
      issues: [
        {
          url,
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
          place: null,
          location: null,
          asset,
        },
      ],
      assets: [{ url, ...asset, createdAt: time }],
      scans: [
        {
          url,
          id: scanId,
          status: 'RUNNING',
          kind: 'FRONTEND_DAST',
          createdAt: time,
          updatedAt: time,
          finishedAt: null,
          progressRatio: 0.5,
          applicationId: profileId,
          branch: null,
          failureReason: null,
          assetIds: [assetId],
        },
      ],
      profiles: [
        {
          url,
          id: profileId,
          name: 'Shop API',
          scannerKind: 'BLST_REST',
          type: 'REST',
          createdAt: time,
          updatedAt: time,
        },
      ],
      locations: [
        { url, id: locationId, name: 'Berlin', type: 'PRIVATE', enabled: true, region: 'eu-central', createdAt: time },
      ],
      integrations: [
        { url, id: integrationId, name: 'AWS', kind: 'AWS', valid: true, createdAt: time, updatedAt: time },
      ],
    });
  });
});

describe('A place in the scoped variant', () => {
  it('has neither the password nor the query of an address', async () => {
    await scene.chooseVariant('scoped');
    const issueId = await scene.things.issue(await scene.things.asset());
    const url = 'https://bob:secret@shop.example.com/search?token=abc#top';
    await scene.things.target(issueId, { webPage: { url } });
    await scene.service.database.rows('INSERT INTO issue_details (issue_id, detail) VALUES ($1, $2)', [
      issueId,
      { locations: [{ url, path: 'src/C#/a.cs', startLine: 3 }] },
    ]);
    const [issue] = (await scene.sentPayload())['issues'] ?? [];
    expect(issue).toMatchObject({
      place: 'https://shop.example.com/search',
      location: { url: 'https://shop.example.com/search', path: 'src/C#/a.cs', startLine: 3, endLine: null },
    });
  });
});

describe('The resources of an action', () => {
  it('narrow the roots by name and leave the others empty', async () => {
    await scene.things.profile();
    await scene.things.location();
    const payload = await sentByHand({ resources: ['locations'] });
    expect(payload['locations']).toHaveLength(1);
    expect(payload['profiles']).toEqual([]);
  });

  it('narrow each action separately, from one frozen payload', async () => {
    await scene.things.profile();
    await scene.things.location();
    const other = await startReceiver();
    const { id } = await scene.calls.make(scene.receiver.url, {
      actions: [
        {
          type: 'EXPORT',
          integrationKind: 'WEBHOOK',
          parameters: { url: scene.receiver.url, resources: ['profiles'] },
        },
        { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: other.url } },
      ],
    });
    await scene.calls.run(id);
    const narrow = await scene.receiver.payload<Payload>(0);
    const all = await other.payload<Payload>(0);
    await other.close();
    expect(narrow['locations']).toEqual([]);
    expect(all['locations']).toHaveLength(1);
    expect(all['profiles']).toEqual(narrow['profiles']);
  });
});

describe('GET /schemas/', () => {
  it('lists the two schemas of payloads, and one for each event of the store, without a token', async () => {
    const { status, body } = await scene.service.api.get('/schemas/');
    expect(status).toBe(200);
    expect(body).toEqual({
      schemas: [
        ...storeEventTypes.map((type) => `/schemas/store-events/${type}.json`).toSorted(inOrder),
        '/schemas/webhook-export.default.json',
        '/schemas/webhook-export.scoped.json',
      ],
    });
  });
});
