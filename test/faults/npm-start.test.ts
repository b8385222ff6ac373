import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '../support/built-service.js';
import { processesOf } from '../support/processes-of.js';
import { until } from '../support/receiver.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'npm-start-'));
});
afterAll(async () => {
  for (const { pid } of await processesOf(folder)) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const { PATH = '', HOME = '' } = process.env;

/** The service with its own PostgreSQL, as somebody starts it with npm; resolves once it serves. */
async function startByNpm(script: string) {
  const settings = { DATA_DIR: folder, PORT: '0', DEMO_DATA: 'false' };
  const npm = spawn('npm', ['run', script], { env: { PATH, HOME, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  npm.once('exit', (code) => (output += `\nnpm ended with ${code}`));
  await until(() => /API +http|npm ended/.test(output), 'the service', 100);
  expect(output).toMatch(/API +http/);
  // Under root, PostgreSQL's data may lie outside, where its user can reach them.
  const cluster = /its data in ([^)\n]+)\)/.exec(output)?.[1] ?? folder;
  return { npm, printed: () => output, running: () => processesOf(folder, cluster) };
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
