import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IntegrationSecrets } from '../../../src/scanning/integrations/integration-secrets.js';
import type { Integration } from '../../../src/scanning/integrations/integrations.dto.js';
import { integrationKinds } from '../../../src/scanning/vocabulary.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { makeResource } from '../../support/scanning.js';
import { secretNames } from '../../support/secret-names.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type FiredTrigger, listenTo, watchTriggers } from '../../support/workflow-triggers.js';

const path = '/api/v1/integrations';
let app: TestApp;
let acme: InsertedOrganization;
let token: string;
let fired: (organizationId: string) => Promise<FiredTrigger[]>;
beforeAll(async () => {
  app = await startTestApp();
  fired = await watchTriggers(app);
  acme = await insertOrganization(app);
  token = acme.admin.token;
});
afterAll(() => app.close());

const parameters = {
  url: 'https://code.example.com',
  apiKey: 'first-secret-1234',
  settings: { accounts: [{ name: 'ci', token: 'second-secret-5678' }] },
};
const maskedParameters = {
  url: 'https://code.example.com',
  apiKey: '••••1234',
  settings: { accounts: [{ name: 'ci', token: '••••5678' }] },
};
const make = (json: object, organization = acme) => makeResource<Integration>(app, organization, 'integrations', json);
const whole = { name: 'Code host', kind: 'CODEHOST_A_API_KEY', parameters };

async function stored(id: string): Promise<{ sealed: string; opened: unknown }> {
  const [row] = await app.database.rows<{ sealed: string }>(
    'SELECT parameters_sealed AS sealed FROM integrations WHERE id = $1',
    [id],
  );
  const sealed = row?.sealed ?? '';
  return { sealed, opened: app.nest.get(IntegrationSecrets).open(id, sealed) };
}

describe('POST /api/v1/integrations', () => {
  it('makes an integration with all fields of the interface description, its secrets masked', async () => {
    expect(await make({ ...whole, valid: false })).toEqual({
      ...whole,
      id: expect.any(String),
      valid: false,
      parameters: maskedParameters,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await make(whole)).toMatchObject({ valid: true });
  });

  it('accepts every kind', async () => {
    for (const kind of integrationKinds) expect(await make({ ...whole, kind })).toMatchObject({ kind });
  });

  it('encrypts the parameters at rest', async () => {
    const { id } = await make(whole);
    const { sealed, opened } = await stored(id);
    expect(sealed).not.toMatch(/secret|example/);
    expect(opened).toEqual(parameters);
  });

  it('shows every role only masks', async () => {
    const { id } = await make(whole);
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const one = await app.api.get<Integration>(`${path}/${id}`, { token: acme[role].token });
      expect(one.body.parameters).toEqual(maskedParameters);
      const list = await app.api.get(`${path}?size=100`, { token: acme[role].token });
      expect(JSON.stringify(list.body)).not.toMatch(/(first|second)-secret/);
    }
  });

  it.each([
    [{ ...whole, kind: 'FAX' }, ['body', 'kind'], 'enum'],
    [{ ...whole, parameters: undefined }, ['body', 'parameters'], 'missing'],
    [{ ...whole, parameters: ['a'] }, ['body', 'parameters'], 'dict_type'],
    [{ ...whole, parameters: { key: 'a\0b' } }, ['body', 'parameters'], 'string_unicode'],
    [{ ...whole, parameters: { apiKey: '••••1234' } }, ['body', 'parameters', 'apiKey'], 'value_error'],
    [{ ...whole, valid: 'no' }, ['body', 'valid'], 'bool_type'],
  ])('responds with 422 for %j', async (json, loc, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc, type })]);
  });
});

describe('PATCH /api/v1/integrations/{id}', () => {
  it('keeps the secrets whose masks are sent back', async () => {
    const made = await make(whole);
    const json = { parameters: { ...made.parameters, url: 'https://new.example.com' } };
    const { status, body } = await app.api.patch<Integration>(`${path}/${made.id}`, { token, json });
    expect(status).toBe(200);
    expect(body.parameters).toEqual({ ...maskedParameters, url: 'https://new.example.com' });
    expect((await stored(made.id)).opened).toEqual({ ...parameters, url: 'https://new.example.com' });
  });

  it.each(integrationKinds)('keeps every secret of %s that is sent back as read, whatever its name', async (kind) => {
    const given = Object.fromEntries(secretNames.map((name, at) => [name, `words of ${at}`]));
    const made = await make({ ...whole, kind, parameters: { ...given, settings: { list: [given] } } });
    expect(JSON.stringify(made)).not.toContain('words of');
    const json = { parameters: made.parameters };
    expect((await app.api.patch(`${path}/${made.id}`, { token, json })).status).toBe(200);
    expect((await stored(made.id)).opened).toEqual({ ...given, settings: { list: [given] } });
  });

  it('replaces the parameters as a whole', async () => {
    const { id } = await make(whole);
    const json = { parameters: { apiKey: 'quite-another-9999' } };
    const { body } = await app.api.patch<Integration>(`${path}/${id}`, { token, json });
    expect(body.parameters).toEqual({ apiKey: '••••9999' });
    expect((await stored(id)).opened).toEqual(json.parameters);
  });

  it('keeps the parameters when none are given', async () => {
    const made = await make(whole);
    await app.database.rows(`UPDATE integrations SET updated_at = '2020-01-01Z' WHERE id = $1`, [made.id]);
    const json = { name: 'Renamed', kind: 'CUSTOM', parameters: null };
    const { body } = await app.api.patch<Integration>(`${path}/${made.id}`, { token, json });
    expect(body).toEqual({
      ...made,
      name: 'Renamed',
      kind: 'CUSTOM',
      updatedAt: expect.stringMatching(/^20(?!20)/),
    });
    expect((await stored(made.id)).opened).toEqual(parameters);
  });

  it('responds with 422 for a mask without a stored value, and changes nothing', async () => {
    const { id } = await make(whole);
    const json = { name: 'Lost', parameters: { otherKey: '••••1234' } };
    expect((await app.api.patch(`${path}/${id}`, { token, json })).status).toBe(422);
    expect((await stored(id)).opened).toEqual(parameters);
    expect((await app.api.get<Integration>(`${path}/${id}`, { token })).body.name).toBe('Code host');
  });

  it('fires INTEGRATION_FAILED when valid turns false, and only then', async () => {
    const watched = await insertOrganization(app);
    await listenTo(app, watched.id, 'INTEGRATION_FAILED');
    const { id } = await make(whole, watched);
    await make({ ...whole, valid: false }, watched);
    const patch = (json: object) => app.api.patch(`${path}/${id}`, { token: watched.admin.token, json });
    await patch({ name: 'Renamed', valid: true });
    expect(await fired(watched.id)).toEqual([]);
    await patch({ valid: false });
    expect(await fired(watched.id)).toEqual([{ type: 'INTEGRATION_FAILED', subjects: [id] }]);
    await patch({ valid: false });
    expect(await fired(watched.id)).toHaveLength(1);
    await patch({ valid: true });
    await patch({ valid: false });
    expect(await fired(watched.id)).toHaveLength(2);
  });

  it('fires INTEGRATION_FAILED once for ten concurrent requests that turn it invalid', async () => {
    const watched = await insertOrganization(app);
    await listenTo(app, watched.id, 'INTEGRATION_FAILED');
    const { id } = await make(whole, watched);
    const request = { token: watched.admin.token, json: { valid: false } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.api.patch(`${path}/${id}`, request)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    expect(await fired(watched.id)).toHaveLength(1);
  });
});
