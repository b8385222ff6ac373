import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the service says when it is ready. */
export interface Ready {
  url: string;
  /** Of the account `admin`. */
  adminPassword: string;
  /** Of the demo's organization. */
  apiKey: string;
  pid: number;
}

export interface StartOptions {
  /** The folder of the service, built or installed; by default the package `store-service` of the current folder. */
  service?: string;
  /** Settings of the service, as environment variables. */
  env?: Record<string, string>;
  /** How long a start may take; 60 by default. */
  readySeconds?: number;
  /** How long `mails` and `settle` wait for jobs; 30 by default. */
  settleSeconds?: number;
}

const lookMs = 25;

function programOf(service: string | undefined): string {
  if (service !== undefined) return resolve(service, 'dist/src/main.js');
  try {
    const manifest = createRequire(join(process.cwd(), 'package.json')).resolve('store-service/package.json');
    return join(dirname(manifest), 'dist/src/main.js');
  } catch {
    throw new Error('The package store-service is not installed here: install it, or name its folder by `service`');
  }
}

/** A test runner's own settings are not the service's. */
function environmentOf(env: Record<string, string>): NodeJS.ProcessEnv {
  const { NODE_ENV: _, NODE_OPTIONS: __, DATABASE_URL: ___, PORT: ____, ...rest } = process.env;
  return { ...rest, ...env };
}

async function readyIn(file: string, child: ChildProcess, seconds: number): Promise<Ready> {
  const end = performance.now() + seconds * 1_000;
  while (child.exitCode === null && child.signalCode === null && performance.now() < end) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as Ready;
    await sleep(lookMs);
  }
  throw new Error(child.exitCode === null ? `It was not ready within ${seconds} s` : `It ended with ${child.exitCode}`);
}

/** Starts the service as a process, which ends with this one. */
export async function startProcess({ service, env = {}, readySeconds = 60 }: StartOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'store-testing-'));
  const file = join(folder, 'ready.json');
  const args = ['--max-old-space-size=512', programOf(service), '--ephemeral', '--ready-file', file];
  // By the channel the service learns that this process is gone, however that came about.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: environmentOf(env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-10_000)));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ready: await readyIn(file, child, readySeconds), stop };
  } catch (error) {
    await stop();
    throw new Error(`The service did not start. ${(error as Error).message}\n${said}`, { cause: error });
  }
}
