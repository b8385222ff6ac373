import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HostsFile } from '../../../../src/platform/net/hosts-file.js';
import { NameResolver } from '../../../../src/platform/net/name-resolver.js';
import { DnsServer } from '../../../support/dns-server.js';

let dns: DnsServer;
let folder: string;
let hosts: string;
let resolver: NameResolver;
beforeAll(async () => {
  dns = await DnsServer.start();
  folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  hosts = join(folder, 'hosts');
  await writeFile(hosts, '# ours\n10.1.2.3\tHooks.internal hooks # both\r\nfd00::7 hooks.internal\n\nnonsense x\n');
  resolver = new NameResolver([dns.address], new HostsFile(hosts));
});
afterAll(async () => {
  await dns.stop();
  await rm(folder, { recursive: true });
});

const addresses = async (host: string): Promise<string[]> =>
  (await resolver.resolve(host)).map(({ address, family }) => `${family} ${address}`);

describe('NameResolver', () => {
  it('returns the addresses of both families, IPv4 first', async () => {
    dns.has('both.test', { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] });
    expect(await addresses('both.test')).toEqual(['4 192.0.2.1', '4 192.0.2.2', '6 2001:db8::1']);
    expect(await addresses('BOTH.test.')).toEqual(['4 192.0.2.1', '4 192.0.2.2', '6 2001:db8::1']);
  });

  it.each([
    ['has none', { a: ['192.0.2.1'] }, '4 192.0.2.1'],
    ['fails', { a: ['192.0.2.1'], aaaa: 'failure' }, '4 192.0.2.1'],
    ['never answers', { a: ['192.0.2.1'], aaaa: 'silent' }, '4 192.0.2.1'],
    ['has none, which is IPv4', { aaaa: ['2001:db8::2'] }, '6 2001:db8::2'],
    ['never answers, which is IPv4', { a: 'silent', aaaa: ['2001:db8::2'] }, '6 2001:db8::2'],
  ] as const)('gives the addresses of one family where the other %s', async (_how, record, expected) => {
    dns.has('one.test', record);
    expect(await addresses('one.test')).toEqual([expected]);
  });

  it.each([
    ['unknown.test', undefined, 'ENOTFOUND'],
    ['empty.test', {}, 'ENODATA'],
    ['failing.test', { a: 'failure', aaaa: 'failure' }, 'ESERVFAIL'],
    ['half.test', { aaaa: 'failure' }, 'ESERVFAIL'],
  ] as const)('rejects %s with the reason', async (name, record, code) => {
    if (record) dns.has(name, record);
    await expect(resolver.resolve(name)).rejects.toMatchObject({ code });
  });

  it('gives up on a name whose servers never respond, without delaying other names', async () => {
    dns.has('*.silent.test', { a: 'silent', aaaa: 'silent' });
    dns.has('quick.test', { a: ['192.0.2.9'] });
    let givenUp = 0;
    const silent = Array.from({ length: 48 }, (_, at) => resolver.resolve(`n${at}.silent.test`).catch(() => givenUp++));
    expect(await addresses('quick.test')).toEqual(['4 192.0.2.9']);
    expect(givenUp).toBe(0);
    await Promise.all(silent);
    expect(givenUp).toBe(48);
  });

  it('sends no query for a name in the hosts file', async () => {
    expect(await addresses('hooks.INTERNAL.')).toEqual(['4 10.1.2.3', '6 fd00::7']);
    expect(await addresses('hooks')).toEqual(['4 10.1.2.3']);
    expect(dns.asked.filter((name) => name.startsWith('hooks'))).toEqual([]);
  });

  it('rereads the hosts file after a change', async () => {
    await writeFile(hosts, '10.9.9.9 hooks.internal\n');
    await utimes(hosts, new Date(), new Date(Date.now() + 5_000));
    expect(await addresses('hooks.internal')).toEqual(['4 10.9.9.9']);
    await rm(hosts);
    await expect(resolver.resolve('hooks.internal')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it.each(['localhost', 'LOCALHOST.', 'shop.localhost'])('returns loopback for %s without a query', async (name) => {
    expect(await addresses(name)).toEqual(['4 127.0.0.1', '6 ::1']);
    expect(dns.asked.filter((asked) => asked.includes('localhost'))).toEqual([]);
  });
});
