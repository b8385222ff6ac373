import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const code = "const { buildIfStale } = await import('./scripts/build-if-stale.mjs'); buildIfStale();";

/**
 * Importing this waits until the service and its console are built, before any hook of the test file begins: within a
 * hook, a build from scratch on a busy machine can outlast the hook's timeout. Each worker asks once.
 */
const worker = globalThis as { serviceIsBuilt?: Promise<unknown> };
worker.serviceIsBuilt ??= promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
});
await worker.serviceIsBuilt;
