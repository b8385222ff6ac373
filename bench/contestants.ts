import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { shopperId } from './fill.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const jwtSecret = 'bench-secret-bench-secret-bench-secret';
export const poolSize = 10;
/** As `npm start` runs it. */
const memoryFlags = ['--max-old-space-size=512', '--max-semi-space-size=8'];

/** A server that is measured. */
export interface Contestant {
  name: 'service' | 'baseline';
  baseUrl: string;
  /** The headers that make a request come from shopper `n`. */
  as(shopper: number): Record<string, string>;
  residentMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function tokenOf(userId: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: userId, ver: 0, iss: 'store-service', iat: now, exp: now + 36_000 };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`;
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`The process for ${url} ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer`);
}

async function start(name: Contestant['name'], args: string[], env: Record<string, string>): Promise<Contestant> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: '', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await ready(child, `${baseUrl}/api/v1/products/?limit=1`);
  const headers = new Map<number, Record<string, string>>();
  const headersOf = (shopper: number): Record<string, string> =>
    name === 'service'
      ? { authorization: `Bearer ${tokenOf(shopperId(shopper))}` }
      : { 'x-user-id': shopperId(shopper) };
  return {
    name,
    baseUrl,
    as: (shopper) => {
      const made = headers.get(shopper) ?? headersOf(shopper);
      headers.set(shopper, made);
      return made;
    },
    residentMegabytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The service as it is shipped, logging warnings alone (the baseline logs nothing). */
export function startService(databaseUrl: string, dataDir: string): Promise<Contestant> {
  return start('service', [...memoryFlags, 'dist/src/main.js'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    DATABASE_POOL_SIZE: String(poolSize),
    JWT_SECRET: jwtSecret,
    DEMO_DATA: 'false',
    ADMIN_PASSWORD: 'bench-admin-password',
    LOG_LEVEL: 'error',
  });
}

/** node:http and pg with nothing between: the same statements on the same rows, and no check of anything. */
export function startBaseline(databaseUrl: string): Promise<Contestant> {
  return start('baseline', ['--import', './test/support/ts-loader.mjs', 'bench/baseline/server.ts'], {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: String(poolSize),
  });
}
