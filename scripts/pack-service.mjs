// Packs the built service into the current folder: `npm run pack:service`. The package starts with `npx store-service`, holds
// the client as `store`, and needs no tool that builds.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleClient } from '../packages/client/build.mjs';
import { buildIfStale } from './build-if-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** The packages of this repository that the service is built from: what they need, the service needs. */
const builtIn = ['packages/demo', 'packages/embedded-postgres'];

const carried = ['LICENSE', 'README.md', 'CHANGELOG.md', '.env.example', 'docs', 'deploy'];

/** The versions that were tested: those of package-lock.json, without what only development needs. */
function locked(manifest) {
  const { lockfileVersion, requires, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isNeeded = ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link;
  const kept = Object.fromEntries(Object.entries(packages).filter(isNeeded));
  return {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion,
    requires,
    packages: { '': manifest, ...kept },
  };
}

/** The bounds on memory are options of Node.js, which a shell passes on and a program cannot set for itself. */
const start = `#!/usr/bin/env -S node --max-old-space-size=512 --min-semi-space-size=8 --max-semi-space-size=8 --enable-source-maps
import '../dist/src/main.js';
`;

function describe(folder) {
  const { name, version, description, license, type, engines, dependencies, overrides } = manifestOf('.');
  const needed = Object.assign({}, dependencies, ...builtIn.map((one) => manifestOf(one).dependencies));
  const bin = { [name]: `bin/${name}.js`, store: 'client/store.cjs' };
  const manifest = { name, version, description, license, type, engines, bin, dependencies: needed, overrides };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), `${JSON.stringify(locked(manifest), null, 2)}\n`);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, bin[name]), start, { mode: 0o755 });
}

const folder = mkdtempSync(join(tmpdir(), 'store-service-'));
try {
  buildIfStale();
  await bundleClient(join(folder, 'client'));
  chmodSync(join(folder, 'client/store.cjs'), 0o755);
  describe(folder);
  const isStamp = (path) => path.endsWith('.built');
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: (path) => !isStamp(path) });
  for (const path of carried) cpSync(join(root, path), join(folder, path), { recursive: true });
  const { status } = spawnSync('npm', ['pack', folder], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
