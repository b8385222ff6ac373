import { type ChildProcess, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tokenAudience } from '../src/platform/auth/access-tokens.js';
import { endChild, spawnChild } from './interruption.js';
import type { DatabaseName } from './databases.js';
import { shopperId } from './fill.js';
import { organizationKey } from './scanning/fill-organization.js';

export const root = fileURLToPath(new URL('..', import.meta.url));
const jwtSecret = 'bench-secret-bench-secret-bench-secret';
const poolSize = '10';
/** As `npm start` runs it. */
const memoryFlags = ['--max-old-space-size=512', '--min-semi-space-size=8', '--max-semi-space-size=8'];
/** Once this long has passed since the start, nothing of it is left to do. */
const idleMs = 3_000;
const loader = ['--import', './scripts/ts-loader.mjs'];

/**
 * `service`: as shipped, logging errors only (the others log nothing). `uncached`: the same without the response
 * cache. `lean`: node:http and pg with statements of its own. `baseline`: the same with the service's statements. `memory`: node:http
 * that sends the service's own bytes. `fastapi`: Python with FastAPI and SQLAlchemy, of Debian's packages. `plain-shop`: Express
 * with templates and pg, for the pages of the shop front.
 */
export type Kind = 'service' | 'uncached' | 'lean' | 'baseline' | 'memory' | 'fastapi' | 'plain-shop';

/** The contestant and its database. */
export interface Side {
  kind: Kind;
  database: DatabaseName;
}

/** Resident memory before some work, and its peak during it. */
export interface MemoryUse {
  idleMegabytes: number;
  mostMegabytes: number;
}

/** A server that is measured. */
export interface Contestant {
  kind: Kind;
  baseUrl: string;
  /** The headers that make a request come from shopper `n`. */
  asShopper(shopper: number): Record<string, string>;
  /** The headers that make a request come from the organization. */
  asOrganization: Record<string, string>;
  residentMegabytes(): Promise<number>;
  /** The processor time used since its start, in seconds. */
  processorSeconds(): Promise<number>;
  /** Begins to watch its memory; the function that it returns ends that. */
  watchMemory(): Promise<() => Promise<MemoryUse>>;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
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
  const claims = { sub: userId, ver: 0, iss: 'store-service', aud: tokenAudience, iat: now, exp: now + 36_000 };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`;
}

export async function ready(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`The process for ${url} ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer`);
}

/** Debian's own Python, the only one that finds Debian's packages. */
const python = '/usr/bin/python3';

/** What this machine lacks for a contestant; null if nothing. */
export function missingFor(kind: Kind): string | null {
  if (kind !== 'fastapi') return null;
  const modules = 'import fastapi, sqlalchemy, asyncpg, uvicorn, uvloop';
  if (spawnSync(python, ['-c', modules], { stdio: 'ignore' }).status === 0) return null;
  return 'it needs the Debian packages python3-fastapi, python3-sqlalchemy, python3-asyncpg, python3-uvloop and uvicorn';
}

export function programOf(kind: Kind, profileFolder: string | undefined): string[] {
  if (kind === 'baseline') return [...loader, 'bench/baseline/server.ts'];
  if (kind === 'lean') return ['bench/lean/server.mjs'];
  if (kind === 'fastapi') return ['-B', 'bench/fastapi/server.py'];
  if (kind === 'memory') return ['bench/baseline/memory.mjs'];
  if (kind === 'plain-shop') return ['bench/storefront/plain-shop.mjs'];
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  return [...memoryFlags, ...profiling, 'dist/src/main.js'];
}

interface Place {
  databaseUrl: string;
  dataDir: string;
  /** The server that `memory` fetches its responses from. */
  sourceUrl: string;
  /** Where the service writes its profile. */
  profileFolder: string | undefined;
}

export function settingsOf(kind: Kind, { databaseUrl, dataDir, sourceUrl }: Place): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: poolSize,
    DATA_DIR: dataDir,
    JWT_SECRET: jwtSecret,
    DEMO_DATA: 'false',
    ADMIN_PASSWORD: 'bench-admin-password',
    EGRESS_ALLOW: '127.0.0.1',
    IMPORT_MAX_MB: '200',
    QUOTAS: 'orders=1000000,unpaid-orders=1000000',
    LOG_LEVEL: 'error',
    // The bench in short runs beside other work: a connection may take long to come about.
    DATABASE_PATIENCE_SECONDS: '20',
    SOURCE_URL: sourceUrl,
    ...(kind === 'uncached' ? { RESPONSE_CACHE_MB: '0' } : {}),
  };
}

async function megabytes(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** Linux counts in hundredths of a second (proc_pid_stat(5): utime and stime). */
async function processorSeconds(pid: number | undefined): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function watchMemory(pid: number | undefined): Promise<() => Promise<MemoryUse>> {
  await sleep(idleMs);
  const idleMegabytes = await megabytes(pid, 'VmRSS');
  await writeFile(`/proc/${pid}/clear_refs`, '5'); // the kernel forgets the peak so far: proc_pid_clear_refs(5)
  return async () => ({ idleMegabytes, mostMegabytes: await megabytes(pid, 'VmHWM') });
}

const looksAtNoToken = new Set<Kind>(['baseline', 'lean', 'fastapi', 'plain-shop']);

export function headersOf(kind: Kind): Pick<Contestant, 'asShopper' | 'asOrganization'> {
  if (looksAtNoToken.has(kind)) {
    return { asShopper: (shopper) => ({ 'x-user-id': shopperId(shopper) }), asOrganization: {} };
  }
  return {
    asShopper: (shopper) => ({ authorization: `Bearer ${tokenOf(shopperId(shopper))}` }),
    asOrganization: { 'x-api-key': organizationKey },
  };
}

/** Starts a contestant and waits until it responds. */
export async function startContestant(kind: Kind, place: Place): Promise<Contestant> {
  const port = await freePort();
  const child = spawnChild(kind === 'fastapi' ? python : process.execPath, programOf(kind, place.profileFolder), {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...settingsOf(kind, place) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await ready(child, kind === 'plain-shop' ? `${baseUrl}/search` : `${baseUrl}/api/v1/products/?limit=1`);
  return {
    kind,
    baseUrl,
    ...headersOf(kind),
    residentMegabytes: () => megabytes(child.pid, 'VmRSS'),
    processorSeconds: () => processorSeconds(child.pid),
    watchMemory: () => watchMemory(child.pid),
    stop: () => endChild(child, 'SIGTERM'),
  };
}
