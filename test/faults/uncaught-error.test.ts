import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
const defect = `process.on('SIGUSR2', () => { throw new Error('unforeseen'); })`;

describe('A service with an error that nobody catches', () => {
  it('ends with 1 and prints the error with its stack', async () => {
    const env = { ...database.env, DATA_DIR: folder, DEMO_DATA: 'false', CONSOLE: 'false', STOREFRONT: 'false' };
    const options = ['--import', `data:text/javascript,${encodeURIComponent(defect)}`];
    const service = await startServiceProcess(env, { options });
    service.child.kill('SIGUSR2');
    const [code] = (await once(service.child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(service.output()).toMatch(/Error: unforeseen\n {4}at /);
  });
});
