import { beforeAll, describe, expect, it } from '@jest/globals';
import { insertOrganization } from '../../support/organizations.js';
import { assetDetails } from '../../support/asset-details.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { workflowScene } from '../../support/workflow-scene.js';

type Thing = Record<string, unknown>;

const roots = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'];
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const scene = workflowScene({ jobs: true });
let schemas: PayloadSchemas;
beforeAll(async () => {
  schemas = await holdToSchema(scene.service.baseUrl);
});

const sentByHand = () => scene.sentPayload();
const linkTo = (path: string): unknown => expect.stringMatching(`/console/scanning/${path.replaceAll('?', '[?]')}$`);

describe('The default variant', () => {
  it('has all six arrays, empty ones included', async () => {
    expect(await sentByHand()).toEqual(Object.fromEntries(roots.map((root) => [root, []])));
  });

  it('shows an issue with asset, targets, events, scan and application', async () => {
    const profileId = await scene.things.profile();
    const tagId = await scene.things.tag({ name: 'critical', color: null });
    const assetId = await scene.things.asset({ frontend: assetDetails.frontend, schema: assetDetails.schema }, [tagId]);
    const scanId = await scene.things.scan(profileId, {}, [assetId]);
    const issueId = await scene.things.issue(assetId, { scan_id: scanId });
    const targetId = await scene.things.target(
      issueId,
      { webPage: { id: '018f0000-0000-7000-8000-00000000000a', url: 'https://shop.example.com/', visits: 3 } },
      scanId,
    );
    const eventId = await scene.things.event(scanId, profileId, {
      issue_ids: [issueId],
      attachments: [{ id: '018f0000-0000-7000-8000-00000000000b', type: 'SNIPPET' }],
    });

    const payload = await sentByHand();
    schemas.default(payload);
    const [issue] = payload['issues'] ?? [];
    const time: unknown = expect.stringMatching(timePattern);
    expect(issue).toEqual({
      url: linkTo(`issues?organization=${scene.organization.id}&issue=${issueId}`),
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
      place: 'https://shop.example.com/',
      location: null,
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
        assetIds: [assetId],
        branch: null,
        commit: null,
        pullRequest: null,
        tool: null,
        toolVersion: null,
        failureReason: null,
      },
      application: application(profileId),
    });

    function application(id: string): Thing {
      return { id, name: 'Shop API', scannerKind: 'BLST_REST', type: 'REST', createdAt: time, updatedAt: time };
    }
  });

  it('shows an issue without a scan with neither scan nor application', async () => {
    await scene.things.issue(await scene.things.asset());
    const payload = await sentByHand();
    schemas.default(payload);
    expect(payload['issues']).toMatchObject([{ scan: null, application: null, targets: [], events: [] }]);
  });

  it.each(['service', 'frontend', 'host', 'repository', 'schema'] as const)(
    'shows the %s of an asset',
    async (detail) => {
      await scene.things.asset({ [detail]: assetDetails[detail] });
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
    const issueId = await scene.things.issue(await scene.things.asset());
    await scene.things.target(issueId, { [kind]: detail });
    const payload = await sentByHand();
    schemas.default(payload);
    expect(payload['issues']).toMatchObject([{ targets: [{ [kind]: detail }] }]);
  });

  it('omits the line of a file, which the interface description does not have', async () => {
    const issueId = await scene.things.issue(await scene.things.asset());
    const codeFile = { id: assetDetails.host.id, language: 'ts', path: 'src/main.ts' };
    await scene.things.target(issueId, { codeFile: { ...codeFile, line: 42 } });
    const payload = await sentByHand();
    schemas.default(payload);
    expect(payload['issues']).toEqual([expect.objectContaining({ targets: [expect.objectContaining({ codeFile })] })]);
  });

  it('has the newest 20 scans and 100 events of an asset, newest first', async () => {
    const profileId = await scene.things.profile();
    const assetId = await scene.things.asset();
    const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const scanIds: string[] = [];
    for (let n = 0; n < 22; n++) scanIds.push(await scene.things.scan(profileId, { created_at: at(n) }, [assetId]));
    for (let n = 0; n < 103; n++) {
      await scene.things.event(scanIds[0] ?? '', profileId, {
        asset_ids: [assetId],
        created_at: at(n),
        title: `event ${n}`,
      });
    }
    const payload = await sentByHand();
    schemas.default(payload);
    const [asset] = payload['assets'] ?? [];
    expect((asset?.['scans'] as Thing[]).map(({ id }) => id)).toEqual(scanIds.slice(2).reverse());
    const titles = (asset?.['events'] as Thing[]).map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 100 }, (_, n) => `event ${102 - n}`));
  });

  it('has the newest 100 events of an issue', async () => {
    const profileId = await scene.things.profile();
    const assetId = await scene.things.asset();
    const scanId = await scene.things.scan(profileId);
    const issueId = await scene.things.issue(assetId, { scan_id: scanId });
    for (let n = 0; n < 102; n++) {
      const created_at = new Date(Date.UTC(2026, 0, 1, 0, n));
      await scene.things.event(scanId, profileId, { issue_ids: [issueId], created_at, title: `event ${n}` });
    }
    const [issue] = (await sentByHand())['issues'] ?? [];
    const titles = (issue?.['events'] as Thing[]).map(({ title }) => title);
    expect(titles).toEqual(Array.from({ length: 100 }, (_, n) => `event ${101 - n}`));
  });

  it('carries the parameters of integrations unchanged', async () => {
    const parameters = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hidden', nested: { list: [1, null, 'ü'] } };
    const id = await scene.things.integration(parameters, { valid: false });
    const payload = await sentByHand();
    schemas.default(payload);
    expect(payload['integrations']).toMatchObject([{ id, name: 'AWS', kind: 'AWS', valid: false, parameters }]);
  });

  it('shows profiles and locations', async () => {
    const profileId = await scene.things.profile();
    const locationId = await scene.things.location({ region: null });
    const payload = await sentByHand();
    schemas.default(payload);
    const time: unknown = expect.stringMatching(timePattern);
    expect(payload['profiles']).toEqual([
      {
        url: linkTo(`scans?organization=${scene.organization.id}&profileIds=${profileId}`),
        id: profileId,
        name: 'Shop API',
        scannerKind: 'BLST_REST',
        type: 'REST',
        createdAt: time,
        updatedAt: time,
      },
    ]);
    expect(payload['locations']).toEqual([
      {
        url: expect.any(String),
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

  it('shows every kind of text unchanged', async () => {
    const name = '"quotes" \\ back \u0001 \u2028 \u{1f600} <b>';
    await scene.things.profile({ name });
    expect((await sentByHand())['profiles']).toMatchObject([{ name }]);
  });

  it('contains nothing of another organization', async () => {
    const other = new ScanningRows(scene.service, (await insertOrganization(scene.service)).id);
    const profileId = await other.profile();
    const assetId = await other.asset();
    await other.issue(assetId, { scan_id: await other.scan(profileId, {}, [assetId]) });
    await other.location();
    await other.integration({});
    expect(await sentByHand()).toEqual(Object.fromEntries(roots.map((root) => [root, []])));
  });
});
