import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { View, ViewPage } from '../../../src/scanning/views/views.dto.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/views';
let app: TestApp;
let acme: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
});
afterAll(() => app.close());

let named = 0;
const create = (json: object, token = acme.member.token) => app.api.post<View>(path, { token, json });
const made = async (json: object = {}, token = acme.member.token) => {
  const { status, body } = await create({ name: `View ${named++}`, filter: {}, ...json }, token);
  expect(status).toBe(201);
  return body;
};
const statusOf = async (id: string, token: string) => (await app.api.get(`${path}/${id}`, { token })).status;

describe('/api/v1/views', () => {
  it('keeps a filter for its owner, or for the organization', async () => {
    const filter = { severities: ['CRITICAL'], assignee: 'me', overdue: true };
    const own = await made({ filter, sort: 'due' });
    expect(own).toMatchObject({ filter, sort: 'due', shared: false, ownerId: acme.member.userId });
    const shared = await made({ shared: true });
    expect(await statusOf(own.id, acme.member.token)).toBe(200);
    expect(await statusOf(own.id, acme.admin.token)).toBe(404);
    expect(await statusOf(shared.id, acme.viewer.token)).toBe(200);
    expect(await statusOf(shared.id, (await insertOrganization(app)).member.token)).toBe(404);
    const { body } = await app.api.get<ViewPage>(`${path}?search=view`, { token: acme.admin.token });
    expect(body.data.map(({ id }) => id)).toEqual([shared.id]);
  });

  it('changes the given fields, and only its owner makes it private', async () => {
    const { id } = await made({ shared: true, filter: { tool: 'zap' } });
    const patch = (json: object, token = acme.admin.token) => app.api.patch<View>(`${path}/${id}`, { token, json });
    expect((await patch({ name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', filter: { tool: 'zap' } });
    expect((await patch({ filter: { rule: ['xss'] } })).body.filter).toEqual({ rule: ['xss'] });
    expect((await patch({ shared: false })).status).toBe(403);
    expect((await patch({ shared: false }, acme.member.token)).body).toMatchObject({ shared: false });
  });

  it('refuses what the list of issues would refuse, and a name twice', async () => {
    const { name } = await made({ shared: true });
    expect((await create({ name: name.toUpperCase(), shared: true, filter: {} })).status).toBe(409);
    expect((await create({ name, filter: {} })).status).toBe(201);
    for (const filter of [{ severities: ['WORST'] }, { assignee: 'ada' }, { color: 'red' }]) {
      expect((await create({ name: 'Wrong', filter })).status).toBe(422);
    }
    const key = await acme.key('member');
    const byKey = (shared: boolean) =>
      app.api.post(path, { headers: { 'x-api-key': key }, json: { name: 'By a key', shared, filter: {} } });
    expect((await byKey(false)).status).toBe(422);
    expect((await byKey(true)).status).toBe(201);
  });

  it('deletes the private views of somebody who leaves, and keeps the shared ones', async () => {
    const { token } = await acme.join('member');
    const own = await made({}, token);
    const shared = await made({ shared: true }, token);
    await app.api.delete(`/api/v1/organizations/${acme.id}/members/me`, { token });
    expect(await app.database.rows('SELECT 1 AS one FROM issue_views WHERE id = $1', [own.id])).toEqual([]);
    const { body } = await app.api.get<View>(`${path}/${shared.id}`, { token: acme.viewer.token });
    expect(body.ownerId).toBeNull();
  });

  it('deletes a view', async () => {
    const { id } = await made({ shared: true });
    expect((await app.api.delete(`${path}/${id}`, { token: acme.admin.token })).status).toBe(204);
    expect((await app.api.delete(`${path}/${id}`, { token: acme.admin.token })).status).toBe(404);
  });
});
