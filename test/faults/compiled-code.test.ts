import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyProject, type ProjectCopy } from '../support/project-copy.js';
import { eventually } from '../support/service-copies.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let copy: ProjectCopy;
let database: TestDatabase;
beforeAll(async () => {
  [copy, database] = await Promise.all([copyProject('package.json', join('dist', 'service')), createTestDatabase()]);
  await rm(compiled(), { recursive: true, force: true });
});
afterAll(async () => {
  await database.drop();
  await copy.clear();
});

const built = (): string => join(copy.folder, 'dist', 'service');
const compiled = (): string => join(built(), 'compiled');

function start(): Promise<ServiceProcess> {
  const hook = ['--require', './test/support/print-loaded-files.cjs'];
  const env = { ...database.env, DATA_DIR: join(copy.folder, 'data'), DEMO_DATA: 'false', CONSOLE: 'false' };
  return startServiceProcess(env, { options: hook, program: join(built(), 'main.js') });
}

/** Starts it and stops it, once something holds; returns what it printed. */
async function startOnce(holds = async (): Promise<boolean> => true): Promise<string> {
  const service = await start();
  await eventually(holds);
  expect(await service.stop()).toBe(0);
  return service.output();
}

async function keptFiles(): Promise<string[]> {
  const entries = await readdir(compiled(), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !/\.\d+\.\d+$/.test(entry.name)); // not those half written
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

/** Each kept file with the time when it was written. */
async function kept(): Promise<[string, number][]> {
  const files = await keptFiles();
  return Promise.all(files.map(async (file): Promise<[string, number]> => [file, (await stat(file)).mtimeMs]));
}

describe('The compiled code of the built service', () => {
  it('is kept by the first start and taken by the second', async () => {
    await startOnce(async () => (await keptFiles()).length > 5);
    const first = await kept();
    await startOnce();
    expect(await kept()).toEqual(expect.arrayContaining(first));
  });

  it('is made anew where a file was cut off, emptied, or changed in a single bit', async () => {
    const files = await keptFiles();
    const before = await Promise.all(files.map((file) => readFile(file)));
    for (const [index, file] of files.entries()) {
      const bytes = Buffer.from(before[index] ?? []);
      if (index % 3 === 0) await truncate(file, Math.floor(bytes.length / 2));
      if (index % 3 === 1) await truncate(file, 0);
      if (index % 3 !== 2) continue;
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(file, bytes);
    }
    const spoiled = new Map(await kept());
    const output = await startOnce(async () => (await kept()).every(([file, at]) => spoiled.get(file) !== at));
    // The names of the files that it loads have the word, too.
    expect(output.replace(/^loaded .*$/m, '')).not.toMatch(/error/i);
    expect((await keptFiles()).length).toBeGreaterThanOrEqual(files.length);
  });

  it('is done without where a file cannot be read, nor written', async () => {
    for (const file of await keptFiles()) {
      await rm(file);
      await mkdir(file);
    }
    await startOnce();
    expect(await keptFiles()).toEqual([]);
  });

  it('is done without where its folder cannot be made', async () => {
    await rm(compiled(), { recursive: true });
    await writeFile(compiled(), '');
    await startOnce();
    expect((await stat(compiled())).isFile()).toBe(true);
  });
});

describe('The built service', () => {
  let files: string[];
  beforeAll(async () => {
    files = JSON.parse(/^loaded (.*)$/m.exec(await startOnce())?.[1] ?? '[]') as string[];
  });

  it('loads no package from its own files but those that need them', () => {
    const packages = files.flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    const native = /^@node-rs\/argon2-/;
    expect(new Set(packages.filter((name) => !native.test(name)))).toEqual(
      new Set(['@node-rs/argon2', 'reflect-metadata', 'swagger-ui-dist']),
    );
  });

  it('requires what it loads later: code that was kept cannot import', async () => {
    const parts = files.filter((file) => file.includes(join('service', 'parts')));
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) expect((await readFile(part, 'utf8')).match(/\bimport\(["'`].*/)).toBeNull();
  });
});
