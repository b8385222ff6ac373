import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Organization, OrganizationPage } from '../../../src/scanning/organizations/organizations.dto.js';
import { insertUser } from '../../support/accounts.js';
import { insertMembership, insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/organizations';
let app: TestApp;
let acme: InsertedOrganization;
let other: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app, { name: 'Acme' });
  other = await insertOrganization(app, { name: 'Other' });
});
afterAll(() => app.close());

const as = (key: string) => ({ headers: { 'x-api-key': key } });

describe('POST /api/v1/organizations', () => {
  it('makes an organization whose admin is the caller', async () => {
    const { token, id: userId, username } = await insertUser(app);
    const { status, body } = await app.api.post<Organization>(path, { token, json: { name: 'Umbrella' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Umbrella',
      role: 'admin',
      scopedWebhookExportPayload: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const members = await app.api.get<{ data: unknown[] }>(`${path}/${body.id}/members`, { token });
    expect(members.body.data).toEqual([{ userId, username, role: 'admin', createdAt: expect.any(String) }]);
  });

  it('responds with 401 without a token and for an API key', async () => {
    expect((await app.api.post(path, { json: { name: 'Nobody' } })).status).toBe(401);
    expect((await app.api.post(path, { json: { name: 'Robots' }, ...as(await acme.key('admin')) })).status).toBe(401);
  });

  it.each([
    [{}, 'missing'],
    [{ name: null }, 'string_type'],
    [{ name: '' }, 'string_too_short'],
    [{ name: '   ' }, 'string_pattern_mismatch'],
    [{ name: 'x'.repeat(201) }, 'string_too_long'],
    [{ name: 'a\0b' }, 'string_unicode'],
  ])('responds with 422 for %j', async (json, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token: acme.admin.token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', 'name'], type })]);
  });
});

describe('GET /api/v1/organizations', () => {
  it("lists the caller's organizations alone, newest first, each with the caller's role", async () => {
    const { token, id } = await insertUser(app);
    await insertMembership(app, acme.id, id, 'viewer');
    await insertMembership(app, other.id, id, 'member');
    const { body } = await app.api.get<OrganizationPage>(path, { token });
    expect(body.data.map(({ name, role }) => [name, role])).toEqual([
      ['Other', 'member'],
      ['Acme', 'viewer'],
    ]);
    expect(body.nextCursor).toBeNull();
  });

  it('pages by cursor', async () => {
    const { token, id } = await insertUser(app);
    await insertMembership(app, acme.id, id, 'viewer');
    await insertMembership(app, other.id, id, 'member');
    const first = await app.api.get<OrganizationPage>(`${path}?size=1`, { token });
    const second = await app.api.get<OrganizationPage>(`${path}?size=1&cursor=${first.body.nextCursor}`, { token });
    expect([...first.body.data, ...second.body.data].map(({ name }) => name)).toEqual(['Other', 'Acme']);
    expect(second.body.nextCursor).toBeNull();
  });

  it('is empty for a user without an organization', async () => {
    const { token } = await insertUser(app);
    expect((await app.api.get(path, { token })).body).toEqual({ data: [], nextCursor: null });
  });

  it('returns the organization of an API key', async () => {
    const { body } = await app.api.get<OrganizationPage>(path, as(await acme.key('viewer')));
    expect(body.data.map(({ id, role }) => [id, role])).toEqual([[acme.id, 'viewer']]);
  });

  it('responds with 401 without a caller and for an unknown key', async () => {
    expect((await app.api.get(path)).status).toBe(401);
    expect((await app.api.get(path, as('ssk_unknown'))).status).toBe(401);
  });

  it.each(['', 'nonsense', 'a b', '9'.repeat(15)])('responds with 422 for the broken cursor "%s"', async (cursor) => {
    const query = `${path}?cursor=${encodeURIComponent(cursor)}`;
    expect((await app.api.get(query, { token: acme.admin.token })).status).toBe(422);
    expect((await app.api.get(query, as(await acme.key('viewer')))).status).toBe(422);
  });

  it('accepts a cursor of any time', async () => {
    const cursor = Buffer.from(`${'9'.repeat(15)}_${acme.id}`).toString('base64url');
    expect((await app.api.get(`${path}?cursor=${cursor}`, { token: acme.admin.token })).status).toBe(200);
  });
});

describe('GET /api/v1/organizations/current', () => {
  it('is that of the API key', async () => {
    const { body } = await app.api.get<Organization>(`${path}/current`, as(await acme.key('member')));
    expect([body.id, body.role]).toEqual([acme.id, 'member']);
  });

  it('is the one that X-Organization-Id names', async () => {
    const { token, id } = await insertUser(app);
    await insertMembership(app, acme.id, id, 'viewer');
    await insertMembership(app, other.id, id, 'admin');
    const headers = { 'x-organization-id': acme.id.toUpperCase() };
    const { body } = await app.api.get<Organization>(`${path}/current`, { token, headers });
    expect([body.id, body.role]).toEqual([acme.id, 'viewer']);
  });

  it("responds with 400 when the caller has several and names none, and takes a caller's only one", async () => {
    const { token, id } = await insertUser(app);
    await insertMembership(app, acme.id, id, 'viewer');
    expect((await app.api.get<Organization>(`${path}/current`, { token })).body.id).toBe(acme.id);
    await insertMembership(app, other.id, id, 'viewer');
    const { status, body } = await app.api.get(`${path}/current`, { token });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'organization_required' });
  });

  it('responds with 403 and a hint how to make one to a user without an organization', async () => {
    const { token } = await insertUser(app);
    const { status, body } = await app.api.get(`${path}/current`, { token });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'no_organization', detail: expect.stringContaining('/organizations') });
  });

  it.each([
    ['a foreign one', () => other.id],
    ['an unknown one', () => '00000000-0000-7000-8000-000000000000'],
    ['no id', () => 'acme'],
  ])('responds with 404 when the header names %s', async (_, named) => {
    const headers = { 'x-organization-id': named() };
    expect((await app.api.get(`${path}/current`, { token: acme.admin.token, headers })).status).toBe(404);
    const key = await acme.key('admin');
    const answer = await app.api.get(`${path}/current`, { headers: { ...headers, 'x-api-key': key } });
    expect(answer.status).toBe(404);
  });
});

describe('GET /api/v1/organizations/{organizationId}', () => {
  it.each(['viewer', 'member', 'admin'] as const)('returns it to a %s', async (role) => {
    const { status, body } = await app.api.get<Organization>(`${path}/${acme.id}`, { token: acme[role].token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: acme.id, name: 'Acme', role, scopedWebhookExportPayload: false });
  });

  it('follows the path, whatever X-Organization-Id says', async () => {
    const { token, id } = await insertUser(app);
    await insertMembership(app, acme.id, id, 'viewer');
    await insertMembership(app, other.id, id, 'admin');
    const headers = { 'x-organization-id': other.id };
    const { body } = await app.api.get<Organization>(`${path}/${acme.id}`, { token, headers });
    expect([body.id, body.role]).toEqual([acme.id, 'viewer']);
  });

  it('responds with 404 for a foreign, an unknown and a missing one', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000';
    for (const id of [other.id, unknown, 'nonsense']) {
      expect((await app.api.get(`${path}/${id}`, { token: acme.admin.token })).status).toBe(404);
      expect((await app.api.get(`${path}/${id}`, as(await acme.key('admin')))).status).toBe(404);
    }
  });

  it('accepts a key as Authorization: Key too', async () => {
    const headers = { authorization: `Key ${await acme.key('viewer')}` };
    expect((await app.api.get(`${path}/${acme.id}`, { headers })).status).toBe(200);
  });
});

describe('PATCH /api/v1/organizations/{organizationId}', () => {
  it('changes the given fields and returns the organization', async () => {
    const { id, admin } = await insertOrganization(app, { name: 'Before' });
    const on = await app.api.patch<Organization>(`${path}/${id}`, {
      token: admin.token,
      json: { scopedWebhookExportPayload: true },
    });
    expect(on.status).toBe(200);
    expect(on.body).toMatchObject({ id, name: 'Before', role: 'admin', scopedWebhookExportPayload: true });
    const named = await app.api.patch<Organization>(`${path}/${id}`, {
      token: admin.token,
      json: { name: 'After', scopedWebhookExportPayload: null },
    });
    expect(named.body).toMatchObject({ name: 'After', scopedWebhookExportPayload: true });
    const same = await app.api.patch<Organization>(`${path}/${id}`, { token: admin.token, json: {} });
    expect(same.body).toEqual(named.body);
  });

  it.each(['viewer', 'member'] as const)('responds with 403 to a %s, by token and by key', async (role) => {
    const json = { scopedWebhookExportPayload: true };
    expect((await app.api.patch(`${path}/${acme.id}`, { token: acme[role].token, json })).status).toBe(403);
    expect((await app.api.patch(`${path}/${acme.id}`, { json, ...as(await acme.key(role)) })).status).toBe(403);
  });

  it('responds with 404 to the admin of another organization', async () => {
    const json = { name: 'Mine now' };
    expect((await app.api.patch(`${path}/${acme.id}`, { token: other.admin.token, json })).status).toBe(404);
    expect((await app.api.patch(`${path}/${acme.id}`, { json, ...as(await other.key('admin')) })).status).toBe(404);
  });

  it('responds with 422 for a setting that is not a boolean', async () => {
    const json = { scopedWebhookExportPayload: 'yes' };
    expect((await app.api.patch(`${path}/${acme.id}`, { token: acme.admin.token, json })).status).toBe(422);
  });
});
