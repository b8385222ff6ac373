import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientOperations } from '../support/client-operations.js';
import { runClient } from '../support/client-run.js';
import type { Received } from '../support/receiver.js';
import { startStubService, type StubService } from '../support/stub-service.js';
import { startTestApp } from '../support/test-app.js';

interface OpenApi {
  paths: Record<string, Record<string, { tags?: string[] }>>;
  'x-tagGroups': { name: string; tags: string[] }[];
}

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

/** One response with fields of every kind, for whatever a command requests. */
const anything = {
  id,
  runId: id,
  name: 'Harbour',
  fullName: 'Harbour',
  asset: { name: 'shop', uri: 'asset://shop' },
  context: '',
  targets: [],
  assignees: [],
  data: [{ id, userId: id, invitationId: id, username: 'ada', createdAt: '2026-11-20T06:00:00Z' }],
  nextCursor: null,
  more: false,
  actions: [{ id }],
  results: [{ actionId: id, id, delivered: true, status: 'updated' }],
};
const activity = { createdAt: '2026-11-20T06:00:00Z', actor: { name: 'ada' }, kind: 'COMMENT', comment: 'Seen' };

let stub: StubService;
let folder: string;
let described: string[];
beforeAll(async () => {
  stub = await startStubService();
  folder = await mkdtemp(join(tmpdir(), 'store-operations-'));
  await writeFile(join(folder, 'body.json'), '{"name": "One"}');
  const app = await startTestApp();
  const { body } = await app.api.get<OpenApi>('/openapi.json');
  await app.close();
  const wing = body['x-tagGroups'].find(({ name }) => name === 'Scanning')?.tags ?? [];
  described = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags = [] }]) => tags.some((tag) => wing.includes(tag)))
      .map(([method]) => nameOf(method, path)),
  );
});
afterAll(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

function nameOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\/$/, '')}`;
}

/** The requests of a command line, as METHOD and path. */
async function askedBy(line: string): Promise<string[]> {
  const asked: Received[] = [];
  stub.answers((response, request) => {
    asked.push(request);
    const times = asked.filter(({ path }) => path.includes('/arrivals')).length;
    // Following never ends by itself; a revoked key ends it.
    const ends = request.path.includes('/stream') || times > 2;
    response.writeHead(ends ? 401 : 200, { 'content-type': 'application/json' });
    const isOfActivities = request.path.includes('/activities');
    response.end(JSON.stringify(ends ? { detail: 'Revoked' } : isOfActivities ? { data: [activity] } : anything));
  });
  const args = line.split(' ').map((word) => (word === 'FILE' ? join(folder, 'body.json') : word));
  const hasFormat = args.includes('-o') || /payload|^api |^issues export/.test(line);
  const { code, stderr } = await runClient(hasFormat ? args : [...args, '-o', 'json'], { url: stub.url, key: 'ssk_x' });
  expect([line, code, stderr]).toEqual([line, line.includes('--follow') ? 3 : 0, expect.anything()]);
  return asked.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
}

describe('The client', () => {
  it('has a command for each operation of the scanning wing, or a reason for none', () => {
    expect(Object.keys(clientOperations).sort()).toEqual(described.sort());
  });

  const reached = Object.entries(clientOperations).flatMap(([operation, by]) =>
    typeof by === 'string' ? [[operation, by] as const] : [],
  );
  it.each(reached)('requests %s by `store %s`', async (operation, line) => {
    const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`);
    expect(await askedBy(line)).toEqual(expect.arrayContaining([expect.stringMatching(pattern)]));
  });
});
