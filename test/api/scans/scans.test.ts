import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { ResourceScan, ScanPage } from '../../../src/scanning/scans/scans.dto.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/scans';
let app: TestApp;
let acme: Scanning;
let other: Scanning;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  other = new Scanning(app, await insertOrganization(app));
  token = acme.token;
});
afterAll(() => app.close());

const post = (json: object, as = token) => app.api.post<ResourceScan>(path, { token: as, json });
const get = (id: string, as = token) => app.api.get<ResourceScan>(`${path}/${id}`, { token: as });
const idsOf = ({ data }: ScanPage) => data.map(({ id }) => id);
const list = async (query: string, as = token) => {
  const { status, body } = await app.api.get<ScanPage>(`${path}?${query}`, { token: as });
  expect(status).toBe(200);
  return body;
};

describe('POST /api/v1/scans', () => {
  it('responds with 201 and all fields of the interface description, the profile embedded', async () => {
    const profile = await acme.profile();
    const { status, body } = await post({ applicationId: profile.id, kind: 'BLST_REST' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      status: 'STARTING',
      kind: 'BLST_REST',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
      finishedAt: null,
      progressRatio: 0,
      applicationId: profile.id,
      application: profile,
      branch: null,
      commit: null,
      pullRequest: null,
      assetIds: [],
      tool: null,
      toolVersion: null,
      failureReason: null,
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  it('accepts assets, a location and a status', async () => {
    const [asset, location, profile] = [await acme.asset(), await acme.location(), await acme.profile()];
    const json = { applicationId: profile.id, kind: 'FRONTEND_DAST', status: 'RUNNING' };
    const { status, body } = await post({
      ...json,
      assetIds: [asset.id, asset.id.toUpperCase()],
      locationId: location.id,
    });
    expect([status, body.status]).toEqual([201, 'RUNNING']);
    const [row] = await app.database.rows<{ location_id: string }>('SELECT location_id FROM scans WHERE id = $1', [
      body.id,
    ]);
    expect(row?.location_id).toBe(location.id);
    expect(idsOf(await list(`assetIds=${asset.id}`))).toEqual([body.id]);
  });

  it('ends at once when created as FINISHED', async () => {
    const scan = await acme.scan({ status: 'FINISHED' });
    expect(scan).toMatchObject({ progressRatio: 1, finishedAt: scan.createdAt });
  });

  it.each([
    ['applicationId', {}, 'missing'],
    ['applicationId', { applicationId: 'x' }, 'uuid_parsing'],
    ['kind', { kind: 'GUESS' }, 'enum'],
    ['status', { status: 'DONE' }, 'enum'],
    ['assetIds', { assetIds: 'x' }, 'list_type'],
  ])('responds with 422 at %s for %j', async (field, json, type) => {
    const body =
      field === 'applicationId'
        ? { kind: 'BLST_REST', ...json }
        : { applicationId: uuidV7(), kind: 'BLST_REST', ...json };
    const answer = await app.api.post<{ detail: object[] }>(path, { token, json: body });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([expect.objectContaining({ loc: ['body', field], type })]);
  });

  it.each(['applicationId', 'locationId', 'assetIds'])(
    "responds with 404 for another organization's %s",
    async (field) => {
      const applicationId = (await acme.profile()).id;
      const foreign = {
        applicationId: (await other.profile()).id,
        locationId: (await other.location()).id,
        assetIds: [(await other.asset()).id],
      };
      const { status } = await post({
        applicationId,
        kind: 'BLST_REST',
        [field]: foreign[field as keyof typeof foreign],
      });
      expect(status).toBe(404);
    },
  );

  it('responds with 403 to a viewer', async () => {
    const applicationId = (await acme.profile()).id;
    const { status } = await post({ applicationId, kind: 'BLST_REST' }, acme.organization.viewer.token);
    expect(status).toBe(403);
  });
});

describe('GET /api/v1/scans', () => {
  it('filters by status, kind, profile and asset, alone and combined', async () => {
    const [profile, asset, unlike] = [await acme.profile(), await acme.asset(), await acme.asset()];
    const of = (json: object) => acme.scan({ applicationId: profile.id, ...json });
    const running = await of({ status: 'RUNNING', assetIds: [asset.id, unlike.id] });
    const failed = await of({ status: 'FAILED', kind: 'ASM_DNS', assetIds: [asset.id] });
    const starting = await of({ kind: 'ASM_DNS' });
    const here = `profileIds=${profile.id}`;
    expect(idsOf(await list(here))).toEqual([starting.id, failed.id, running.id]);
    expect(idsOf(await list(`${here}&statuses=RUNNING,FAILED`))).toEqual([failed.id, running.id]);
    expect(idsOf(await list(`${here}&kinds=ASM_DNS`))).toEqual([starting.id, failed.id]);
    expect(idsOf(await list(`assetIds=${asset.id}`))).toEqual([failed.id, running.id]);
    expect(idsOf(await list(`${here}&assetIds=${asset.id}&kinds=ASM_DNS&statuses=FAILED`))).toEqual([failed.id]);
    expect(idsOf(await list(`${here}&statuses=`))).toHaveLength(3);
    expect(idsOf(await list(`statuses=CANCELED&${here}`))).toEqual([]);
  });

  it('pages newest first without gaps or repeats', async () => {
    const applicationId = (await acme.profile()).id;
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.unshift((await acme.scan({ applicationId })).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: ScanPage = await list(`profileIds=${applicationId}&size=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(made);
  });

  it('returns nothing of another organization, whatever a filter names', async () => {
    const asset = await other.asset();
    const scan = await other.scan({ assetIds: [asset.id] });
    expect(idsOf(await list(`profileIds=${scan.applicationId}`))).toEqual([]);
    expect(idsOf(await list(`assetIds=${asset.id}`))).toEqual([]);
    expect(idsOf(await list(`assetIds=${asset.id}`, other.token))).toEqual([scan.id]);
  });

  it.each(['statuses=DONE', 'kinds=X', 'profileIds=x', 'cursor=x', 'size=101'])(
    'responds with 422 for %s',
    async (query) => {
      expect((await app.api.get(`${path}?${query}`, { token })).status).toBe(422);
    },
  );
});

describe('GET /api/v1/scans/{id}', () => {
  it('responds with 404 for a scan of another organization, and 422 for an invalid id', async () => {
    expect((await get((await other.scan()).id)).status).toBe(404);
    expect((await get(uuidV7())).status).toBe(404);
    expect((await get('x')).status).toBe(422);
  });
});

describe('DELETE /api/v1/scans/{id}', () => {
  it('responds with 405 with the allowed methods', async () => {
    const { status, headers } = await app.api.delete(`${path}/${(await acme.scan()).id}`, { token });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
  });
});
