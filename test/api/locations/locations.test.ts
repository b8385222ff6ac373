import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { Application } from '../../../src/scanning/profiles/profiles.dto.js';
import type { Proxy } from '../../../src/scanning/locations/locations.dto.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { makeResource, resourceBodies } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type FiredTrigger, listenTo, watchTriggers } from '../../support/workflow-triggers.js';

const path = '/api/v1/locations';
let app: TestApp;
let acme: InsertedOrganization;
let token: string;
let fired: (organizationId: string) => Promise<FiredTrigger[]>;
beforeAll(async () => {
  app = await startTestApp();
  fired = await watchTriggers(app);
  acme = await insertOrganization(app);
  token = acme.member.token;
});
afterAll(() => app.close());

const whole = {
  name: 'Paris',
  type: 'PRIVATE',
  target: 'https://proxy.example.com:8443',
  ip: '2001:db8::1',
  region: 'eu-west-3',
  enabled: false,
};
const make = (json: object, organization = acme) => makeResource<Proxy>(app, organization, 'locations', json);

describe('POST /api/v1/locations', () => {
  it('makes a location with all fields of the interface description', async () => {
    expect(await make(whole)).toEqual({ ...whole, id: expect.any(String), createdAt: expect.any(String) });
  });

  it('fills in defaults, and enables it', async () => {
    const { ip, region, enabled } = await make({ name: 'Bare', type: 'PLATFORM', target: 'host.example.com' });
    expect({ ip, region, enabled }).toEqual({ ip: null, region: null, enabled: true });
    expect(await make({ ...whole, enabled: null })).toMatchObject({ enabled: true });
  });

  it.each([
    [{ ...whole, type: 'CLOUD' }, 'type', 'enum'],
    [{ ...whole, target: undefined }, 'target', 'missing'],
    [{ ...whole, target: '' }, 'target', 'string_too_short'],
    [{ ...whole, target: 'two words' }, 'target', 'string_pattern_mismatch'],
    [{ ...whole, ip: '300.1.1.1' }, 'ip', 'ip_any_address'],
    [{ ...whole, ip: '10.0.0.0/8' }, 'ip', 'ip_any_address'],
    [{ ...whole, region: 'x'.repeat(101) }, 'region', 'string_too_long'],
    [{ ...whole, enabled: 'yes' }, 'enabled', 'bool_type'],
  ])('responds with 422 for %j', async (json, field, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', field], type })]);
  });
});

describe('PATCH /api/v1/locations/{id}', () => {
  it('changes what is given; null removes ip and region', async () => {
    const made = await make(whole);
    const at = `${path}/${made.id}`;
    const changes = { name: 'Lyon', type: 'PLATFORM', target: 'lyon.example.com', ip: '192.0.2.1' };
    expect((await app.api.patch(at, { token, json: changes })).body).toEqual({ ...made, ...changes });
    const emptied = await app.api.patch(at, { token, json: { ip: null, region: null, target: null } });
    expect(emptied.body).toEqual({ ...made, ...changes, ip: null, region: null });
  });

  it('responds with 422 for an ip that is no IP address', async () => {
    const { id } = await make(whole);
    expect((await app.api.patch(`${path}/${id}`, { token, json: { ip: 'localhost' } })).status).toBe(422);
  });

  it('fires LOCATION_DOWN when it is disabled, and only then', async () => {
    const watched = await insertOrganization(app);
    await listenTo(app, watched.id, 'LOCATION_DOWN');
    const { id } = await make({ ...whole, enabled: true }, watched);
    await make({ ...whole, enabled: false }, watched);
    const patch = (json: object) => app.api.patch(`${path}/${id.toUpperCase()}`, { token: watched.admin.token, json });
    await patch({ name: 'Renamed', enabled: true });
    expect(await fired(watched.id)).toEqual([]);
    await patch({ enabled: false });
    expect(await fired(watched.id)).toEqual([{ type: 'LOCATION_DOWN', subjects: [id] }]);
    await patch({ enabled: false });
    expect(await fired(watched.id)).toHaveLength(1);
  });

  it('fires LOCATION_DOWN once for ten concurrent requests that disable it', async () => {
    const watched = await insertOrganization(app);
    await listenTo(app, watched.id, 'LOCATION_DOWN');
    const { id } = await make({ ...whole, enabled: true }, watched);
    const request = { token: watched.member.token, json: { enabled: false } };
    await Promise.all(Array.from({ length: 10 }, () => app.api.patch(`${path}/${id}`, request)));
    expect(await fired(watched.id)).toHaveLength(1);
  });
});

describe('DELETE /api/v1/locations/{id}', () => {
  it('removes the location from the scans that name it', async () => {
    const { id } = await make(whole);
    const profile = await makeResource<Application>(app, acme, 'profiles', resourceBodies.profiles('Scanned'));
    const scan = uuidV7();
    await app.database.rows(
      `INSERT INTO scans (id, organization_id, application_id, kind, status, location_id)
       VALUES ($1, $2, $3, 'BLST_REST', 'FINISHED', $4)`,
      [scan, acme.id, profile.id, id],
    );
    expect((await app.api.delete(`${path}/${id}`, { token })).status).toBe(204);
    expect(await app.database.rows('SELECT location_id FROM scans WHERE id = $1', [scan])).toEqual([
      { location_id: null },
    ]);
  });
});
