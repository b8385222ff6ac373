// Copies the shop front into a folder of its own: `node packages/storefront/copy.mjs ../my-shop`. What comes out needs nothing
// of this repository: the SDK goes along as a packed file.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const copied = ['src', 'static', 'build.mjs', 'svelte.config.js', 'vite.config.ts', 'tsconfig.json', 'README.md'];
/** What the repository has for all its packages. */
const shared = ['typescript', '@types/node'];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

const [given] = process.argv.slice(2);
if (given === undefined) fail('Say where the shop goes: node packages/storefront/copy.mjs ../my-shop');
const folder = resolve(given);
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty: name a new folder`);

mkdirSync(folder, { recursive: true });
for (const name of copied) {
  if (existsSync(join(here, name))) cpSync(join(here, name), join(folder, name), { recursive: true });
}
const pack = ['pack', '--workspace', 'packages/sdk', '--pack-destination', folder, '--json'];
const packed = spawnSync('npm', pack, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
if (packed.status !== 0 || file === undefined) fail(`The SDK was not packed:\n${packed.stderr}`);

const { version, license, type, engines, scripts, dependencies, devDependencies } = readJson(
  join(here, 'package.json'),
);
const ofRoot = readJson(join(root, 'package.json')).devDependencies;
const manifest = {
  name:
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-') || 'shop',
  version,
  private: true,
  license,
  type,
  engines,
  scripts,
  dependencies,
  devDependencies: {
    ...devDependencies,
    ...Object.fromEntries(shared.map((name) => [name, ofRoot[name]])),
    '@store-service/sdk': `file:${file}`,
  },
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(folder, '.gitignore'), 'node_modules/\nbuild/\n.svelte-kit/\n');
console.log(`Your shop is in ${folder}. Go on there:

  npm install
  npm run build
  STORE_API_URL=http://127.0.0.1:3000 ORIGIN=http://127.0.0.1:4000 PORT=4000 npm start
`);
