// Lists on standard error the modules that a process loads: `node --import ./test/support/loaded-modules.mjs file.js`.
import { writeSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

export async function load(url, context, next) {
  writeSync(2, `loaded ${url}\n`);
  return next(url, context);
}

if (isMainThread) register(import.meta.url);
