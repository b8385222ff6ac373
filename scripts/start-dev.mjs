// The service, started anew each time that its sources change: compiled alone, neither put into few files nor with its types
// checked, so that it runs three seconds after the change. Signals end both.
import './node-version.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (process.env.npm_lifecycle_event !== undefined) await import('./end-with-parent.mjs');

const root = fileURLToPath(new URL('..', import.meta.url));
/** An editor that saves several files, or one in several steps, is given the time to. */
const quietMs = 100;

const sources = join(root, 'src');
let watchers = [];

let service;
/** Whether the service that runs is to end: for good, or for the one with the changes. */
let isEnding = false;
let isMakingWay = false;
let quiet;

function compiles() {
  const compiler = join(root, 'scripts', 'compile-service.mjs');
  if (spawnSync(process.execPath, [compiler], { cwd: root, stdio: 'inherit' }).status === 0) return true;
  const meanwhile = service ? 'until they do, the service runs as it was' : 'the service starts once they do';
  console.error(`\nThe sources do not compile: ${meanwhile}.\n`);
  return false;
}

function start() {
  isMakingWay = false;
  const withThis = ['--import', new URL('end-with-parent.mjs', import.meta.url).href];
  const options = [...process.execArgv, ...withThis, '--enable-source-maps', join('dist', 'src', 'main.js')];
  service = spawn(process.execPath, options, { cwd: root, stdio: 'inherit' });
  service.once('exit', (code) => {
    service = undefined;
    if (isEnding) process.exit(code ?? 1);
    if (isMakingWay) return start();
    console.error('\nThe service has ended: it starts anew once its sources change.\n');
  });
}

/** The next one starts when the one before has ended: both want the same port, and the same data. */
function startAnew() {
  if (isEnding || !compiles()) return;
  if (!service) return start();
  console.error('\nThe sources changed: starting anew ...\n');
  isMakingWay = true;
  service.kill('SIGTERM');
}

function end(signal) {
  isEnding = true;
  if (!service) process.exit(0);
  service.kill(signal);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);

/** Watches every folder anew: a recursive watch of Node 20 loses sight of files that are replaced, as git and editors do. */
function watchSources() {
  for (const watcher of watchers) watcher.close();
  const entries = readdirSync(sources, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  watchers = [sources, ...folders].map((folder) => watch(folder, onChange));
}

function onChange() {
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    watchSources();
    startAnew();
  }, quietMs);
}

watchSources();
if (compiles()) start();
