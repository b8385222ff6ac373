import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signIn } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { nodes } from '../support/nodes.js';
import { makePicture } from '../support/pictures.js';
import { startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'store-nodes-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const password = 'correct-horse-7';

describe.each(nodes)('The service on %s', (node) => {
  it('starts, serves, hashes, stores pictures, and exits with 0 on SIGTERM', async () => {
    const own = { DATA_DIR: folder, DEMO_DATA: 'false', LOG_LEVEL: 'error', ADMIN_PASSWORD: password };
    const service = await startServiceProcess({ ...database.env, ...own }, { node });
    const { baseUrl } = service;
    const api = new ApiClient(baseUrl, () => undefined);
    expect((await api.get('/health')).status).toBe(200);
    expect((await api.get('/api/v1/products/')).status).toBe(200);
    const token = await signIn({ api }, 'admin', password);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await makePicture('png'))]), 'me.png');
    const headers = { authorization: `Bearer ${token}` };
    const sent = await fetch(`${baseUrl}/api/v1/uploads/avatar`, { method: 'POST', headers, body: form });
    expect(sent.status).toBe(200);
    expect([await service.stop(), service.output().match(/"level":"(error|fatal)".*/g)]).toEqual([0, null]);
  });
});
