import { describe, expect, it } from '@jest/globals';
import type { Issue } from '../../../src/scanning/issues/issues.dto.js';
import { insertOrganization } from '../../support/organizations.js';
import {
  Imports,
  nucleiLine,
  rowCounts,
  sarifLog,
  sarifResult,
  zapAlert,
  zapReport,
} from '../../support/report-imports.js';
import { importScene } from './import-scene.js';

const scene = importScene();

/** A report that does not name what was scanned, like those of most linters. */
const nameless = (results: object[] = [sarifResult('R1')]): object =>
  sarifLog(results, { versionControlProvenance: [] });
const query = (asset: string): string => `?asset=${encodeURIComponent(asset)}`;

interface AssetRow {
  id: string;
  name: string;
  uri: string;
  class: string;
}

function assets(): Promise<AssetRow[]> {
  return scene.app.database.rows<AssetRow>(
    'SELECT id, name, uri, class FROM assets WHERE organization_id = $1 ORDER BY uri',
    [scene.organization.id],
  );
}

async function uris(): Promise<string[]> {
  return (await assets()).map(({ uri }) => uri);
}

async function makeAsset(json: object): Promise<string> {
  const { status, body } = await scene.app.api.post<{ id: string }>('/api/v1/assets', {
    token: scene.organization.member.token,
    json,
  });
  expect(status).toBe(201);
  return body.id;
}

async function assetsOfIssues(): Promise<string[]> {
  const { body } = await scene.app.api.get<{ data: Issue[] }>('/api/v1/issues?size=100', {
    token: scene.organization.viewer.token,
  });
  return [...new Set(body.data.map(({ assetId }) => assetId))];
}

describe('POST /api/v1/scans/import of a report that names no asset', () => {
  it.each([
    ['with findings', nameless()],
    ['without findings', nameless([])],
    [
      'whose tool alone has a name',
      sarifLog([sarifResult('R1')], { versionControlProvenance: [], automationDetails: { id: 'lint/' } }),
    ],
    ['of lines without a host', nucleiLine('t', { host: '', 'matched-at': '' })],
    ['of sites without a name', zapReport([zapAlert('1', { instances: [] })], '')],
  ])('responds with 422 and advice, and writes nothing: %s', async (_, report) => {
    const before = await rowCounts(scene.app);
    const { status, body } = await scene.imports.send(typeof report === 'string' ? report : JSON.stringify(report));
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['query', 'asset'], type: 'missing' }] }]);
    expect(JSON.stringify(body)).toContain('name it with the query parameter asset');
    expect(await rowCounts(scene.app)).toEqual(before);
  });

  it('keeps two repositories with equal reports apart', async () => {
    const [one, other] = ['git@code.example:acme/shop.git', 'git@code.example:acme/theme.git'];
    const first = await scene.imports.import(nameless(), query(one));
    const second = await scene.imports.import(nameless(), query(other));
    expect([first.created, second.created]).toEqual([1, 1]);
    expect(await uris()).toEqual([
      'asset://code-project/code.example/acme/shop',
      'asset://code-project/code.example/acme/theme',
    ]);
  });

  it('skips findings without an asset, and keeps the others', async () => {
    const page = { locations: [{ physicalLocation: { artifactLocation: { uri: 'https://shop.example/a' } } }] };
    const result = await scene.imports.import(nameless([sarifResult('R1'), sarifResult('R2', '', page)]));
    expect(result).toMatchObject({ findings: 2, created: 1, skippedCount: 1 });
    expect(result.skipped.map(({ index }) => index)).toEqual([0]);
    expect(result.skipped[0]?.reason).toContain('query parameter asset');
  });
});

describe('POST /api/v1/scans/import?asset=', () => {
  it('takes precedence over the report', async () => {
    await scene.imports.import(sarifLog([sarifResult('R1')]), query('checkout'));
    await scene.imports.import(zapReport([zapAlert('1')]), query('checkout'));
    await scene.imports.import(nucleiLine('t'), query('checkout'));
    const all = await assets();
    expect(all.map(({ name, uri }) => [name, uri])).toEqual([['checkout', 'asset://code-project/checkout']]);
    expect(await assetsOfIssues()).toEqual([all[0]?.id]);
  });

  it('is the asset of the scan of a report without findings', async () => {
    const { scan } = await scene.imports.import(sarifLog([]), query('checkout'));
    const empty = await scene.imports.import('', `${query('checkout')}&format=nuclei-jsonl`);
    expect(empty).toMatchObject({ findings: 0, created: 0, scan: { status: 'FINISHED' } });
    const rows = await scene.app.database.rows<{ scan_id: string }>(
      `SELECT scan_id FROM scan_assets a JOIN assets b ON b.id = a.asset_id WHERE b.organization_id = $1`,
      [scene.organization.id],
    );
    expect(rows.map(({ scan_id }) => scan_id).sort()).toEqual([scan.id, empty.scan.id].sort());
  });

  it.each([
    'https://code.example/acme/shop',
    'https://code.example/acme/shop.git',
    'https://code.example/acme/shop/',
    'http://ada:secret@CODE.example/acme/shop.git',
    'git@code.example:acme/shop.git',
    'ssh://git@code.example/acme/shop.git',
    'ssh://git@code.example:22/acme/shop',
    'git://code.example/acme/shop.git',
    'asset://code-project/code.example/acme/shop',
  ])('is the repository of the report, spelled %s', async (asset) => {
    await scene.imports.import(sarifLog([sarifResult('R1')]));
    expect(await scene.imports.import(nameless(), query(asset))).toMatchObject({ created: 0, seen: 1 });
    expect(await uris()).toEqual(['asset://code-project/code.example/acme/shop']);
  });

  it.each([
    ['https://shop.example', 'asset://frontend/shop.example'],
    ['https://shop.example/admin/', 'asset://frontend/shop.example/admin'],
    ['shop.example', 'asset://host/shop.example'],
    ['192.0.2.7', 'asset://host/192.0.2.7'],
    ['arn:aws:s3:::acme', 'asset://cloud-component/arn:aws:s3:::acme'],
    ['git@code.example:acme/shop.git', 'asset://code-project/code.example/acme/shop'],
    ['The shop', 'asset://frontend/The shop'],
    ['asset://frontend/shop.example', 'asset://frontend/shop.example'],
    ['asset://host/shop.example', 'asset://host/shop.example'],
    ['asset://code-project/shop', 'asset://code-project/shop'],
    ['asset://cloud-component/arn:aws:s3:::acme', 'asset://cloud-component/arn:aws:s3:::acme'],
  ])('turns %s into %s for a report of sites', async (asset, uri) => {
    for (const report of [zapReport([zapAlert('1')]), nucleiLine('t')]) {
      await scene.imports.import(typeof report === 'string' ? report : JSON.stringify(report), query(asset));
      expect(await uris()).toEqual([uri]);
    }
  });

  it('finds an asset by its name, whatever its class', async () => {
    const repository = { type: 'CODEHOST_A_REPOSITORY', url: 'https://code.example/acme/shop' };
    const id = await makeAsset({ name: 'Shop code', type: 'CODEHOST_A_REPOSITORY', class: 'REPOSITORY', repository });
    for (const asset of ['Shop code', ' Shop code ', 'asset://repository/code.example/acme/shop', repository.url]) {
      await scene.imports.import(nameless(), query(asset));
    }
    expect((await assets()).map((asset) => asset.id)).toEqual([id]);
    expect(await assetsOfIssues()).toEqual([id]);
  });

  it('responds with 422 when several assets have the name, and lists them', async () => {
    for (const address of ['a.example', 'b.example']) {
      const host = { type: 'DNS', address, ips: [], regionCountryCodes: [], ports: [], records: [] };
      await makeAsset({ name: 'Shop', type: 'DNS', class: 'HOST', host });
    }
    const { status, body } = await scene.imports.send(JSON.stringify(nameless()), query('Shop'));
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['query', 'asset'] }] }]);
    expect(JSON.stringify(body)).toContain('asset://host/a.example, asset://host/b.example');
    expect((await scene.imports.send(JSON.stringify(nameless()), query('asset://host/b.example'))).status).toBe(201);
  });

  it("finds only assets of the caller's organization", async () => {
    const other = await insertOrganization(scene.app);
    await new Imports(scene.app.api, other.member.token).import(nameless(), query('checkout'));
    expect(await scene.imports.import(nameless(), query('checkout'))).toMatchObject({ created: 1 });
    expect((await assets()).length).toBe(1);
  });

  it.each([
    '',
    ' ',
    'x'.repeat(501),
    'asset://',
    'asset://schema/x',
    'asset://nothing/x',
    'asset://host/a b',
    'a\u0000b',
  ])('responds with 422 for %j, and writes nothing', async (asset) => {
    const before = await rowCounts(scene.app);
    const { status, body } = await scene.imports.send(JSON.stringify(nameless()), query(asset));
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['query', 'asset'] }] }]);
    expect(await rowCounts(scene.app)).toEqual(before);
  });

  it('is created once by many concurrent imports', async () => {
    const reports = Array.from({ length: 6 }, (_, at) => nameless([sarifResult(`R${at}`)]));
    const results = await Promise.all(reports.map((report) => scene.imports.import(report, query('checkout'))));
    expect(results.map(({ created }) => created)).toEqual([1, 1, 1, 1, 1, 1]);
    expect((await assets()).length).toBe(1);
  });
});

describe('POST /api/v1/scans/import?repository=', () => {
  const repository = '?repository=https%3A%2F%2Fcode.example%2Facme%2Fshop.git';

  it('is the asset of findings that name none', async () => {
    await scene.imports.import(nameless(), repository);
    await scene.imports.import(nameless(), repository);
    expect((await assets()).map(({ name }) => name)).toEqual(['https://code.example/acme/shop']);
  });

  it("gives way to the report's own asset, and makes none", async () => {
    const page = sarifResult('R1', 'https://shop.example/cart');
    await scene.imports.import(nameless([page]), repository);
    await scene.imports.import(sarifLog([sarifResult('R2')]), '?repository=elsewhere');
    expect((await assets()).map(({ name }) => name)).toEqual([
      'https://code.example/acme/shop',
      'https://shop.example',
    ]);
  });

  it('finds a repository by its address', async () => {
    await scene.imports.import(nameless(), '?asset=https://code.example/acme/shop');
    await scene.imports.import(nameless([]), repository);
    expect((await assets()).length).toBe(1);
  });
});
