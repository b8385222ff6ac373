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

const service = {
  name: 'the service',
  stamp: join(root, 'dist', '.built'),
  inputs: [
    'src',
    'ormconfig.ts',
    'tsconfig.json',
    'package.json',
    'scripts/bundle-client.mjs',
    'scripts/bundle-service.mjs',
    'scripts/compile-service.mjs',
    'scripts/swc-options.mjs',
  ],
  commands: () => [
    [join(root, 'scripts', 'compile-service.mjs')],
    [join(root, 'scripts', 'bundle-service.mjs')],
    [join(root, 'scripts', 'bundle-client.mjs')],
  ],
};
const pages = {
  name: 'the console',
  stamp: join(root, 'dist', '.built-console'),
  inputs: ['console', 'sdk/src', 'scripts/build-console.mjs', 'package.json'],
  commands: () => [[join(root, 'scripts', 'build-console.mjs')]],
};

function newestChange(path) {
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  const entries = readdirSync(path).map((entry) => newestChange(join(path, entry)));
  return Math.max(info.mtimeMs, ...entries);
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
    for (const tool of ['@swc/core', 'rolldown', 'vite']) resolve(tool);
  } catch {
    console.error(
      '\nThe service is not built here, or its sources are newer, and what builds it is not installed (as after ' +
        '"npm ci --omit=dev"): run "npm ci && npm run build" first, and omit it after that\n',
    );
    process.exit(1);
  }
}

function build({ name, stamp, commands }) {
  console.error(`Building ${name} ...`);
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  const run = (command) => spawnSync(process.execPath, [...withThis, ...command], options).status === 0;
  if (!commands().every(run)) return false;
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

/** Builds the service into dist/ unless that is as new as the sources. Ends the process on failure. */
export const buildIfStale = () => buildUnless(isFresh, [service]);

/** The same for the console, into dist/console/. */
export const buildConsoleIfStale = () => buildUnless(isFresh, [pages]);

/** Builds both, stale or not. */
export const buildAll = () => buildUnless(() => false, [service, pages]);
