import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import '../support/built-service.js';
import { processesOf } from '../support/processes-of.js';
import { until } from '../support/receiver.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'npm-start-'));
  await chmod(folder, 0o755); // PostgreSQL runs as a user of its own when the tests run as root
});
afterEach(async () => {
  for (const { pid } of await processesOf(folder)) process.kill(pid, 'SIGKILL');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const { PATH = '', HOME = '' } = process.env;

/** The service with its own PostgreSQL, as somebody starts it with npm; resolves once it serves. */
async function startByNpm(script: string) {
  const without = { DEMO_DATA: 'false', STOREFRONT: 'false', CONSOLE: 'false', DOCS: 'false' };
  const settings = { DATA_DIR: folder, PORT: '0', ...without };
  const npm = spawn('npm', ['run', script], { env: { PATH, HOME, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  npm.once('exit', (code) => (output += `\nnpm ended with ${code}`));
  await until(() => /API +http|npm ended/.test(output), 'the service', 100);
  expect(output).toMatch(/API +http/);
  return { npm, printed: () => output, running: () => processesOf(folder) };
}

describe('npm run', () => {
  it.each([
    ['start', 'SIGTERM'],
    ['start', 'SIGINT'],
    ['start', 'SIGHUP'],
    ['start', 'SIGKILL'],
    ['start:prod', 'SIGTERM'],
  ] as const)('%s leaves neither service nor PostgreSQL when its process alone gets %s', async (script, signal) => {
    const { npm, printed, running } = await startByNpm(script);
    const before = await running();
    expect(before.some(({ command }) => /scripts\/start\.mjs|dist\/src\/main\.js/.test(command))).toBe(true);
    expect(before.some(({ command }) => /postgres -D /.test(command))).toBe(true);
    const ended = once(npm, 'close');
    npm.kill(signal);
    await ended;
    await until(async () => (await running()).length === 0, 'the end of them all', 100);
    expect(printed()).toMatch(/"msg":"stopped"/);
  });
});
