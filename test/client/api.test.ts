import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunChoices, runClient } from '../support/client-run.js';
import { page, startStubService, type StubService } from '../support/stub-service.js';

let service: StubService;
let folder: string;
beforeAll(async () => {
  service = await startStubService();
  folder = await mkdtemp(join(tmpdir(), 'store-api-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (args: string[], choices: RunChoices = {}) =>
  runClient(['api', ...args], { url: service.url, key: 'ssk_x', ...choices });
const sent = () =>
  service.received.map(({ method, path, headers, bytes }) => ({
    method,
    path,
    key: headers['x-api-key'],
    type: headers['content-type'],
    body: bytes.toString(),
  }));

describe('store api', () => {
  it('sends fields as the query of a GET, and prints the body as it came', async () => {
    service.sends({ text: '{"b": 1,\n "a": 2}', headers: { 'content-type': 'application/json' } });
    const { code, stdout, stderr } = await run([
      'get',
      'issues',
      '-f',
      'severities[]=HIGH',
      '-f',
      'severities[]=LOW',
      '-f',
      'size:=5',
    ]);
    expect([code, stdout, stderr]).toEqual([0, '{"b": 1,\n "a": 2}', '']);
    expect(sent()).toMatchObject([
      { method: 'GET', path: '/api/v1/issues?severities=HIGH&severities=LOW&size=5', key: 'ssk_x', body: '' },
    ]);
  });

  it('sends fields as the JSON body of a POST', async () => {
    service.sends({ status: 201, json: { id: 'one' } });
    const args = [
      '-f',
      'name=a=b',
      '-f',
      'count:=3',
      '-f',
      'on:=true',
      '-f',
      'ids[]=1',
      '-f',
      'ids[]:=2',
      '-f',
      '__proto__=x',
    ];
    const { code, stdout } = await run(['POST', '/api/v1/tags', ...args]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { id: 'one' }]);
    const [request] = sent();
    expect([request?.type, request?.body]).toEqual([
      'application/json',
      '{"name":"a=b","count":3,"on":true,"ids":["1",2],"__proto__":"x"}',
    ]);
  });

  it('sends a file or standard input as the body', async () => {
    const file = join(folder, 'report.sarif');
    await writeFile(file, '{"version": "2.1.0"}');
    service.sends({ status: 201, json: {} });
    await run(['POST', 'scans/import?branch=main', '--input', file, '--content-type', 'application/octet-stream']);
    await run(['PATCH', 'tags/1', '--input', '-'], { stdin: '{"name": "b"}' });
    expect(sent()).toMatchObject([
      { path: '/api/v1/scans/import?branch=main', type: 'application/octet-stream', body: '{"version": "2.1.0"}' },
      { method: 'PATCH', type: 'application/json', body: '{"name": "b"}' },
    ]);
  });

  it('prints all pages of a list as one, by cursor or by skipping', async () => {
    service.sends(page([1, 2], 'a b'), page([3]));
    expect(JSON.parse((await run(['GET', 'issues?size=2', '--paginate'])).stdout)).toEqual([1, 2, 3]);
    expect(sent().map(({ path }) => path)).toEqual(['/api/v1/issues?size=2', '/api/v1/issues?size=2&cursor=a+b']);
    const headers = { 'x-total-count': '3' };
    service.sends({ json: [1, 2], headers }, { json: [3], headers });
    expect((await run(['GET', 'admin/orders', '--paginate', '--jq', 'add'])).stdout).toBe('6\n');
    expect(sent().map(({ path }) => path)).toEqual(['/api/v1/admin/orders', '/api/v1/admin/orders?skip=2']);
  });

  it.each([
    [400, 1],
    [401, 3],
    [403, 3],
    [404, 4],
    [409, 1],
    [503, 1],
  ])('prints the body of a refusal by %i, and ends with %i', async (status, exitCode) => {
    service.sends({ status, json: { detail: 'No', code: 'x' } });
    const { code, stdout, stderr } = await run(['GET', 'issues']);
    expect([code, JSON.parse(stdout)]).toEqual([exitCode, { detail: 'No', code: 'x' }]);
    expect(stderr).toContain(`GET /api/v1/issues: ${status}`);
  });

  it('prints what is no JSON, harmlessly on a terminal', async () => {
    service.sends({ text: 'a\u001b[2Jb' });
    expect((await run(['GET', '/docs'])).stdout).toBe('a\u001b[2Jb');
    expect((await run(['GET', '/docs'], { columns: 80 })).stdout).toBe('a\\u001b[2Jb\n');
  });

  it.each([
    'https://evil.example/api/v1/issues',
    '//evil.example/x',
    '/\\evil.example',
    'http:issues',
    'javascript:1',
    '/a b',
  ])('sends nothing for the path %j', async (path) => {
    service.sends(page([]));
    const { code, stderr } = await run(['GET', path]);
    expect([code, stderr, service.received]).toEqual([2, expect.stringContaining('is no path of'), []]);
  });

  it('keeps below the path of a service that has one', async () => {
    service.sends(page([]));
    expect((await run(['GET', '/../../x'], { url: `${service.url}/store` })).code).toBe(2);
    expect((await run(['GET', 'x'], { url: `${service.url}/store` })).code).toBe(0);
    expect(sent().map(({ path }) => path)).toEqual(['/store/api/v1/x']);
  });

  it.each([
    [['TRACE', 'issues'], 'Use GET, HEAD'],
    [['GET', 'issues', '-f', 'size'], 'A field looks like name=value'],
    [['POST', 'tags', '-f', 'size:=five'], 'size is no JSON: five'],
    [['GET', 'issues', '--input', '-'], 'A GET has no body'],
    [['POST', 'tags', '--paginate'], '--paginate is for GET'],
    [['POST', 'tags', '--input', '/nowhere/at/all'], 'Cannot read /nowhere/at/all'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
