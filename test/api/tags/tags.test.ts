import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Asset } from '../../../src/scanning/assets/assets.dto.js';
import type { Tag } from '../../../src/scanning/tags/tags.dto.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { makeResource } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/tags';
let app: TestApp;
let acme: InsertedOrganization;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  token = acme.member.token;
});
afterAll(() => app.close());

const make = (json: object) => makeResource<Tag>(app, acme, 'tags', json);

describe('POST /api/v1/tags', () => {
  it('makes a tag, with a color or without', async () => {
    expect(await make({ name: 'red', color: '#f00' })).toEqual({
      id: expect.any(String),
      name: 'red',
      color: '#f00',
      createdAt: expect.any(String),
    });
    expect(await make({ name: 'plain' })).toMatchObject({ color: null });
    expect(await make({ name: 'plainer', color: null })).toMatchObject({ color: null });
  });

  it('responds with 409 for a name taken in this organization, whatever its case', async () => {
    await make({ name: 'Production' });
    expect((await app.api.post(path, { token, json: { name: 'PRODUCTION' } })).status).toBe(409);
    const other = await insertOrganization(app);
    await makeResource(app, other, 'tags', { name: 'production' });
  });

  it('makes one tag of ten concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.api.post(path, { token, json: { name: 'contended' } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  it.each([
    [{ name: 'x'.repeat(101) }, 'name', 'string_too_long'],
    [{ name: 'x', color: 7 }, 'color', 'string_type'],
    [{ name: 'x', color: 'x'.repeat(33) }, 'color', 'string_too_long'],
  ])('responds with 422 for %j', async (json, field, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', field], type })]);
  });
});

describe('PATCH /api/v1/tags/{id}', () => {
  it('changes what is given; null removes the color', async () => {
    const made = await make({ name: 'blue', color: '#00f' });
    const at = `${path}/${made.id}`;
    expect((await app.api.patch(at, { token, json: { name: 'navy' } })).body).toEqual({ ...made, name: 'navy' });
    expect((await app.api.patch(at, { token, json: { color: null } })).body).toEqual({
      ...made,
      name: 'navy',
      color: null,
    });
  });

  it('responds with 409 for the name of another tag', async () => {
    await make({ name: 'taken' });
    const { id } = await make({ name: 'free' });
    expect((await app.api.patch(`${path}/${id}`, { token, json: { name: 'Taken' } })).status).toBe(409);
    expect((await app.api.patch(`${path}/${id}`, { token, json: { name: 'FREE' } })).status).toBe(200);
  });
});

describe('DELETE /api/v1/tags/{id}', () => {
  it('removes the tag from its assets', async () => {
    const [gone, stays] = [await make({ name: 'gone' }), await make({ name: 'stays' })];
    const asset = await makeResource<Asset>(app, acme, 'assets', {
      name: 'tagged',
      type: 'DNS',
      class: 'HOST',
      tagIds: [gone.id, stays.id],
    });
    expect(asset.tags.map(({ name }) => name)).toEqual(['gone', 'stays']);
    expect((await app.api.delete(`${path}/${gone.id}`, { token })).status).toBe(204);
    const { body } = await app.api.get<Asset>(`/api/v1/assets/${asset.id}`, { token });
    expect(body.tags).toEqual([{ id: stays.id, name: 'stays', color: null }]);
  });
});
