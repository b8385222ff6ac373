import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyProject } from '../support/project-copy.js';
import { startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'uncaught-error-'))]);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Throws where nobody catches it, as a defect in a package would, once it gets a signal. */
const defect = `process.on('SIGUSR2', () => { const longLine = '${'x'.repeat(500)}'; throw new Error('unforeseen'); })`;

describe('A service with an error that nobody catches', () => {
  it('ends with 1 and prints the error with its stack, without the code where it happened', async () => {
    const env = { ...database.env, DATA_DIR: folder, DEMO_DATA: 'false', CONSOLE: 'false' };
    const options = ['--import', `data:text/javascript,${encodeURIComponent(defect)}`];
    const service = await startServiceProcess(env, { options });
    service.child.kill('SIGUSR2');
    const [code] = (await once(service.child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(service.output()).toMatch(/Error: unforeseen\n {4}at /);
    expect(service.output()).not.toContain('longLine =');
  });

  it('ends with 1 and says why, too, where what finds places in the sources is gone', async () => {
    const copy = await copyProject('package.json', join('dist', 'service'));
    const parts = join(copy.folder, 'dist', 'service', 'parts');
    const gone = (await readdir(parts)).filter((name) => name.startsWith('mapped-stack-') && name.endsWith('.js'));
    for (const name of gone) await rm(join(parts, name));
    const main = join(copy.folder, 'dist', 'service', 'main.js');
    const { status, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', timeout: 20_000 });
    expect(gone).not.toEqual([]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/Cannot find module '.*mapped-stack-/);
    await copy.clear();
  });
});
