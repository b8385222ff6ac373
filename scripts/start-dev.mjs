// The service, started anew each time that its sources change: compiled alone, neither put into few files nor with its types
// checked, so that it runs three seconds after the change. SIGINT and SIGTERM end both.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

function start() {
  isMakingWay = false;
  const compiler = join(root, 'scripts', 'compile-service.mjs');
  const { status } = spawnSync(process.execPath, [compiler], { cwd: root, stdio: 'inherit' });
  if (status !== 0) return console.error('\nThe sources do not compile: the service starts once they do.\n');
  const options = [...process.execArgv, '--enable-source-maps', join('dist', 'src', 'main.js')];
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
  if (isMakingWay || isEnding) return;
  console.error('\nThe sources changed: starting anew ...\n');
  if (!service) return start();
  isMakingWay = true;
  service.kill('SIGTERM');
}

function end(signal) {
  isEnding = true;
  if (!service) process.exit(0);
  service.kill(signal);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);

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
start();
