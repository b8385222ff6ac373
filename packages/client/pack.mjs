// Packs the client alone into the current folder, for `npm install`: `npm run pack:client`. The package contains the
// packages that it needs, so that a pipeline installs it without a registry.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleClient } from './build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function describe(folder, held) {
  const description = 'The command-line client of Store Service.';
  const bin = { store: 'store.cjs' };
  const manifest = { name: '@store-service/client', version, description, license, engines, bin };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  cpSync(join(root, 'docs', 'cli.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const name of held) {
    const own = join(root, 'node_modules', name);
    const file = readdirSync(own).find((one) => /^licen[cs]e/i.test(one));
    if (file) cpSync(join(own, file), join(folder, `LICENSE-${name.replace('/', '-')}`));
  }
}

const folder = mkdtempSync(join(tmpdir(), 'store-client-'));
try {
  describe(folder, await bundleClient(folder));
  const { status } = spawnSync('npm', ['pack', folder], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
