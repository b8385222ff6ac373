import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Asset } from '../../../src/scanning/assets/assets.dto.js';
import { assetBodies } from '../../support/assets.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { makeResource } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type FiredTrigger, listenTo, watchTriggers } from '../../support/workflow-triggers.js';

const path = '/api/v1/assets';
let app: TestApp;
let acme: InsertedOrganization;
let token: string;
let fired: (organizationId: string) => Promise<FiredTrigger[]>;
beforeAll(async () => {
  app = await startTestApp();
  fired = await watchTriggers(app);
});
beforeEach(async () => {
  acme = await insertOrganization(app);
  token = acme.member.token;
  await listenTo(app, acme.id, 'ASSET_FOUND', 'ASSET_UPDATED');
});
afterAll(() => app.close());

const make = (json: object) => makeResource<Asset>(app, acme, 'assets', json);
const makeTag = (name: string) => makeResource(app, acme, 'tags', { name });
const patch = (asset: Asset, json: object) => app.api.patch<Asset>(`${path}/${asset.id}`, { token, json });
const updates = async () => (await fired(acme.id)).filter(({ type }) => type === 'ASSET_UPDATED');

/** The fields of an asset that can be sent back: all but those that the service adds. */
function settable(asset: Asset): object {
  const made = new Set(['id', 'uri', 'createdAt', 'cloudComponent', 'tags', 'openIssues']);
  const text = JSON.stringify(asset, (key, value: unknown) => (made.has(key) ? undefined : value));
  return { ...(JSON.parse(text) as object), tagIds: asset.tags.map(({ id }) => id) };
}

describe('Making an asset', () => {
  it('fires ASSET_FOUND', async () => {
    const { id } = await make(assetBodies.host);
    expect(await fired(acme.id)).toEqual([{ type: 'ASSET_FOUND', subjects: [id] }]);
    expect((await app.api.post(path, { token, json: assetBodies.host })).status).toBe(409);
    expect(await fired(acme.id)).toHaveLength(1);
  });
});

describe('PATCH /api/v1/assets/{id}', () => {
  it('changes name and type, and fires ASSET_UPDATED', async () => {
    const made = await make(assetBodies.host);
    const { status, body } = await patch(made, { name: 'Renamed', type: 'IPV6' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, name: 'Renamed', type: 'IPV6' });
    expect(await updates()).toEqual([{ type: 'ASSET_UPDATED', subjects: [made.id] }]);
  });

  it('replaces the whole detail and the uri, and keeps ids', async () => {
    const made = await make(assetBodies.host);
    const [first] = made.host?.records ?? [];
    const host = {
      type: 'DNS',
      address: 'door.example.com',
      ips: [],
      regionCountryCodes: [],
      ports: [],
      records: [
        { type: 'A', value: '203.0.113.7' },
        { type: 'TXT', value: 'new' },
      ],
    };
    const { body } = await patch(made, { host });
    expect(body.uri).toBe('asset://host/door.example.com');
    expect(body.host).toEqual({
      ...host,
      id: made.host?.id,
      records: [first, { id: expect.any(String), type: 'TXT', value: 'new' }],
    });
    expect(await updates()).toHaveLength(1);
  });

  it('keeps the storage key when the new schema has none', async () => {
    const made = await make(assetBodies.schema);
    const { body } = await patch(made, { schema: { type: 'OPENAPI', key: 'k2' } });
    expect(body.schema).toEqual({
      id: made.schema?.id,
      type: 'OPENAPI',
      key: 'k2',
      storageKey: 'uploads/openapi.json',
      source: null,
    });
  });

  it('gives a detail to an asset that had none', async () => {
    const made = await make({ name: 'later', type: 'WEBAPP', class: 'FRONTEND' });
    const { body } = await patch(made, { frontend: assetBodies.frontend.frontend });
    expect(body).toMatchObject({ uri: 'asset://frontend/shop.example.com', frontend: assetBodies.frontend.frontend });
  });

  it('changes the uri with the name when there is no detail', async () => {
    const made = await make({ name: 'before', type: 'SOFTWARE', class: 'TECHNOLOGY' });
    expect((await patch(made, { name: 'after' })).body.uri).toBe('asset://technology/after');
  });

  it('replaces the tags, and fires when they differ', async () => {
    const [red, blue] = [await makeTag('red'), await makeTag('blue')];
    const made = await make({ ...assetBodies.host, tagIds: [red.id] });
    const names = (asset: Asset) => asset.tags.map(({ name }) => name);
    expect(names((await patch(made, { tagIds: [red.id.toUpperCase()] })).body)).toEqual(['red']);
    expect(await updates()).toEqual([]);
    expect(names((await patch(made, { tagIds: [blue.id, red.id] })).body)).toEqual(['blue', 'red']);
    expect(names((await patch(made, { tagIds: null })).body)).toEqual(['blue', 'red']);
    expect(names((await patch(made, { tagIds: [] })).body)).toEqual([]);
    expect(await updates()).toHaveLength(2);
  });

  it('accepts the unchanged asset and fires nothing', async () => {
    for (const json of Object.values(assetBodies)) {
      const made = await make(json);
      const { status, body } = await patch(made, settable(made));
      expect([status, body]).toEqual([200, made]);
      expect((await patch(made, {})).body).toEqual(made);
    }
    expect(await updates()).toEqual([]);
  });

  it('responds with 409 for the uri of another asset, and changes nothing', async () => {
    await make({ name: 'taken', type: 'DNS', class: 'HOST' });
    const made = await make({ name: 'free', type: 'DNS', class: 'HOST' });
    expect((await patch(made, { name: 'taken' })).status).toBe(409);
    expect((await app.api.get(`${path}/${made.id}`, { token })).body).toEqual(made);
    expect(await updates()).toEqual([]);
  });

  it.each([
    [{ class: 'FRONTEND' }, ['body', 'class']],
    [{ frontend: assetBodies.frontend.frontend }, ['body', 'frontend']],
  ])('responds with 422 for %j of a host', async (json, loc) => {
    const made = await make(assetBodies.host);
    const { status, body } = await app.api.patch<{ detail: unknown }>(`${path}/${made.id}`, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc })]);
  });

  it("responds with 404 for another organization's tag, and changes nothing", async () => {
    const other = await insertOrganization(app);
    const tag = await makeResource(app, other, 'tags', { name: 'theirs' });
    const made = await make(assetBodies.host);
    expect((await patch(made, { name: 'Lost', tagIds: [tag.id] })).status).toBe(404);
    expect((await app.api.get(`${path}/${made.id}`, { token })).body).toEqual(made);
    expect(await updates()).toEqual([]);
  });

  it('fires ASSET_UPDATED once for ten concurrent requests with the same change', async () => {
    const made = await make(assetBodies.host);
    const answers = await Promise.all(Array.from({ length: 10 }, () => patch(made, { name: 'Same' })));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    expect(await updates()).toHaveLength(1);
  });
});
