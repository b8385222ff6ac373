import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunChoices, runClient } from '../support/client-run.js';
import { startStubService, type StubService } from '../support/stub-service.js';

const organization = { id: 'acme', name: 'Acme', role: 'member' };
const version = { 'x-service-version': '1.0.0' };

let service: StubService;
beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());

interface Finding {
  check: string;
  ok: boolean;
  message: string;
}

async function examined(choices: RunChoices): Promise<{ code: number | null; findings: Finding[]; stderr: string }> {
  const { code, stdout, stderr } = await runClient(['doctor', '-o', 'json'], choices);
  return { code, findings: JSON.parse(stdout) as Finding[], stderr };
}

const faults = (findings: Finding[]) =>
  Object.fromEntries(findings.filter(({ ok }) => !ok).map((one) => [one.check, one.message]));

describe('store doctor', () => {
  it('says that all is well', async () => {
    service.sends({ json: { status: 'ok' }, headers: version }, { json: organization, headers: version });
    const { code, stdout, stderr } = await runClient(['doctor'], { url: service.url, key: 'ssk_x' });
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/ {2,}/g, '  '));
    expect(lines).toEqual([
      `ok  address  ${service.url} (key from STORE_API_KEY)`,
      'ok  proxy  none: the service is called directly',
      expect.stringMatching(/^ok {2}service {2}answers in \d+ ms$/),
      'ok  certificate  none is needed on this machine',
      'ok  clock  as that of the service',
      'ok  key  acts as member of Acme',
      'ok  version  1.0.0 of both',
    ]);
  });

  it('names a clock that is wrong, a key that is refused, and an older service', async () => {
    const headers = { 'x-service-version': '0.9.0', date: new Date(Date.now() - 600_000).toUTCString() };
    service.sends({ json: {}, headers }, { status: 401, json: { detail: 'It is revoked', code: 'x' }, headers });
    const { code, findings, stderr } = await examined({ url: service.url, key: 'ssk_x' });
    expect([code, faults(findings)]).toEqual([
      1,
      {
        clock: expect.stringMatching(/^(599|600|601) s ahead of the service: set it by a time server/),
        key: expect.stringContaining('STORE_API_KEY is not a key that the service takes'),
        version: expect.stringContaining('the service is older'),
      },
    ]);
    expect(stderr).toContain('Not well: clock, key, version');
  });

  it('names an address where nothing answers, and a missing key', async () => {
    const away = await startStubService();
    await away.close();
    expect(faults((await examined({ url: away.url, key: 'ssk_x' })).findings)).toEqual({
      service: expect.stringContaining(`Nothing answers at ${away.url}`),
    });
    service.sends({ json: {}, headers: version });
    expect(faults((await examined({ url: service.url })).findings)).toEqual({
      key: 'there is none: run `store login`, or set STORE_API_KEY',
    });
  });

  it('names something else at the address', async () => {
    service.sends({ text: 'a web page' });
    expect(faults((await examined({ url: service.url, key: 'ssk_x' })).findings)).toEqual({
      service: expect.stringContaining('not as Store Service'),
    });
  });

  it('names a proxy that is no address, and one that is away', async () => {
    const choices = { url: 'http://store.example', key: 'ssk_x' };
    expect(faults((await examined({ ...choices, env: { HTTP_PROXY: 'ftp://x' } })).findings)).toMatchObject({
      proxy: expect.stringContaining('HTTP_PROXY is no address'),
    });
    const { findings } = await examined({ ...choices, env: { HTTP_PROXY: 'http://127.0.0.1:9' } });
    expect(faults(findings)).toEqual({
      service: expect.stringContaining('The proxy http://127.0.0.1:9 (HTTP_PROXY) cannot be reached'),
      certificate: expect.stringContaining('the key travels in the clear'),
    });
  });

  it('names a file of NODE_EXTRA_CA_CERTS that cannot be read', async () => {
    service.sends({ json: organization, headers: version });
    const env = { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' };
    expect(faults((await examined({ url: service.url, key: 'ssk_x', env })).findings)).toEqual({
      certificate: 'NODE_EXTRA_CA_CERTS names /nowhere/ca.pem, which cannot be read: correct it, or unset it',
    });
  });
});
