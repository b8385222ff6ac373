import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtFrom, copyProject, type ProjectCopy } from '../../support/project-copy.js';
import { processesOf } from '../../support/processes-of.js';
import { until } from '../../support/receiver.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let copy: ProjectCopy;
let npm: ChildProcess;
let output = '';

function startByNpm(): void {
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
}

/** Where the service listens that was started last. */
function baseUrl(): string | undefined {
  return [...output.matchAll(/API +(http:\S+)\/api\/v1/g)].at(-1)?.[1];
}

async function statusIs(status: string): Promise<boolean> {
  const response = await fetch(`${baseUrl() ?? ''}/health`).catch(() => null);
  return response !== null && ((await response.json()) as { status: string }).status === status;
}

async function changeHealth(old: string, changed: string): Promise<void> {
  const file = join(copy.folder, 'src/store/health/health.service.ts');
  const draft = `${file}.draft`;
  await writeFile(draft, (await readFile(file, 'utf8')).replaceAll(old, changed));
  await rename(draft, file); // as many editors save
}

beforeAll(async () => {
  database = await createTestDatabase();
  copy = await copyProject(...builtFrom);
  startByNpm();
});
afterAll(async () => {
  if (npm.exitCode === null && npm.signalCode === null) {
    const ended = once(npm, 'close');
    process.kill(-(npm.pid ?? NaN), 'SIGKILL'); // its group: npm, the script, and the service
    await ended;
  }
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
    await changeHealth("'ok'", "'changed'");
    await until(() => statusIs('changed'), 'the changed service', pauseMs);
    await expect(fetch(`${first}/health`)).rejects.toThrow();
  });

  it('runs on as it was until the sources compile', async () => {
    await changeHealth('export class', 'export export class');
    await until(() => /Expected|Syntax Error|failed/i.test(output), 'the complaint', pauseMs);
    expect(await statusIs('changed')).toBe(true);
    await changeHealth('export export class', 'export class');
    await changeHealth("'changed'", "'mended'");
    await until(() => statusIs('mended'), 'the mended service', pauseMs);
  });

  it('ends with the service', async () => {
    const ended = once(npm, 'close');
    process.kill(-(npm.pid ?? NaN), 'SIGINT'); // as Ctrl-C sends it
    await ended;
    expect(output).toMatch(/"msg":"stopped"[^\n]*\n+$/);
    await expect(fetch(`${baseUrl()}/health`)).rejects.toThrow();
  });

  it('leaves nothing behind where npm alone is killed', async () => {
    output = '';
    startByNpm();
    await until(() => baseUrl() !== undefined, 'the service', pauseMs);
    const ended = once(npm, 'close'); // once nobody holds its pipes
    npm.kill('SIGKILL');
    await ended;
    expect(await processesOf(copy.folder)).toEqual([]);
  });
});
