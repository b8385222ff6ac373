import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A build ends with the process that wants it. */
const withThis = ['--import', new URL('end-with-parent.mjs', import.meta.url).href];
const options = { cwd: root, stdio: ['ignore', 2, 2] };
const lock = join(root, '.build-lock');
const draft = join(root, `.build-lock.${process.pid}`);

const node = (script) => [join(root, script)];
const pages = {
  name: 'the console',
  stamp: join(root, 'packages/console/dist/.built'),
  inputs: ['src', 'index.html', 'vite.config.ts', 'build.mjs']
    .map((name) => `packages/console/${name}`)
    .concat('packages/sdk/src'),
  command: node('packages/console/build.mjs'),
};
const storefront = {
  name: 'the shop front',
  stamp: join(root, 'packages/storefront/build/.built'),
  inputs: ['src', 'static', 'svelte.config.js', 'vite.config.ts', 'build.mjs', 'package.json']
    .map((name) => `packages/storefront/${name}`)
    .concat('packages/sdk/src'),
  command: node('packages/storefront/build.mjs'),
};
/** Takes the built console and shop front along. */
const service = {
  name: 'the service',
  stamp: join(root, 'dist/.built'),
  inputs: [
    'src',
    'packages/demo/src',
    'packages/demo/pictures',
    'packages/embedded-postgres/src',
    'packages/console/dist',
    'packages/storefront/build',
    'ormconfig.ts',
    'tsconfig.json',
    'nest-cli.json',
    '.swcrc',
    'package.json',
  ],
  command: [...node('node_modules/@nestjs/cli/bin/nest.js'), 'build'],
};
const client = {
  name: 'the client',
  stamp: join(root, 'packages/client/dist/.built'),
  inputs: ['packages/client/src', 'packages/client/build.mjs', 'packages/sdk/src'],
  command: node('packages/client/build.mjs'),
};

function newestChange(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(info.mtimeMs, ...readdirSync(path).map((entry) => newestChange(join(path, entry))));
}

function isFresh({ stamp, inputs }) {
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  return inputs.every((input) => newestChange(join(root, input)) <= builtAt);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** One build at a time; the lock of a killed process does not count. */
function takeLock() {
  for (;;) {
    try {
      // Written aside and linked, so that a lock always says whose it is.
      writeFileSync(draft, String(process.pid));
      linkSync(draft, lock);
      return;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS') {
        console.error(
          `\nThe build in ${root}dist is older than its sources: have its owner run "npm run build" there\n`,
        );
        process.exit(1);
      }
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

/** What builds is a development dependency. */
function refuseWithoutTools() {
  const { resolve } = createRequire(import.meta.url);
  try {
    for (const tool of ['@nestjs/cli/package.json', '@swc/core', '@sveltejs/kit/package.json', 'vite']) resolve(tool);
  } catch {
    console.error(
      '\nThe service is not built here, or its sources are newer, and what builds it is not installed (as after ' +
        '"npm ci --omit=dev"): run "npm ci && npm run build" first, and omit it after that\n',
    );
    process.exit(1);
  }
}

function build({ name, stamp, command }) {
  console.error(`Building ${name} ...`);
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  if (spawnSync(process.execPath, [...withThis, ...command], options).status !== 0) return false;
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt); // changes made during the build are not in it
  return true;
}

function buildUnless(isDone, parts) {
  if (parts.every(isDone)) return;
  refuseWithoutTools();
  takeLock();
  let built = false;
  try {
    built = parts.every((part) => isDone(part) || build(part));
  } finally {
    rmSync(lock, { force: true });
  }
  if (!built) process.exit(1);
}

/** Builds what is older than its sources: the console, the shop front, the service and the client. Ends the process on failure. */
export const buildIfStale = () => buildUnless(isFresh, [pages, storefront, service, client]);

/** The same for the console alone. */
export const buildConsoleIfStale = () => buildUnless(isFresh, [pages]);

/** The same for the shop front alone. */
export const buildStorefrontIfStale = () => buildUnless(isFresh, [storefront]);

/** The same for the client alone. */
export const buildClientIfStale = () => buildUnless(isFresh, [client]);

/** Builds all, stale or not. */
export const buildAll = () => buildUnless(() => false, [pages, storefront, service, client]);
