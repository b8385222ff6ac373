import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import '../support/built-service.js';
import { projectRoot } from '../support/project-copy.js';
import { startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'failing-starts-'));
});
afterEach(() => database.rows(`DELETE FROM migrations WHERE name = 'Later1900000000000'`));
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Start {
  env?: Record<string, string>;
  /** Where it is started. */
  cwd?: string;
  options?: string[];
  program?: string;
}

/** Starts the service as it is deployed, and returns how it ended and what it said. */
async function failedStart({ env = {}, cwd = folder, options = [], program }: Start) {
  const main = program ?? join(projectRoot, 'dist/src/main.js');
  const own = { PATH: process.env['PATH'] ?? '', PORT: '0', DEMO_DATA: 'false', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [...options, main], {
    cwd,
    env: { ...own, DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

async function folderWith(name: string, prepare: (path: string) => Promise<unknown>): Promise<string> {
  const path = await mkdtemp(join(folder, `${name}-`));
  await prepare(path);
  return path;
}

/** Node.js that takes itself for another version. */
const asNode = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
];

/** Each reason why a start fails, how it comes about, and what is said of it. */
const failures: Record<string, { start: () => Promise<Start>; says: RegExp }> = {
  'NODE_ENV in other letters': {
    start: async () => ({ env: { NODE_ENV: 'Production' } }),
    says: /NODE_ENV is "Production", and takes one of development, test, production/,
  },
  'an abbreviated NODE_ENV': {
    start: async () => ({ env: { NODE_ENV: 'prod' } }),
    says: /NODE_ENV is "prod", and takes one of development, test, production/,
  },
  'a mistyped variable': {
    start: async () => ({ env: { ACESS_POLICY: 'hardened' } }),
    says: /ACESS_POLICY is not a setting: write ACCESS_POLICY/,
  },
  'a setting that is no number': {
    start: async () => ({ env: { DATABASE_POOL_SIZE: 'many' } }),
    says: /DATABASE_POOL_SIZE is "many", and takes a whole number from 2 to 200/,
  },
  'a PUBLIC_URL with a path': {
    start: async () => ({ env: { PUBLIC_URL: 'https://shop.example/store' } }),
    says: /PUBLIC_URL is "https:\/\/shop\.example\/store", and takes an http\(s\) URL without a path/,
  },
  'an unreadable .env': {
    start: async () => ({ cwd: await folderWith('unreadable', (path) => mkdir(join(path, '.env'))) }),
    says: /The file \.env cannot be read \(EISDIR\): let this user read it, or remove it/,
  },
  'an .env in UTF-16': {
    start: async () => {
      const text = Buffer.from('\uFEFFACCESS_POLICY=hardened\r\n', 'utf16le');
      return { cwd: await folderWith('utf-16', (path) => writeFile(join(path, '.env'), text)) };
    },
    says: /The file \.env is not UTF-8: save it as UTF-8/,
  },
  'a key that does not open the data': {
    start: async () => {
      const without = { DEMO_DATA: 'false', STOREFRONT: 'false', CONSOLE: 'false', DOCS: 'false' };
      const first = { ENCRYPTION_KEY: 'ab'.repeat(32), ...without };
      const service = await startServiceProcess({ ...database.env, ...first, DATA_DIR: join(folder, 'first') });
      await service.stop();
      return { env: { ENCRYPTION_KEY: 'cd'.repeat(32) } };
    },
    says: /were sealed with another ENCRYPTION_KEY: set that one/,
  },
  'a database newer than the release': {
    start: async () => {
      await database.rows(`INSERT INTO migrations (timestamp, name) VALUES (1900000000000, 'Later1900000000000')`);
      return {};
    },
    says: /a newer release has changed it \(migration Later1900000000000\).*start that release again, or restore a backup/,
  },
  'a Node.js that is too old': {
    start: async () => ({ options: asNode('20.18.3') }),
    says: /Node\.js 20\.18\.3 is too old: install 20\.19 or newer/,
  },
  'a Node.js that is too old for the build': {
    start: async () => ({ options: asNode('18.20.8'), program: join(projectRoot, 'scripts/start.mjs') }),
    says: /Node\.js 18\.20\.8 is too old: install 20\.19 or newer/,
  },
  'no build, and nothing to build it with': {
    start: async () => {
      const names = ['src', 'scripts', 'ormconfig.ts', 'tsconfig.json', 'package.json'];
      const copy = (path: string) =>
        Promise.all(names.map((name) => cp(join(projectRoot, name), join(path, name), { recursive: true })));
      const cwd = await folderWith('unbuilt', copy);
      return { cwd, program: join(cwd, 'scripts/start.mjs') };
    },
    says: /what builds it is not installed \(as after "npm ci --omit=dev"\): run "npm ci && npm run build" first/,
  },
  'a DATA_DIR that is a file': {
    start: async () => ({ env: { DATA_DIR: join(projectRoot, 'package.json') } }),
    says: /The data folder .*package\.json cannot be used \(\w+\): set DATA_DIR to a folder that this user can write to/,
  },
  'a port that is taken': {
    start: async () => {
      await database.rows(`DELETE FROM users WHERE username = 'sealed'`);
      const other = createServer().listen(0, '127.0.0.1').unref();
      await once(other, 'listening');
      return { env: { PORT: String((other.address() as AddressInfo).port), ENCRYPTION_KEY: 'ab'.repeat(32) } };
    },
    says: /Port \d+ of 127\.0\.0\.1 is taken: set PORT to a free one/,
  },
};

describe('A start that fails', () => {
  it.each(Object.keys(failures))('for %s says why and what to do, in a sentence', async (reason) => {
    const failure = failures[reason];
    const { code, said } = await failedStart((await failure?.start()) ?? {});
    expect(said).toMatch(failure?.says ?? '');
    expect(code).toBe(1);
    const lines = said.trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(said.includes('The settings cannot be used') ? 2 : 1);
    expect(said).not.toMatch(/^\s+at |Error:|node:internal/m);
  });
});
