import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist', '.built');
const inputs = ['src', 'ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package.json'];

function newestChange(path) {
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  const entries = readdirSync(path).map((entry) => newestChange(join(path, entry)));
  return Math.max(info.mtimeMs, ...entries);
}

function isFresh() {
  if (!existsSync(join(root, 'src'))) return true; // an image that holds the built files alone
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  return inputs.every((input) => newestChange(join(root, input)) <= builtAt);
}

/** Builds the service into dist/ unless what is there is as new as the sources. Ends the process where it cannot. */
export function buildIfStale() {
  if (isFresh()) return;
  console.error('Building ...');
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
  // What changed while it was built is not in it.
  utimesSync(stamp, startedAt, startedAt);
}
