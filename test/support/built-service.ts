import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Whoever imports this waits until the service and its console are built, before any of its hooks begins: in a hook, a
 * build from nothing beside other work may take longer than a hook may.
 */
const code =
  "const { buildIfStale, buildConsoleIfStale } = await import('./scripts/build-if-stale.mjs'); buildIfStale(); buildConsoleIfStale();";
await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
});
