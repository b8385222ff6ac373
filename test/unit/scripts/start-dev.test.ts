import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyProject, type ProjectCopy } from '../../support/project-copy.js';
import { until } from '../../support/receiver.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let copy: ProjectCopy;
let npm: ChildProcess;
let output = '';

/** Where the service listens that was started last. */
function baseUrl(): string | undefined {
  return [...output.matchAll(/API +(http:\S+)\/api\/v1/g)].at(-1)?.[1];
}

async function statusIs(status: string): Promise<boolean> {
  const response = await fetch(`${baseUrl() ?? ''}/health`).catch(() => null);
  return response !== null && ((await response.json()) as { status: string }).status === status;
}

beforeAll(async () => {
  database = await createTestDatabase();
  copy = await copyProject(
    'src',
    'ormconfig.ts',
    'package.json',
    'nest-cli.json',
    'tsconfig.json',
    'tsconfig.build.json',
  );
  // The types are checked elsewhere, and take most of the compiler's time.
  const file = join(copy.folder, 'tsconfig.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"compilerOptions": {', '$& "noCheck": true,'));
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const settings = { ...database.env, PORT: '0', DEMO_DATA: 'false', DATA_DIR: join(copy.folder, 'data') };
  const env = { ...inherited, ...settings };
  npm = spawn('npm', ['run', 'start:dev'], {
    cwd: copy.folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
});
afterAll(async () => {
  const ended = once(npm, 'close');
  process.kill(-(npm.pid ?? NaN), 'SIGKILL'); // its group: npm, nest, and the service
  await ended;
  await copy.clear();
  await database.drop();
});

const pauseMs = 200;

describe('npm run start:dev', () => {
  it('builds and starts the service', async () => {
    await until(() => statusIs('ok'), 'the service', pauseMs);
  });

  it('does so again when a file changes', async () => {
    await until(() => statusIs('ok'), 'the service', pauseMs);
    const first = baseUrl();
    const file = join(copy.folder, 'src/store/health/health.service.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll("'ok'", "'changed'"));
    await until(() => statusIs('changed'), 'the changed service', pauseMs);
    await expect(fetch(`${first}/health`)).rejects.toThrow();
  });
});
