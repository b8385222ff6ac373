// Packs the client alone into the current folder, for `npm install`: `npm run pack:client`. The package contains the
// packages that it needs, so that a pipeline installs it without a registry.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleClient, heldPackages } from './build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function describe(folder) {
  const description = 'The command-line client of Store Service.';
  const bin = { store: 'store.cjs' };
  const manifest = { name: '@store-service/client', version, description, license, engines, bin };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  cpSync(join(root, 'docs', 'cli.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const name of heldPackages) cpSync(join(root, 'node_modules', name, 'LICENSE'), join(folder, `LICENSE-${name}`));
}

const folder = mkdtempSync(join(tmpdir(), 'store-client-'));
try {
  await bundleClient(folder);
  describe(folder);
  const { status } = spawnSync('npm', ['pack', folder], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
