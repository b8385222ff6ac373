import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertProduct } from '../support/goods.js';
import { projectRoot } from '../support/project-copy.js';
import { startStorefront, type StorefrontProcess } from '../support/storefront-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const run = promisify(execFile);
const script = join(projectRoot, 'packages/storefront/copy.mjs');

interface Manifest {
  name: string;
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
}

let folder: string;
/** The copy, in a folder that was not there. */
let shop: string;
let app: TestApp;
let storefront: StorefrontProcess | undefined;

/** What `npm install` would do, without a registry: the packages that were tested, and the SDK as it was packed. */
async function install({ devDependencies }: Manifest): Promise<void> {
  for (const [name, version] of Object.entries(devDependencies)) {
    const place = join(shop, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    if (version.startsWith('file:')) {
      await mkdir(place);
      await run('tar', ['-xzf', join(shop, version.slice('file:'.length)), '-C', place, '--strip-components=1']);
    } else {
      await symlink(join(projectRoot, 'node_modules', name), place);
    }
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-shop-'));
  shop = join(folder, 'My Shop');
  app = await startTestApp();
});
afterAll(async () => {
  await storefront?.close();
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('A copy of the shop front', () => {
  it('is made in a new folder, builds with what its package.json names, and sells what the service has', async () => {
    const { stdout } = await run(process.execPath, [script, shop]);
    expect(stdout).toContain('npm install');
    const manifest = JSON.parse(await readFile(join(shop, 'package.json'), 'utf8')) as Manifest;
    expect(manifest.name).toBe('my-shop');
    await install(manifest);
    expect(manifest.scripts['build']).toBe('node build.mjs');
    await run(process.execPath, ['build.mjs'], { cwd: shop, maxBuffer: 1e8 });
    // It runs where nothing is installed, too.
    await rm(join(shop, 'node_modules'), { recursive: true });
    storefront = await startStorefront(app.baseUrl, join(shop, 'build'));
    const id = await insertProduct(app, { name: 'Own lamp', price: 12.5 });
    await app.database.rows(`UPDATE products SET slug = 'own-lamp' WHERE id = $1`, [id]);
    const answer = await fetch(`${storefront.origin}/p/own-lamp`, { headers: { 'accept-language': 'en' } });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('Own lamp');
    expect(html).toContain('$12.50');
  });

  it('is not made where something is', async () => {
    await writeFile(join(folder, 'mine.txt'), 'mine');
    const before = await readdir(folder);
    await expect(run(process.execPath, [script, folder])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not empty: name a new folder'),
    });
    expect(await readdir(folder)).toEqual(before);
    await expect(run(process.execPath, [script])).rejects.toMatchObject({ code: 1 });
  });
});
