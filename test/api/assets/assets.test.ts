import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { Asset, AssetPage } from '../../../src/scanning/assets/assets.dto.js';
import { assetById } from '../../../src/scanning/assets/assets.repository.js';
import { assetTypes } from '../../../src/scanning/vocabulary.js';
import { scansOf } from '../../support/explain.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { makeResource, resourceBodies, Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { assetBodies } from '../../support/assets.js';

const path = '/api/v1/assets';
let app: TestApp;
let acme: InsertedOrganization;
let other: InsertedOrganization;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  other = await insertOrganization(app);
  token = acme.member.token;
});
afterAll(() => app.close());

const make = (json: object, organization = acme) => makeResource<Asset>(app, organization, 'assets', json);
const makeTag = (name: string, organization = acme) => makeResource(app, organization, 'tags', { name });
const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
const noIssues = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
const none = {
  service: null,
  frontend: null,
  host: null,
  repository: null,
  schema: null,
  cloudComponent: null,
  sourceUrl: null,
};

describe('POST /api/v1/assets', () => {
  it.each([
    ['service', 'asset://api-service/api.example.com/v1'],
    ['frontend', 'asset://frontend/shop.example.com'],
    ['host', 'asset://host/203.0.113.7'],
    ['repository', 'asset://repository/code.example.com/acme/shop'],
    ['schema', 'asset://schema/api.example.com/openapi.json'],
  ] as const)('makes one with a %s of all fields of the interface description', async (detail, uri) => {
    const json = assetBodies[detail];
    const given = Object.entries(json).find(([name]) => name === detail)?.[1] as { records?: object[] };
    const made = await make(json);
    expect(made).toEqual({
      ...none,
      id,
      name: json.name,
      type: json.type,
      class: json.class,
      uri,
      createdAt: expect.any(String),
      tags: [],
      openIssues: noIssues,
      [detail]: {
        ...given,
        id,
        ...(given.records ? { records: given.records.map((record) => ({ ...record, id })) } : {}),
      },
    });
    expect((await app.api.get(`${path}/${made.id}`, { token })).body).toEqual(made);
  });

  it('returns omitted fields as null, and makes a storage key', async () => {
    const service = await make({
      name: 'bare',
      type: 'GRPC',
      class: 'API_SERVICE',
      service: { type: 'GRPC', url: 'grpc://bare.example.com' },
    });
    expect(service.service).toEqual({
      id,
      type: 'GRPC',
      url: 'grpc://bare.example.com',
      framework: null,
      authProtocol: null,
      authTechnology: null,
      cloudProvider: null,
      environment: null,
    });
    const repository = { type: 'CODEHOST_C_REPOSITORY', url: 'https://code.example.com/bare' };
    expect(
      (await make({ name: 'r', type: 'CODEHOST_C_REPOSITORY', class: 'REPOSITORY', repository })).repository,
    ).toEqual({
      ...repository,
      id,
      name: null,
      visibility: null,
      archived: null,
      lastCommitSha: null,
      lastCommitDate: null,
    });
    const schema = { type: 'HAR_EXPORT', key: 'a generated key' };
    const withSchema = await make({ name: 's', type: 'HAR_EXPORT', class: 'SCHEMA', schema });
    expect(withSchema.uri).toBe('asset://schema/a generated key');
    expect(withSchema.schema).toEqual({ ...schema, id, storageKey: expect.stringMatching(/./), source: null });
  });

  it('derives the uri from the name when there is no detail', async () => {
    const made = await make({ name: 'edge.example.net', type: 'SOFTWARE', class: 'CLOUD_HOSTING' });
    expect(made).toMatchObject({ ...none, uri: 'asset://cloud-hosting/edge.example.net' });
  });

  it('accepts every type', async () => {
    for (const type of assetTypes)
      expect(await make({ name: type, type, class: 'TECHNOLOGY' })).toMatchObject({ type });
  });

  it('returns each tag once, ordered by name', async () => {
    const [red, blue] = [await makeTag('red'), await makeTag('Blue')];
    const tagIds = [red.id, blue.id.toUpperCase(), red.id];
    const made = await make({ name: 'tagged', type: 'DNS', class: 'HOST', tagIds });
    expect(made.tags).toEqual([
      { id: blue.id, name: 'Blue', color: null },
      { id: red.id, name: 'red', color: null },
    ]);
  });

  it("responds with 404 for another organization's tag and for an unknown one, and makes nothing", async () => {
    const theirs = await makeTag('theirs', other);
    for (const tagId of [theirs.id, uuidV7()]) {
      const json = { name: 'untagged', type: 'DNS', class: 'HOST', tagIds: [tagId] };
      const { status, body } = await app.api.post<{ detail: string }>(path, { token, json });
      expect(status).toBe(404);
      expect(body.detail).toContain(tagId);
    }
    const { body } = await app.api.get<AssetPage>(`${path}?search=untagged`, { token });
    expect(body.data).toEqual([]);
  });

  it('responds with 409 for the same address in the same organization', async () => {
    const json = {
      ...assetBodies.frontend,
      frontend: { ...assetBodies.frontend.frontend, url: 'https://twice.example.com' },
    };
    await make(json);
    const again = { ...json, name: 'Another name', frontend: { ...json.frontend, url: 'http://Twice.example.com/' } };
    const { status, body } = await app.api.post(path, { token, json: again });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'asset_exists' });
    await make(json, other);
  });

  it('makes one asset of ten concurrent requests', async () => {
    const json = { name: 'contended.example.com', type: 'DNS', class: 'HOST' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.api.post(path, { token, json })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const { body } = await app.api.get<AssetPage>(`${path}?search=contended`, { token });
    expect(body.data).toHaveLength(1);
  });

  const { service, frontend, host, repository, schema } = assetBodies;
  it.each([
    [{ ...service, type: 'MAINFRAME' }, ['body', 'type'], 'enum'],
    [{ ...service, class: 'SATELLITE' }, ['body', 'class'], 'enum'],
    [{ ...service, class: undefined }, ['body', 'class'], 'missing'],
    [{ ...service, class: 'FRONTEND' }, ['body', 'service'], 'value_error'],
    [{ ...service, class: 'CDN' }, ['body', 'service'], 'value_error'],
    [{ ...service, frontend: frontend.frontend }, ['body', 'frontend'], 'value_error'],
    [{ ...service, service: 'https://api.example.com' }, ['body', 'service'], 'model_attributes_type'],
    [{ ...service, service: { ...service.service, url: undefined } }, ['body', 'service', 'url'], 'missing'],
    [
      { ...service, service: { ...service.service, url: 'a b' } },
      ['body', 'service', 'url'],
      'string_pattern_mismatch',
    ],
    [{ ...service, service: { ...service.service, type: 'SOAP' } }, ['body', 'service', 'type'], 'enum'],
    [{ ...service, service: { ...service.service, framework: 'COBOL' } }, ['body', 'service', 'framework'], 'enum'],
    [{ ...service, service: { ...service.service, environment: 'TEST' } }, ['body', 'service', 'environment'], 'enum'],
    [{ ...frontend, frontend: { ...frontend.frontend, tls: 'yes' } }, ['body', 'frontend', 'tls'], 'bool_type'],
    [{ ...frontend, frontend: { ...frontend.frontend, ips: [7] } }, ['body', 'frontend', 'ips', 0], 'string_type'],
    [
      { ...host, host: { ...host.host, ports: [{ port: 70_000, protocols: [] }] } },
      ['body', 'host', 'ports', 0, 'port'],
      'less_than_equal',
    ],
    [{ ...host, host: { ...host.host, records: [{ type: 'A' }] } }, ['body', 'host', 'records', 0, 'value'], 'missing'],
    [
      { ...repository, repository: { ...repository.repository, visibility: 'SECRET' } },
      ['body', 'repository', 'visibility'],
      'enum',
    ],
    [
      { ...repository, repository: { ...repository.repository, lastCommitDate: 'today' } },
      ['body', 'repository', 'lastCommitDate'],
      'datetime_parsing',
    ],
    [{ ...schema, schema: { ...schema.schema, source: 'GUESSED' } }, ['body', 'schema', 'source'], 'enum'],
    [{ ...service, tagIds: ['red'] }, ['body', 'tagIds', 0], 'uuid_parsing'],
  ])('responds with 422 for %j', async (json, loc, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc, type })]);
  });
});

describe('GET /api/v1/assets', () => {
  it('filters by types, classes, tags and search, alone and combined, comma-separated and repeated', async () => {
    const filtered = await insertOrganization(app);
    const [red, blue] = [await makeTag('red', filtered), await makeTag('blue', filtered)];
    await make({ name: 'one', type: 'DNS', class: 'HOST', tagIds: [red.id] }, filtered);
    await make({ name: 'two', type: 'IPV4', class: 'HOST', tagIds: [red.id, blue.id] }, filtered);
    await make({ name: 'three', type: 'DNS', class: 'NETWORK' }, filtered);
    await make({ ...assetBodies.frontend, name: 'four' }, filtered);
    const names = async (query: string) => {
      const { status, body } = await app.api.get<AssetPage>(`${path}?${query}`, { token: filtered.viewer.token });
      expect(status).toBe(200);
      return body.data.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['four', 'three', 'two', 'one']);
    expect(await names('types=DNS')).toEqual(['three', 'one']);
    expect(await names('types=DNS,IPV4')).toEqual(['three', 'two', 'one']);
    expect(await names('types=IPV4&types=WEBAPP')).toEqual(['four', 'two']);
    expect(await names('classes=HOST,FRONTEND')).toEqual(['four', 'two', 'one']);
    expect(await names(`tagIds=${blue.id}`)).toEqual(['two']);
    expect(await names(`tagIds=${red.id.toUpperCase()},${blue.id}`)).toEqual(['two', 'one']);
    expect(await names('search=SHOP.example')).toEqual(['four']);
    expect(await names('search=asset://network')).toEqual(['three']);
    expect(await names(`types=DNS&classes=HOST&tagIds=${red.id}&search=one`)).toEqual(['one']);
    expect(await names('types=&classes=')).toEqual(['four', 'three', 'two', 'one']);
  });

  it('counts the open issues of each by severity, in lists and alone, by an index-only scan', async () => {
    const counted = new Scanning(app, await insertOrganization(app));
    const calls = new IssueCalls(app, counted.token);
    const [bare, faulty] = [await counted.asset(), await counted.asset()];
    const named = (name: string, severity: string) => finding(faulty.id, { name, severity });
    const found = [named('a', 'HIGH'), named('b', 'HIGH'), named('c', 'LOW'), named('d', 'CRITICAL')];
    const made = await calls.appended((await counted.scan()).id, ...found);
    await calls.patch(made[3]?.id ?? '', { status: 'RESOLVED' });
    const { body } = await app.api.get<AssetPage>(path, { token: counted.token });
    expect(body.data.map((asset) => [asset.id, asset.openIssues])).toEqual([
      [faulty.id, { ...noIssues, HIGH: 2, LOW: 1 }],
      [bare.id, noIssues],
    ]);
    const alone = await app.api.get(`${path}/${faulty.id}`, { token: counted.token });
    expect(alone.body).toEqual(body.data[0]);
    const scans = await scansOf(app.database, assetById.text, [counted.organization.id, faulty.id]);
    expect(scans).toContain('Index Only Scan of issues_open_of_asset_idx');
  });

  it("is empty for another organization's tag", async () => {
    const tag = await makeTag('foreign', other);
    await make({ name: 'foreign tagged', type: 'DNS', class: 'HOST', tagIds: [tag.id] }, other);
    const { body } = await app.api.get(`${path}?tagIds=${tag.id}`, { token });
    expect(body).toEqual({ data: [], nextCursor: null });
  });

  it.each(['types=DNS,MAINFRAME', 'classes=X', 'tagIds=red', `search=${'x'.repeat(201)}`])(
    'responds with 422 for ?%s',
    async (query) => {
      expect((await app.api.get(`${path}?${query}`, { token })).status).toBe(422);
    },
  );
});

describe('DELETE /api/v1/assets/{id}', () => {
  it('responds with 409 for an asset with scans and for one with issues', async () => {
    const [scanned, faulty] = [
      await make({ name: 'scanned', type: 'DNS', class: 'HOST' }),
      await make({ name: 'faulty', type: 'DNS', class: 'HOST' }),
    ];
    const profile = await makeResource(app, acme, 'profiles', resourceBodies.profiles('p'));
    const scan = uuidV7();
    await app.database.rows(
      `INSERT INTO scans (id, organization_id, application_id, kind, status)
       VALUES ($1, $2, $3, 'BLST_REST', 'FINISHED')`,
      [scan, acme.id, profile.id],
    );
    await app.database.rows('INSERT INTO scan_assets (scan_id, asset_id) VALUES ($1, $2)', [scan, scanned.id]);
    await app.database.rows(
      `INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                           security_test_uid, identity)
       VALUES ($1, $2, $3, 'i', 'i', 'LOW', 'CUSTOM', 'OPEN', '', '', 'i')`,
      [uuidV7(), acme.id, faulty.id],
    );
    for (const asset of [scanned, faulty]) {
      const { status, body } = await app.api.delete(`${path}/${asset.id}`, { token });
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'asset_in_use' });
      expect((await app.api.get(`${path}/${asset.id}`, { token })).status).toBe(200);
    }
  });

  it('frees the uri', async () => {
    const json = { name: 'freed.example.com', type: 'DNS', class: 'HOST', tagIds: [(await makeTag('freed')).id] };
    const { id: first } = await make(json);
    expect((await app.api.delete(`${path}/${first}`, { token })).status).toBe(204);
    expect((await make(json)).id).not.toBe(first);
  });
});
