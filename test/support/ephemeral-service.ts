import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from './project-copy.js';
import './built-service.js';

/** What the ready file of an ephemeral service says. */
export interface Ready {
  url: string;
  adminPassword: string;
  apiKey: string;
  pid: number;
}

export interface EphemeralService extends Ready {
  child: ChildProcess;
  readyFile: string;
  /** The folder of its data. */
  folder: string;
  output(): string;
  /** Ends it with a signal, and resolves when its process is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Runs `npm start -- --ephemeral` to its end or until it is ready. */
function launch(env: Record<string, string>, args: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['scripts/start.mjs', '--ephemeral', ...args], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATABASE_PATIENCE_SECONDS: '20', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

/** What an ephemeral start prints that is refused. */
export async function refusedEphemeral(env: Record<string, string>, args: string[] = []): Promise<string> {
  const { child, output } = launch(env, args);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 1) throw new Error(`The start ended with ${code}:\n${output()}`);
  return output();
}

/** Starts an ephemeral service, and resolves when its ready file says that it is ready. */
export async function startEphemeralService(env: Record<string, string> = {}): Promise<EphemeralService> {
  const own = await mkdtemp(join(tmpdir(), 'ephemeral-test-'));
  const readyFile = join(own, 'ready.json');
  const { child, output } = launch(env, ['--ready-file', readyFile]);
  const exited = once(child, 'exit');
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${output()}`);
    await sleep(100);
  }
  const ready = JSON.parse(await readFile(readyFile, 'utf8')) as Ready;
  const folder = async (): Promise<string> => {
    for (;;) {
      const found = /Data +(?:\S+ and )?(\S+) \(gone/.exec(output())?.[1];
      if (found !== undefined) return found;
      await sleep(50);
    }
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    await rm(own, { recursive: true, force: true });
  };
  return { ...ready, child, readyFile, folder: await folder(), output, stop };
}

export interface Answered<Body> {
  status: number;
  body: Body;
}

/** Sends a request to a service. */
export async function ask<Body = unknown>(
  { url }: Pick<Ready, 'url'>,
  [method, path]: [method: string, path: string],
  { body, token, key }: { body?: unknown; token?: string | undefined; key?: string } = {},
): Promise<Answered<Body>> {
  const headers = {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(key === undefined ? {} : { 'X-API-Key': key }),
  };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Signs somebody in. */
export async function signIn(service: Pick<Ready, 'url'>, username: string, password: string): Promise<Tokens> {
  const { status, body } = await ask<Tokens>(service, ['POST', '/api/v1/auth/login'], { body: { username, password } });
  if (status !== 200) throw new Error(`The login ended with ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Sends a request of test mode, which succeeds. */
export async function testMode<Body = unknown>(
  service: Pick<Ready, 'url'>,
  [method, path]: [method: string, path: string],
  body?: unknown,
): Promise<Body> {
  const answer = await ask<Body>(service, [method, `/test${path}`], body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${path} ended with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
