import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AssetDraft, uriOf } from '../../../src/scanning/assets/asset-draft.js';
import { AssetsService } from '../../../src/scanning/assets/assets.service.js';
import type { Asset, AssetPage } from '../../../src/scanning/assets/assets.dto.js';
import { assetBodies } from '../../support/assets.js';
import { insertOrganization } from '../../support/organizations.js';
import { makeResource } from '../../support/scanning.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type FiredTrigger, listenTo, watchTriggers } from '../../support/workflow-triggers.js';

let app: TestApp;
let assets: AssetsService;
let fired: (organizationId: string) => Promise<FiredTrigger[]>;
beforeAll(async () => {
  app = await startTestApp();
  assets = app.nest.get(AssetsService, { strict: false });
  fired = await watchTriggers(app);
});
afterAll(() => app.close());

const hosts = (count: number, prefix = 'host'): AssetDraft[] =>
  Array.from({ length: count }, (_, number) => ({
    name: `${prefix}-${number}.example.com`,
    type: 'DNS',
    class: 'HOST',
  }));

describe('AssetsService.findOrCreate', () => {
  it('finds known assets, makes new ones, and fires one ASSET_FOUND for these', async () => {
    const acme = await insertOrganization(app);
    const known = await makeResource<Asset>(app, acme, 'assets', { ...hosts(1)[0], type: 'IPV4' });
    await listenTo(app, acme.id, 'ASSET_FOUND');
    const drafts = hosts(3);
    const found = await assets.findOrCreate(acme.id, [...drafts, ...drafts]);
    expect([...found.keys()].toSorted()).toEqual(drafts.map(uriOf));
    expect(found.get(known.uri)).toEqual({ id: known.id, created: false });
    const made = [...found.values()].filter(({ created }) => created).map(({ id }) => id);
    expect(made).toHaveLength(2);
    const [trigger, ...more] = await fired(acme.id);
    expect([trigger?.subjects.toSorted(), more]).toEqual([made.toSorted(), []]);
    const again = await assets.findOrCreate(acme.id, drafts);
    expect([...again.values()].every(({ created }) => !created)).toBe(true);
    expect(await fired(acme.id)).toHaveLength(1);
    const kept = await app.api.get<Asset>(`/api/v1/assets/${known.id}`, { token: acme.viewer.token });
    expect(kept.body).toEqual(known);
  });

  it('makes assets with their details', async () => {
    const acme = await insertOrganization(app);
    const draft: AssetDraft = {
      name: 'Shop',
      type: 'WEBAPP',
      class: 'FRONTEND',
      frontend: { type: 'WEBAPP', url: 'https://shop.example.com', ips: [], regionCountryCodes: [], tls: true },
    };
    await assets.findOrCreate(acme.id, [draft]);
    const { body } = await app.api.get<AssetPage>('/api/v1/assets', { token: acme.viewer.token });
    expect(body.data).toMatchObject([
      { uri: 'asset://frontend/shop.example.com', frontend: { tls: true, framework: null } },
    ]);
  });

  it('does nothing without drafts', async () => {
    const acme = await insertOrganization(app);
    expect(await assets.findOrCreate(acme.id, [])).toEqual(new Map());
  });

  it("does not find another organization's assets", async () => {
    const [acme, other] = [await insertOrganization(app), await insertOrganization(app)];
    const theirs = await makeResource<Asset>(app, other, 'assets', assetBodies.host);
    const found = await assets.findOrCreate(acme.id, [{ name: '203.0.113.7', type: 'IPV4', class: 'HOST' }]);
    expect(found.get(theirs.uri)?.created).toBe(true);
    expect(found.get(theirs.uri)?.id).not.toBe(theirs.id);
  });

  it('runs two statements for thousands, and one more for the quota when some are new', async () => {
    const acme = await insertOrganization(app);
    await assets.findOrCreate(acme.id, hosts(2_000));
    const statements = async () =>
      (await statementsOf(() => assets.findOrCreate(acme.id, hosts(5_000)))).filter((one) => one.startsWith('assets.'));
    expect(await statements()).toEqual(['assets.insert-new', 'assets.count', 'assets.by-uris']);
    expect(await statements()).toEqual(['assets.insert-new', 'assets.by-uris']);
  });

  it('makes each asset once under concurrent calls that name them in different orders', async () => {
    const acme = await insertOrganization(app);
    const drafts = hosts(200, 'contended');
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        assets.findOrCreate(acme.id, number % 2 === 0 ? drafts : drafts.toReversed()),
      ),
    );
    for (const draft of drafts) {
      const all = results.map((found) => found.get(uriOf(draft)));
      expect(new Set(all.map((one) => one?.id)).size).toBe(1);
      expect(all.filter((one) => one?.created)).toHaveLength(1);
    }
  });
});
