import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../support/accounts.js';
import { type ClientScene, startClientScene } from '../support/client-scene.js';
import { insertProduct } from '../support/goods.js';

let scene: ClientScene;
let key: string;
let reader: string;
let file: string;
beforeAll(async () => {
  scene = await startClientScene();
  const { token } = await insertAdmin(scene.app);
  const make = async (scopes: string[]) => {
    const json = { name: 'CSV', scopes };
    return (await scene.app.api.post<{ key: string }>('/api/v1/admin/keys', { token, json })).body.key;
  };
  [key, reader] = [await make(['catalog:read', 'catalog:write']), await make(['catalog:read'])];
  file = join(await scene.file({}), '..', 'products.csv');
});
afterAll(() => scene.close());

const products = (args: string[], more: { stdin?: string } = {}, shopKey = key) =>
  scene.run(['shop', 'products', ...args], { env: { STORE_SHOP_KEY: shopKey }, ...more });

describe('store shop products', () => {
  it('exports the catalog as it is, and imports it unchanged', async () => {
    await insertProduct(scene.app, { price: 12.5, stock: 7 });
    const { code, stdout } = await products(['export']);
    expect([code, stdout.slice(0, 4)]).toEqual([0, '\uFEFFid,']);
    expect((await products(['export', file])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(stdout);
    const again = await products(['import', file]);
    expect([again.code, again.stdout]).toEqual([0, 'CREATED    0\nUPDATED    0\nUNCHANGED  1\n']);
  });

  it('adds what a file has, unless it is a dry run', async () => {
    await writeFile(file, 'name,price,stock\nVase,12.5,3\n');
    const dry = await products(['import', file, '--dry-run']);
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/CREATED +1\n[^]*dry run/)]);
    const { code, stdout } = await products(['import', '-', '-o', 'json'], { stdin: await readFile(file, 'utf8') });
    expect([code, (JSON.parse(stdout) as { created: number }).created]).toEqual([0, 1]);
  });

  it('names the faults of a file by their lines, and imports nothing of it', async () => {
    await writeFile(file, 'name,price,stock\nVase,12.5,3\nJug,-1,3\n');
    for (const args of [[], ['--dry-run']]) {
      const { code, stderr } = await products(['import', file, ...args]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/3.*price/)]);
    }
  });

  it('says which scope a key lacks, and that a file is not there', async () => {
    await writeFile(file, 'name,price,stock\nVase,12.5,3\n');
    const lacking = await products(['import', file], {}, reader);
    expect([lacking.code, lacking.stderr]).toEqual([3, expect.stringContaining('catalog:write')]);
    const missing = await products(['import', `${file}.gone`]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Cannot read')]);
    const unwritable = await products(['export', join(file, 'within')]);
    expect([unwritable.code, unwritable.stderr]).toEqual([2, expect.stringContaining('Cannot write')]);
  });
});
