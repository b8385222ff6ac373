import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '../../support/built-service.js';
import { builtFrom, copyProject, type ProjectCopy, projectRoot } from '../../support/project-copy.js';
import { until } from '../../support/receiver.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const nest = join(projectRoot, 'node_modules/@nestjs/cli/bin/nest.js');

let copy: ProjectCopy;
let database: TestDatabase;
beforeAll(async () => {
  [copy, database] = await Promise.all([copyProject(...builtFrom), createTestDatabase()]);
});
afterAll(async () => {
  await database.drop();
  await copy.clear();
});

/** The files below `dist`, without the mark of `npm run build`. */
async function filesOf(project: string): Promise<string[]> {
  const entries = await readdir(join(project, 'dist'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files
    .map((file) => file.slice(join(project, 'dist').length + 1))
    .filter((file) => file !== '.built')
    .sort();
}

describe('nest build', () => {
  it('gives what npm run build gives: service, console, shop front and demo, without tests', async () => {
    await promisify(execFile)(process.execPath, [nest, 'build'], { cwd: copy.folder });
    const files = await filesOf(copy.folder);
    expect(files).toEqual(await filesOf(projectRoot));
    expect(files).toEqual(
      expect.arrayContaining([
        'src/main.js',
        'ormconfig.js',
        'packages/console/dist/index.html',
        'packages/storefront/build/handler.js',
        'packages/storefront/build/client/icons/icon.svg',
        'packages/demo/src/index.js',
      ]),
    );
    expect(files.filter((file) => /\.test\.|(^|\/)test\//.test(file))).toEqual([]);
  });
});

describe('nest start', () => {
  it('builds the service and runs it until Ctrl-C', async () => {
    await rm(join(copy.folder, 'dist'), { recursive: true });
    const settings = { PORT: '0', DEMO_DATA: 'false', DATA_DIR: join(copy.folder, 'data') };
    const env = { PATH: process.env['PATH'] ?? '', ...database.env, ...settings };
    const started = spawn(process.execPath, [nest, 'start'], { cwd: copy.folder, env, detached: true });
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(started, 'close');
    await until(() => /API +http:/.test(output), 'the service', 200);
    const console = /Console +(http:\S+)/.exec(output)?.[1] ?? '';
    expect((await fetch(console)).status).toBe(200);
    process.kill(-(started.pid ?? NaN), 'SIGINT'); // as Ctrl-C sends it
    await ended;
    expect(output).toContain('"msg":"stopped"');
  });
});
