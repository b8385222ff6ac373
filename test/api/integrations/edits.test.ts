import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Integration, IntegrationPage } from '../../../src/scanning/integrations/integrations.dto.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { makeResource } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: InsertedOrganization;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  token = acme.admin.token;
});
afterAll(() => app.close());

const make = (json: object) => makeResource<Integration>(app, acme, 'integrations', { parameters: {}, ...json });

const change = (id: string, json: object, ifMatch: string) =>
  app.api.send<Integration & { code?: string }>('PATCH', `/api/v1/integrations/${id}`, {
    token,
    json,
    headers: { 'if-match': ifMatch },
  });

describe('GET /api/v1/integrations?kinds=', () => {
  it('lists those of any of the kinds, also within a search', async () => {
    await make({ name: 'one', kind: 'WEBHOOK' });
    await make({ name: 'two', kind: 'CUSTOM' });
    await make({ name: 'three', kind: 'EMAIL' });
    const names = async (query: string) =>
      (await app.api.get<IntegrationPage>(`/api/v1/integrations?${query}`, { token })).body.data.map(
        ({ name }) => name,
      );
    expect(await names('kinds=WEBHOOK,EMAIL')).toEqual(['three', 'one']);
    expect(await names('kinds=WEBHOOK&search=two')).toEqual([]);
    expect(await names('')).toEqual(['three', 'two', 'one']);
    expect((await app.api.get('/api/v1/integrations?kinds=OTHER', { token })).status).toBe(422);
  });
});

describe('PATCH /api/v1/integrations/{id} with If-Match', () => {
  it('changes only the version that was read, and responds with 412 to the second of two callers who read the same one', async () => {
    const { id } = await make({ name: 'edited', kind: 'CUSTOM' });
    const read = await app.api.get<Integration>(`/api/v1/integrations/${id}`, { token });
    const etag = read.headers.get('etag') ?? '';
    const both = await Promise.all(['mine', 'theirs'].map((name) => change(id, { name }, etag)));
    expect(both.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 412]);
    expect(both.find(({ status }) => status === 412)?.body.code).toBe('changed_meanwhile');
    const won = both.find(({ status }) => status === 200);
    const now = await app.api.get<Integration>(`/api/v1/integrations/${id}`, { token });
    expect([now.body.name, now.headers.get('etag')]).toEqual([won?.body.name, won?.headers.get('etag')]);
    expect((await change(id, { valid: false }, now.headers.get('etag') ?? '')).status).toBe(200);
    expect((await change(id, {}, etag)).status).toBe(412);
  });
});
