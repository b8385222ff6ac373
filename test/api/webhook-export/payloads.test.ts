import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { assetDetails } from '../../support/asset-details.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { ScannedThings } from '../../support/scanned-things.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

type Thing = Record<string, unknown>;
type Payload = Record<string, Thing[]>;

const roots = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'];
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

describe('The default shape', () => {
  it('has all six arrays, empty where nothing matches', async () => {
    expect(await sentByHand()).toEqual(Object.fromEntries(roots.map((root) => [root, []])));
  });

  it('shows an issue with asset, targets, events, scan and application', async () => {
    const profileId = await things.profile();
    const tagId = await things.tag({ name: 'critical', color: null });
    const assetId = await things.asset({ frontend: assetDetails.frontend, schema: assetDetails.schema }, [tagId]);
    const scanId = await things.scan(profileId, {}, [assetId]);
    const issueId = await things.issue(assetId, { scan_id: scanId });
    const targetId = await things.target(
      issueId,
      { webPage: { id: '018f0000-0000-7000-8000-00000000000a', url: 'https://shop.example.com/', visits: 3 } },
      scanId,
    );
    const eventId = await things.event(scanId, profileId, {
      issue_ids: [issueId],
      attachments: JSON.stringify([{ id: '018f0000-0000-7000-8000-00000000000b', type: 'SNIPPET' }]),
    });

    const payload = await sentByHand();
    schemas.default(payload);
    const [issue] = payload['issues'] ?? [];
    const time: unknown = expect.stringMatching(timePattern);
    expect(issue).toEqual({
      id: issueId,
      name: 'SQL injection',
      fullName: 'SQL injection (high risk)',
      severity: 'HIGH',
      category: 'INJECTION',
      status: 'OPEN',
      createdAt: time,
      context: 'in q',
      alertUid: `alert-${issueId}`,
      securityTestUid: 'sqli',
      assetId,
      asset: {
        id: assetId,
        name: 'shop.example.com',
        type: 'WEBAPP',
        class: 'FRONTEND',
        uri: `asset://frontend/${assetId}`,
        createdAt: time,
        tags: [{ id: tagId, name: 'critical', color: null }],
        service: null,
        frontend: assetDetails.frontend,
        host: null,
        cloudComponent: null,
      },
      targets: [
        {
          id: targetId,
          targetUid: `target-${targetId}`,
          scanId,
          apiRoute: null,
          codeFile: null,
          graphqlResolver: null,
          webPage: { id: '018f0000-0000-7000-8000-00000000000a', url: 'https://shop.example.com/', visits: 3 },
          webCrawledUrl: null,
        },
      ],
      events: [
        {
          id: eventId,
          title: 'Request sent',
          description: 'GET /',
          level: 'INFO',
          stage: 'EXECUTION',
          createdAt: time,
          attachments: [{ id: '018f0000-0000-7000-8000-00000000000b', type: 'SNIPPET' }],
        },
      ],
      scan: {
        id: scanId,
        status: 'RUNNING',
        kind: 'FRONTEND_DAST',
        createdAt: time,
        updatedAt: time,
        finishedAt: null,
        progressRatio: 0.5,
        applicationId: profileId,
        application: application(profileId),
      },
      application: application(profileId),
    });

    function application(id: string): Thing {
      return { id, name: 'Shop API', scannerKind: 'BLST_REST', type: 'REST', createdAt: time, updatedAt: time };
    }
  });

  it('shows an issue without a scan with neither scan nor application', async () => {
    await things.issue(await things.asset());
    const payload = await sentByHand();
    schemas.default(payload);
    expect(payload['issues']).toMatchObject([{ scan: null, application: null, targets: [], events: [] }]);
  });

  it.each(['service', 'frontend', 'host', 'repository', 'schema'] as const)(
    'shows the %s of an asset',
    async (detail) => {
      await things.asset({ [detail]: assetDetails[detail] });
      const payload = await sentByHand();
      schemas.default(payload);
      const none = { service: null, frontend: null, host: null, repository: null, schema: null };
      expect(payload['assets']).toMatchObject([
        { ...none, [detail]: assetDetails[detail], tags: [], scans: [], events: [] },
      ]);
    },
  );

  it.each([
    [
      'apiRoute',
      {
        id: assetDetails.host.id,
        operation: 'GET',
        name: '/products',
        parameters: { q: 1 },
        returnType: 'json',
        coverage: 'OK',
      },
    ],
    ['codeFile', { id: assetDetails.host.id, language: 'ts', path: 'src/main.ts' }],
    [
      'graphqlResolver',
      { id: assetDetails.host.id, parent: 'Query', name: 'products', parameters: {}, returnType: '[Product]' },
    ],
    ['webPage', { id: assetDetails.host.id, url: 'https://shop.example.com', visits: 1 }],
    ['webCrawledUrl', { id: assetDetails.host.id, url: 'https://shop.example.com' }],
  ])('shows the %s of a target', async (kind, detail) => {
    const issueId = await things.issue(await things.asset());
    await things.target(issueId, { [kind]: detail });
    const payload = await sentByHand();
    schemas.default(payload);
    expect(payload['issues']).toMatchObject([{ targets: [{ [kind]: detail }] }]);
  });

  it('holds the newest 20 scans and 100 events of an asset, newest first', async () => {
    const profileId = await things.profile();
    const assetId = await things.asset();
    const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const scanIds: string[] = [];
    for (let n = 0; n < 22; n++) scanIds.push(await things.scan(profileId, { created_at: at(n) }, [assetId]));
    for (let n = 0; n < 103; n++) {
      await things.event(scanIds[0] ?? '', profileId, { asset_ids: [assetId], created_at: at(n), title: `event ${n}` });
    }
    const payload = await sentByHand();
    schemas.default(payload);
    const [asset] = payload['assets'] ?? [];
    expect((asset?.['scans'] as Thing[]).map(({ id }) => id)).toEqual(scanIds.slice(2).reverse());
    const titles = (asset?.['events'] as Thing[]).map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 100 }, (_, n) => `event ${102 - n}`));
  });

  it('holds the newest 100 events of an issue', async () => {
    const profileId = await things.profile();
    const assetId = await things.asset();
    const scanId = await things.scan(profileId);
    const issueId = await things.issue(assetId, { scan_id: scanId });
    for (let n = 0; n < 102; n++) {
      const created_at = new Date(Date.UTC(2026, 0, 1, 0, n));
      await things.event(scanId, profileId, { issue_ids: [issueId], created_at, title: `event ${n}` });
    }
    const [issue] = (await sentByHand())['issues'] ?? [];
    const titles = (issue?.['events'] as Thing[]).map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 100 }, (_, n) => `event ${101 - n}`));
  });

  it('carries the parameters of integrations as they are', async () => {
    const parameters = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hidden', nested: { list: [1, null, 'ü'] } };
    const id = await things.integration(parameters, { valid: false });
    const payload = await sentByHand();
    schemas.default(payload);
    expect(payload['integrations']).toMatchObject([{ id, name: 'AWS', kind: 'AWS', valid: false, parameters }]);
  });

  it('shows profiles and locations', async () => {
    const profileId = await things.profile();
    const locationId = await things.location({ region: null });
    const payload = await sentByHand();
    schemas.default(payload);
    const time: unknown = expect.stringMatching(timePattern);
    expect(payload['profiles']).toEqual([
      { id: profileId, name: 'Shop API', scannerKind: 'BLST_REST', type: 'REST', createdAt: time, updatedAt: time },
    ]);
    expect(payload['locations']).toEqual([
      {
        id: locationId,
        name: 'Berlin',
        type: 'PRIVATE',
        target: 'gateway.internal',
        ip: '10.0.0.1',
        region: null,
        enabled: true,
        createdAt: time,
      },
    ]);
  });

  it('shows text of every kind as it is', async () => {
    const name = '"quotes" \\ back \u0001 \u2028 \u{1f600} <b>';
    await things.profile({ name });
    expect((await sentByHand())['profiles']).toMatchObject([{ name }]);
  });

  it('holds nothing of another organization', async () => {
    const other = new ScannedThings(shop, (await insertOrganization(shop)).id);
    const profileId = await other.profile();
    const assetId = await other.asset();
    await other.issue(assetId, { scan_id: await other.scan(profileId, {}, [assetId]) });
    await other.location();
    await other.integration({});
    expect(await sentByHand()).toEqual(Object.fromEntries(roots.map((root) => [root, []])));
  });
});
