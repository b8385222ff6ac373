import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunChoices, runClient } from '../support/client-run.js';
import { page, startStubService, type StubService } from '../support/stub-service.js';

const organization = { id: '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4', name: 'Acme', role: 'admin' };

let first: StubService;
let second: StubService;
let folder: string;

beforeAll(async () => {
  first = await startStubService();
  second = await startStubService();
});
afterAll(() => Promise.all([first.close(), second.close()]));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-contexts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (args: string[], choices: RunChoices = {}) =>
  runClient(args, { ...choices, env: { XDG_CONFIG_HOME: folder, ...choices.env } });

async function keep(service: StubService, key: string, ...args: string[]): Promise<string> {
  service.sends({ json: organization });
  const { code, stderr } = await run(['login', service.url, ...args], { stdin: key });
  expect(code).toBe(0);
  service.sends(page([]));
  return stderr;
}

const keysAt = ({ received }: StubService) => received.map(({ headers }) => headers['x-api-key']);

describe('A named context', () => {
  it('is kept for this user alone, and used by --context before and after a command', async () => {
    await keep(first, 'ssk_usual');
    const stderr = await keep(second, 'ssk_staging', '--name', 'staging');
    expect(stderr).toContain('store contexts use staging');
    const file = join(folder, 'store-service', 'contexts', 'staging.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ address: second.url, key: 'ssk_staging' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await run(['--context', 'staging', 'events', 'list'])).code).toBe(0);
    expect((await run(['events', 'list', '--context', 'staging'])).code).toBe(0);
    expect((await run(['events', 'list'])).code).toBe(0);
    expect([keysAt(first), keysAt(second)]).toEqual([['ssk_usual'], ['ssk_staging', 'ssk_staging']]);
  });

  it('that --context names wins over the variables; one of STORE_CONTEXT gives way to a key', async () => {
    await keep(first, 'ssk_usual');
    await keep(second, 'ssk_staging', '--name', 'staging');
    const variables = { url: first.url, key: 'ssk_variable' };
    expect((await run(['events', 'list', '--context', 'staging'], variables)).code).toBe(0);
    expect((await run(['events', 'list'], { env: { STORE_CONTEXT: 'staging' } })).code).toBe(0);
    expect((await run(['events', 'list'], { ...variables, env: { STORE_CONTEXT: 'staging' } })).code).toBe(0);
    expect([keysAt(first), keysAt(second)]).toEqual([['ssk_variable'], ['ssk_staging', 'ssk_staging']]);
  });

  it('is used from `store contexts use` on, until it is removed', async () => {
    await keep(first, 'ssk_usual');
    await keep(second, 'ssk_staging', '--name', 'staging');
    expect((await run(['contexts', 'use', 'staging'])).code).toBe(0);
    await run(['events', 'list']);
    const { stdout } = await run(['contexts', 'list', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual([
      { name: 'default', address: first.url, inUse: false },
      { name: 'staging', address: second.url, inUse: true },
    ]);
    expect(stdout).not.toContain('ssk_');
    expect((await run(['contexts', 'remove', 'staging'])).code).toBe(0);
    await run(['events', 'list']);
    expect([keysAt(first), keysAt(second)]).toEqual([['ssk_usual'], ['ssk_staging']]);
    expect(await readdir(join(folder, 'store-service', 'contexts'))).toEqual([]);
  });

  it('in use is what `store login` and `store logout` are about', async () => {
    await keep(first, 'ssk_usual');
    await keep(second, 'ssk_staging', '--name', 'staging');
    await run(['contexts', 'use', 'staging']);
    await keep(second, 'ssk_new');
    await run(['events', 'list']);
    expect(keysAt(second)).toEqual(['ssk_new']);
    expect((await run(['logout'])).stderr).toContain('staging.json is deleted');
    const { code, stderr } = await run(['events', 'list']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no context staging')]);
  });

  it.each([
    [['events', 'list', '--context', 'absent'], '`store login --name absent` makes this one'],
    [['events', 'list', '--context', '../up'], '"../up" is no name of a context'],
    [['contexts', 'use', 'absent'], 'There is no context absent'],
    [['contexts', 'remove', 'Absent'], 'A context is named as in store login --name staging'],
  ])('is refused in %j', async (args, sentence) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('is named when the service refuses its key', async () => {
    await keep(second, 'ssk_staging', '--name', 'staging');
    second.sends({ status: 401, json: { detail: 'The API key is revoked', code: 'x' } });
    const { code, stderr } = await run(['events', 'list', '--context', 'staging']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('run `store login --name staging`')]);
  });
});
