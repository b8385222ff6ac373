import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { Application } from '../../../src/scanning/profiles/profiles.dto.js';
import { profileTypes, scanKinds } from '../../../src/scanning/vocabulary.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { makeResource } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/profiles';
let app: TestApp;
let acme: InsertedOrganization;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  token = acme.member.token;
});
afterAll(() => app.close());

const make = (json: object) => makeResource<Application>(app, acme, 'profiles', json);

describe('POST /api/v1/profiles', () => {
  it('makes a profile with all fields of the interface description', async () => {
    const json = { name: 'Shop', scannerKind: 'BLST_REST', type: 'GRAPHQL' };
    expect(await make(json)).toEqual({
      ...json,
      id: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('accepts every scanner kind and type', async () => {
    for (const scannerKind of scanKinds) {
      for (const type of profileTypes)
        expect(await make({ name: 'Any', scannerKind, type })).toMatchObject({ scannerKind, type });
    }
  });

  it.each([
    [{ name: 'x', scannerKind: 'NESSUS', type: 'REST' }, 'scannerKind', 'enum'],
    [{ name: 'x', scannerKind: 'BLST_REST', type: 'SOAP' }, 'type', 'enum'],
    [{ name: 'x', scannerKind: 'BLST_REST' }, 'type', 'missing'],
    [{ name: 'x', type: 'REST' }, 'scannerKind', 'missing'],
    [{ name: 'x'.repeat(201), scannerKind: 'BLST_REST', type: 'REST' }, 'name', 'string_too_long'],
  ])('responds with 422 for %j', async (json, field, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', field], type })]);
  });
});

describe('PATCH /api/v1/profiles/{id}', () => {
  it('changes the given fields, and `updatedAt`', async () => {
    const made = await make({ name: 'Before', scannerKind: 'BLST_REST', type: 'REST' });
    await app.database.rows(`UPDATE profiles SET updated_at = '2020-01-01Z' WHERE id = $1`, [made.id]);
    const { body } = await app.api.patch<Application>(`${path}/${made.id}`, {
      token,
      json: { scannerKind: 'FRONTEND_DAST', type: null },
    });
    expect(body).toEqual({ ...made, scannerKind: 'FRONTEND_DAST', updatedAt: expect.stringMatching(/^20(?!20)/) });
  });

  it('changes nothing when nothing is given', async () => {
    const made = await make({ name: 'Same', scannerKind: 'BLST_REST', type: 'REST' });
    const { body } = await app.api.patch(`${path}/${made.id}`, { token, json: {} });
    expect(body).toEqual(made);
  });
});

describe('DELETE /api/v1/profiles/{id}', () => {
  it('responds with 409 for a profile with scans', async () => {
    const { id } = await make({ name: 'Scanned', scannerKind: 'BLST_REST', type: 'REST' });
    await app.database.rows(
      `INSERT INTO scans (id, organization_id, application_id, kind, status)
       VALUES ($1, $2, $3, 'BLST_REST', 'FINISHED')`,
      [uuidV7(), acme.id, id],
    );
    const { status, body } = await app.api.delete(`${path}/${id}`, { token });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'profile_in_use' });
    expect((await app.api.get(`${path}/${id}`, { token })).status).toBe(200);
  });
});
