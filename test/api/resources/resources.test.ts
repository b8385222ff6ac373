import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '../../support/accounts.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { makeResource, type Resource, resourceBodies, type ResourceKind } from '../../support/scanning.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface ResourcePage {
  data: Resource[];
  nextCursor: string | null;
}

const kinds = Object.keys(resourceBodies) as ResourceKind[];
const unknown = '01900000-0000-7000-8000-000000000000';
let app: TestApp;
let acme: InsertedOrganization;
let other: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  other = await insertOrganization(app);
});
afterAll(() => app.close());

const as = (key: string) => ({ headers: { 'x-api-key': key } });

describe.each(kinds)('/api/v1/%s', (kind) => {
  const path = `/api/v1/${kind}`;
  const body = resourceBodies[kind];
  const make = (name: string, organization = acme) => makeResource(app, organization, kind, body(name));
  const writes = (id: string): [string, string, object?][] => [
    ['POST', path, body('Written')],
    ['PATCH', `${path}/${id}`, { name: 'Rewritten' }],
    ['DELETE', `${path}/${id}`],
  ];

  it('makes, returns, renames and deletes one', async () => {
    const made = await make('Before');
    expect(made).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{14}7/), name: 'Before' });
    expect(made.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { token } = acme.admin;
    expect((await app.api.get(`${path}/${made.id}`, { token })).body).toEqual(made);
    const renamed = await app.api.patch<Resource>(`${path}/${made.id}`, { token, json: { name: 'After' } });
    expect([renamed.status, renamed.body.id, renamed.body.name]).toEqual([200, made.id, 'After']);
    const same = await app.api.patch<Resource>(`${path}/${made.id}`, { token, json: { name: null } });
    expect([same.status, same.body]).toEqual([200, renamed.body]);
    expect((await app.api.delete(`${path}/${made.id}`, { token })).status).toBe(204);
    expect((await app.api.get(`${path}/${made.id}`, { token })).status).toBe(404);
    expect((await app.api.delete(`${path}/${made.id}`, { token })).status).toBe(404);
  });

  it('lets a viewer read but not write, by token and by key', async () => {
    const { id } = await make('Kept');
    const key = await acme.key('viewer');
    for (const caller of [{ token: acme.viewer.token }, as(key)]) {
      expect((await app.api.get(path, caller)).status).toBe(200);
      expect((await app.api.get(`${path}/${id}`, caller)).status).toBe(200);
      for (const [method, at, json] of writes(id)) {
        expect((await app.api.send(method, at, { ...caller, json })).status).toBe(403);
      }
    }
    const kept = await app.api.get<Resource>(`${path}/${id}`, as(key));
    expect(kept.body.name).toBe('Kept');
  });

  it(`lets a member ${kind === 'integrations' ? 'not ' : ''}write`, async () => {
    const { id } = await make('By a member');
    const statuses: number[] = [];
    for (const [method, at, json] of writes(id)) {
      statuses.push((await app.api.send(method, at, { token: acme.member.token, json })).status);
    }
    expect(statuses).toEqual(kind === 'integrations' ? [403, 403, 403] : [201, 200, 204]);
  });

  it('hides it from another organization', async () => {
    const { id } = await make('Ours');
    const { token } = other.admin;
    expect((await app.api.get<ResourcePage>(path, { token })).body.data).toEqual([]);
    expect((await app.api.get(`${path}/${id}`, { token })).status).toBe(404);
    expect((await app.api.patch(`${path}/${id}`, { token, json: { name: 'Theirs' } })).status).toBe(404);
    expect((await app.api.delete(`${path}/${id}`, { token })).status).toBe(404);
    expect((await app.api.get<Resource>(`${path}/${id}`, { token: acme.admin.token })).body.name).toBe('Ours');
  });

  it('responds with 404 for an unknown id and for another organization', async () => {
    const { token } = acme.admin;
    expect((await app.api.get(`${path}/${unknown}`, { token })).status).toBe(404);
    const headers = { 'x-organization-id': other.id };
    expect((await app.api.get(path, { token, headers })).status).toBe(404);
    expect((await app.api.post(path, { token, headers, json: body('Smuggled') })).status).toBe(404);
  });

  it('responds with 401 without credentials, and for a key that is unknown, expired or revoked', async () => {
    const keys = [
      'ssk_unknown',
      await acme.key('admin', { expiresAt: new Date(Date.now() - 1_000) }),
      await acme.key('admin', { revokedAt: new Date() }),
    ];
    expect((await app.api.get(path)).status).toBe(401);
    for (const key of keys) {
      expect((await app.api.get(path, as(key))).status).toBe(401);
      expect((await app.api.post(path, { ...as(key), json: body('Nobody') })).status).toBe(401);
    }
  });

  it('responds with 403 and a hint at POST /organizations to a user without an organization', async () => {
    const { token } = await insertUser(app);
    const { status, body: refusal } = await app.api.get<{ detail: string }>(path, { token });
    expect(status).toBe(403);
    expect(refusal.detail).toContain('/organizations');
  });

  it('pages newest first without gaps or repeats while more arrive', async () => {
    const paged = await insertOrganization(app);
    const made: string[] = [];
    for (let number = 0; number < 7; number++) made.unshift((await make(`Number ${number}`, paged)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '?size=3' : `?size=3&cursor=${cursor}`;
      const page = await app.api.get<ResourcePage>(path + query, { token: paged.viewer.token });
      seen.push(...page.body.data.map(({ id }) => id));
      cursor = page.body.nextCursor;
      await make(`Late ${seen.length}`, paged);
    }
    expect(seen).toEqual(made);
  });

  it('pages rows of the same moment by their ids', async () => {
    const paged = await insertOrganization(app);
    for (let number = 0; number < 4; number++) await make(`Twin ${number}`, paged);
    await app.database.rows(`UPDATE ${kind} SET created_at = '2026-01-01Z' WHERE organization_id = $1`, [paged.id]);
    const { token } = paged.viewer;
    const first = await app.api.get<ResourcePage>(`${path}?size=2`, { token });
    const rest = await app.api.get<ResourcePage>(`${path}?size=2&cursor=${first.body.nextCursor}`, { token });
    const ids = [...first.body.data, ...rest.body.data].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    expect([ids.length, rest.body.nextCursor]).toEqual([4, null]);
  });

  it('searches names ignoring case, with wildcards taken literally', async () => {
    const searched = await insertOrganization(app);
    for (const name of ['100% Shop', '100 Shops', 'a_b', 'axb']) await make(name, searched);
    const { token } = searched.viewer;
    const names = async (search: string) => {
      const page = await app.api.get<ResourcePage>(`${path}?search=${encodeURIComponent(search)}`, { token });
      return page.body.data.map(({ name }) => name);
    };
    expect(await names('SHOP')).toEqual(['100 Shops', '100% Shop']);
    expect(await names('100%')).toEqual(['100% Shop']);
    expect(await names('a_b')).toEqual(['a_b']);
    expect(await names('nothing of this kind')).toEqual([]);
  });

  it('lists with one statement', async () => {
    await make('Counted');
    const key = await acme.key('viewer');
    await app.api.get(path, as(key));
    const statements = await statementsOf(() => app.api.get(path, as(key)));
    expect(statements.filter((one) => !one.startsWith('organizations.'))).toHaveLength(1);
  });

  it.each(['size=0', 'size=101', 'size=x', 'cursor=', 'cursor=broken', 'search=%00'])(
    'responds with 422 for ?%s',
    async (query) => {
      expect((await app.api.get(`${path}?${query}`, { token: acme.viewer.token })).status).toBe(422);
    },
  );

  it.each([
    [{}, 'missing'],
    [{ name: null }, 'string_type'],
    [{ name: 7 }, 'string_type'],
    [{ name: '' }, 'string_too_short'],
    [{ name: ' \t' }, 'string_pattern_mismatch'],
    [{ name: 'x'.repeat(501) }, 'string_too_long'],
    [{ name: 'nul\0' }, 'string_unicode'],
  ])('responds with 422 for the name of %j', async (given, type) => {
    const { name: _name, ...rest } = body('');
    const { status, body: refusal } = await app.api.post<{ detail: unknown }>(path, {
      token: acme.admin.token,
      json: { ...rest, ...given },
    });
    expect(status).toBe(422);
    expect(refusal.detail).toEqual([expect.objectContaining({ loc: ['body', 'name'], type })]);
  });

  it('responds with 422 for an id that is not a UUID', async () => {
    expect((await app.api.get(`${path}/7`, { token: acme.viewer.token })).status).toBe(422);
  });
});
