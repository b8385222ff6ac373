// Packs the client alone, as what `npm install` takes, into the present folder: `npm run pack:client`. It holds the
// packages that it needs, so that a pipeline installs it without a registry.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const held = ['commander', 'yaml'];
const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

async function bundle(folder) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: held },
    build: {
      ssr: 'src/client/main.ts',
      outDir: folder,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'store.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
}

function describe(folder) {
  const description = 'The command-line client of Store Service.';
  const bin = { store: 'store.mjs' };
  const manifest = { name: '@store-service/client', version, description, license, type: 'module', engines, bin };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  cpSync(join(root, 'docs', 'cli.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const name of held) cpSync(join(root, 'node_modules', name, 'LICENSE'), join(folder, `LICENSE-${name}`));
}

const folder = mkdtempSync(join(tmpdir(), 'store-client-'));
try {
  await bundle(folder);
  describe(folder);
  const { status } = spawnSync('npm', ['pack', folder], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
