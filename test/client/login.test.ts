import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunChoices, runClient } from '../support/client-run.js';
import { page, startStubService, type StubAnswer, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
const organization = { id, name: 'Acme', role: 'admin', scopedWebhookExportPayload: false, createdAt: '2026-01-01' };
const current: StubAnswer = { json: organization };

let service: StubService;
let folder: string;
let file: string;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-login-'));
  file = join(folder, 'store-service', 'credentials.json');
});
afterEach(() => rm(folder, { recursive: true }));

const run = (args: string[], choices: RunChoices = {}) =>
  runClient(args, { ...choices, env: { XDG_CONFIG_HOME: folder, ...choices.env } });
const requests = () => service.received.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
const sentKeys = () => service.received.map(({ headers }) => headers['x-api-key']);
const keyQuestion = 'API key (nothing, to make one with your username and password): ';

async function keep(key = 'ssk_kept'): Promise<void> {
  service.sends(current);
  await run(['login', service.url], { stdin: `${key}\n` });
  service.received.length = 0;
}

describe('store login', () => {
  it('keeps a key from standard input, readable by this user alone', async () => {
    service.sends(current);
    const { code, stdout, stderr } = await run(['login', `${service.url}/api/v1/`], { stdin: ' ssk_piped \n' });
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(`store: You are admin of Acme at ${service.url}. The key is kept in ${file}\n`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ address: service.url, key: 'ssk_piped' });
    expect([(await stat(file)).mode & 0o777, (await stat(join(file, '..'))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(sentKeys()).toEqual(['ssk_piped']);
  });

  it('asks for address and key on a terminal, without echoing the key', async () => {
    service.sends(current);
    const answers = { 'Address of the service [http://127.0.0.1:3000]: ': service.url, [keyQuestion]: 'ssk_typed' };
    const { code, stderr } = await run(['login'], { answers });
    expect([code, sentKeys()]).toEqual([0, ['ssk_typed']]);
    expect(stderr).not.toContain('ssk_typed');
    expect(stderr).toContain(service.url);
  });

  it('makes a key by password and second factor, echoes neither, and asks for the organization', async () => {
    service.sends(
      { json: { access_token: null, requires_totp: true, temp_token: 'temporary', token_type: 'bearer' } },
      { json: { access_token: 'signed-in', token_type: 'bearer' } },
      page([{ ...organization, id: 'other', name: 'Other' }, organization]),
      { status: 201, json: { id, key: 'ssk_made' } },
      current,
    );
    const answers = {
      [keyQuestion]: '',
      'Username: ': 'grace',
      'Password: ': 'correct-horse-7',
      'recovery code: ': '123456',
      'Which organization, 1 to 2? ': '2',
    };
    const { code, stderr } = await run(['login', service.url, '--role', 'viewer'], { answers });
    expect([code, requests()]).toEqual([
      0,
      [
        'POST /api/v1/auth/login',
        'POST /api/v1/auth/login/totp',
        'GET /api/v1/organizations',
        `POST /api/v1/organizations/${id}/api-keys`,
        'GET /api/v1/organizations/current',
      ],
    ]);
    const bodies = service.received.map(({ bytes }) =>
      bytes.length > 0 ? (JSON.parse(bytes.toString()) as object) : {},
    );
    expect(bodies[0]).toEqual({ username: 'grace', password: 'correct-horse-7' });
    expect(bodies[1]).toEqual({ temp_token: 'temporary', totp_code: '123456' });
    expect(bodies[3]).toMatchObject({ name: expect.stringMatching(/^store on /), role: 'viewer' });
    expect(service.received[3]!.headers['authorization']).toBe('Bearer signed-in');
    expect(stderr).not.toMatch(/correct-horse-7|123456|ssk_made/);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ address: service.url, key: 'ssk_made' });
  });

  it('says that only admins make keys', async () => {
    service.sends({ json: { access_token: 'x' } }, page([{ ...organization, role: 'member' }]));
    const answers = { [keyQuestion]: '', 'Username: ': 'grace', 'Password: ': 'x' };
    const { code, stderr } = await run(['login', service.url], { answers });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('Only admins of Acme make API keys: ask one for a key'),
    ]);
  });

  it('keeps no key that does not work', async () => {
    await keep();
    service.sends({ status: 401, json: { detail: 'No such key', code: 'x' } });
    const { code, stderr } = await run(['login', service.url], { stdin: 'wrong' });
    expect([code, stderr]).toEqual([3, 'store: Not authenticated: No such key\n']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ key: 'ssk_kept' });
  });

  it('says so when there is no home to keep it in', async () => {
    service.sends(current);
    const { code, stderr } = await runClient(['login', service.url], { stdin: 'ssk_x' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('set HOME or XDG_CONFIG_HOME, or use STORE_API_KEY')]);
  });

  it.each([
    ['', 2, 'Standard input holds no API key'],
    ['two words', 3, 'holds characters that no API key has'],
  ])('refuses %j as a key', async (stdin, exitCode, sentence) => {
    const { code, stderr } = await run(['login', service.url], { stdin });
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(sentence)]);
  });
});

describe('A kept key', () => {
  it('belongs to its address, and gives way to STORE_API_KEY', async () => {
    await keep();
    service.sends(page([]));
    expect((await run(['events', 'list'])).code).toBe(0);
    expect((await run(['events', 'list'], { key: 'ssk_environment' })).code).toBe(0);
    expect(sentKeys()).toEqual(['ssk_kept', 'ssk_environment']);
  });

  it('is not sent to another address', async () => {
    await keep();
    const other = await startStubService();
    other.sends(page([]));
    await run(['events', 'list'], { url: other.url });
    expect(other.received.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
    await other.close();
  });

  it('triggers a warning when others can read it', async () => {
    await keep();
    await chmod(file, 0o644);
    service.sends(page([]));
    const { code, stderr } = await run(['events', 'list']);
    expect([code, stderr]).toEqual([0, `store: Others on this machine may read your key: chmod 600 ${file}\n`]);
  });

  it.each(['{"address"', '[]', '{"key": 1, "address": ""}'])(
    'is asked for anew where the file holds %s',
    async (text) => {
      await keep();
      await writeFile(file, text);
      const { code, stderr } = await run(['events', 'list']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('Run `store login`, which writes it anew')]);
      await keep('ssk_again');
      service.sends(page([]));
      expect((await run(['events', 'list'])).code).toBe(0);
    },
  );

  it('is named when the service refuses it', async () => {
    await keep();
    service.sends({ status: 401, json: { detail: 'The API key is revoked', code: 'x' } });
    const { code, stderr } = await run(['events', 'list']);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`${file} holds a key that the service does not take`)]);
  });

  it('is forgotten by store logout', async () => {
    await keep();
    expect((await run(['logout'])).stderr).toContain(`${file} is deleted`);
    expect((await run(['logout'])).stderr).toBe('store: No key is kept\n');
    service.sends(page([]));
    await run(['events', 'list'], { url: service.url });
    expect(sentKeys()).toEqual([undefined]);
  });
});

describe('store whoami', () => {
  it('shows the organization, the role and the source of the key', async () => {
    await keep();
    service.sends(current, { json: { status: 'ok', version: '1.0.0' } });
    const { code, stdout } = await run(['whoami']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ORGANIZATION +Acme\n/);
    expect(stdout).toMatch(/ROLE +admin\n/);
    expect(stdout).toContain(`KEY FROM         ${file}\n`);
    expect(stdout).toMatch(/SERVICE +1\.0\.0\nCLIENT +1\.0\.0\n$/);
  });
});

describe('The version', () => {
  it('of the client is that of the package', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    expect((await run(['--version'])).stdout).toBe(`store ${version}\n`);
  });

  it.each([
    ['0.9.0', 'the service is older, it may refuse, or not do, what it does not know yet'],
    ['1.1.0', 'the service is newer, update the client to use all of it'],
  ])('%s of a service is reported once', async (version, sentence) => {
    service.sends({ ...page([{ id, createdAt: '' }], 'a'), headers: { 'x-service-version': version } });
    const { code, stderr } = await run(['profiles', 'list', '--limit', '200', '-o', 'json'], {
      url: service.url,
      key: 'k',
    });
    expect([code, stderr.split(sentence).length]).toEqual([0, 2]);
    expect(service.received[0]!.headers['x-client-version']).toBe('1.0.0');
  });

  it.each(['1.0.7', 'nonsense', undefined])('%s of a service is not reported', async (version) => {
    service.sends({ ...page([]), headers: version === undefined ? {} : { 'x-service-version': version } });
    expect((await run(['events', 'list'], { url: service.url, key: 'k' })).stderr).toBe('');
  });
});
