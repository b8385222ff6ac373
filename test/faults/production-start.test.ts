import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNodeProcess, startServiceProcess } from '../support/service-process.js';
import { startTestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let env: Record<string, string>;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.rows(`INSERT INTO service_state (key, value) VALUES ('demo_data', 'true')`);
  env = {
    NODE_ENV: 'production',
    ACCESS_POLICY: 'hardened',
    JWT_SECRET: 'j'.repeat(32),
    ENCRYPTION_KEY: 'ab'.repeat(32),
    DATABASE_URL: database.url,
    DATA_DIR: await mkdtemp(join(tmpdir(), 'production-start-')),
  };
});
afterEach(async () => {
  await database.drop();
  await rm(env['DATA_DIR'] ?? '', { recursive: true, force: true });
});

describe('A start in production on a database that holds the demo', () => {
  it('is refused, since the logins of the demo are public', async () => {
    await expect(startServiceProcess(env)).rejects.toThrow(
      /holds the demo data, whose logins are public.*DEMO_DATA=true/,
    );
  });

  it('succeeds with DEMO_DATA=true', async () => {
    const service = await startServiceProcess({ ...env, DEMO_DATA: 'true' });
    expect(await service.stop()).toBe(0);
  });
});

describe('The built service', () => {
  it('describes itself as the sources do, with the names of their classes', async () => {
    const sources = await startTestApp();
    const built = await startNodeProcess(sources, env['DATA_DIR'] ?? '');
    const descriptionOf = async ({ baseUrl }: { baseUrl: string }) => (await fetch(`${baseUrl}/openapi.json`)).json();
    expect(await descriptionOf(built)).toEqual(await descriptionOf(sources));
    await built.stop();
    await sources.close();
  });

  it('prints an unexpected error with its place in the sources', async () => {
    await database.rows('DROP TABLE service_state');
    await expect(startServiceProcess(env, { options: ['--enable-source-maps'] })).rejects.toThrow(
      /at async (?:\w+\.)?startService \(.*src\/cli\/service\.ts:\d+:/,
    );
  });
});
