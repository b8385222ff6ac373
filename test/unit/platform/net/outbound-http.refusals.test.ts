import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NameResolver } from '../../../../src/platform/net/name-resolver.js';
import type { OutboundHttp, OutboundRequest } from '../../../../src/platform/net/outbound-http.js';
import { TargetRefused } from '../../../../src/platform/net/target-errors.js';
import { outboundHttp } from '../../../support/outbound-http.js';
import { Loopback } from './loopback.js';

const BOUNDS = { maxRedirects: 3, timeoutMs: 2_000, maxBytes: 1_000, onTooLarge: 'refuse' } as const;
const PUBLIC = { address: '93.184.216.34', family: 4 };
const PRIVATE = { address: '127.0.0.1', family: 4 };

const ODD_SPELLINGS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '0177.0.0.01',
  '017700000001',
  '0',
  '0.0.0.0',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[::1%25lo]',
];

let victim: Loopback;
let redirector: Loopback;

beforeAll(async () => {
  victim = await Loopback.http((_request, response) => response.end('secret'));
  redirector = await Loopback.http((request, response) => {
    const to = decodeURIComponent(new URL(request.url ?? '/', 'http://x').search.slice(1));
    response.writeHead(302, { location: Buffer.from(to).toString('latin1') }).end();
  });
});
beforeEach(() => {
  victim.connections = 0;
});
afterAll(async () => {
  await victim.stop();
  await redirector.stop();
});

function door(allow = '', resolve = new NameResolver().resolve): OutboundHttp {
  return outboundHttp(allow, resolve);
}

function get(http: OutboundHttp, url: string, more: Partial<OutboundRequest> = {}) {
  return http.send({ url, ...BOUNDS, ...more });
}

describe('a private or reserved address', () => {
  afterEach(() => expect(victim.connections).toBe(0));

  it.each(ODD_SPELLINGS)('gets no connection as %s', async (host) => {
    await expect(get(door(), victim.url('/', host))).rejects.toBeInstanceOf(TargetRefused);
  });

  it.each(ODD_SPELLINGS)('does not pass the check as %s', async (host) => {
    await expect(door().checkTarget(victim.url('/', host))).rejects.toBeInstanceOf(TargetRefused);
  });

  it.each(ODD_SPELLINGS)('gets no connection by a redirect to %s', async (host) => {
    const http = door('start.example', () => Promise.resolve([PRIVATE]));
    const to = encodeURIComponent(victim.url('/', host));
    await expect(get(http, redirector.url(`/?${to}`, 'start.example'))).rejects.toBeInstanceOf(TargetRefused);
  });

  it('gets no connection by a redirect from a listed host to an unlisted one', async () => {
    const http = door('start.example', () => Promise.resolve([PRIVATE]));
    const to = encodeURIComponent(victim.url('/', 'inner.example'));
    await expect(get(http, redirector.url(`/?${to}`, 'start.example'))).rejects.toThrow('inner.example leads to');
  });

  it('gets no connection when the name turns private after the check', async () => {
    const answers = [[PUBLIC], [PRIVATE]];
    const http = door('', () => Promise.resolve(answers.shift() ?? []));
    await http.checkTarget(victim.url('/', 'rebind.example'));
    await expect(get(http, victim.url('/', 'rebind.example'))).rejects.toBeInstanceOf(TargetRefused);
    expect(answers).toEqual([]);
  });

  it('gets no connection when the name turns private between two redirects', async () => {
    const answers = [[PRIVATE], [{ address: '127.0.0.2', family: 4 }]];
    const http = door('127.0.0.1', () => Promise.resolve(answers.shift() ?? []));
    const to = encodeURIComponent(victim.url('/', 'rebind.example'));
    await expect(get(http, redirector.url(`/?${to}`, 'rebind.example'))).rejects.toBeInstanceOf(TargetRefused);
    expect(answers).toEqual([]);
  });

  it.each([
    ['public first', [PUBLIC, PRIVATE]],
    ['private first', [PRIVATE, PUBLIC]],
    ['an address with a zone', [{ address: 'fe80::1%lo', family: 6 }]],
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['no address at all', [{ address: 'localhost', family: 4 }]],
  ])('gets no connection when it is among the addresses of a name: %s', async (_what, addresses) => {
    const http = door('', () => Promise.resolve(addresses));
    await expect(get(http, victim.url('/', 'mixed.example'))).rejects.toBeInstanceOf(TargetRefused);
    await expect(http.checkTarget(victim.url('/', 'mixed.example'))).rejects.toBeInstanceOf(TargetRefused);
  });

  it('gets no connection over TLS', async () => {
    const https = `https://127.0.0.1:${victim.port}/`;
    await expect(get(door(), https)).rejects.toBeInstanceOf(TargetRefused);
    await expect(get(door(), `https://localhost:${victim.port}/`)).rejects.toBeInstanceOf(TargetRefused);
  });

  it('gets no connection when requested by address although its name is listed', async () => {
    await expect(get(door('localhost'), victim.url())).rejects.toBeInstanceOf(TargetRefused);
  });

  it('does not appear in the refusal', async () => {
    const http = door('', () => Promise.resolve([{ address: '10.11.12.13', family: 4 }]));
    const refusal = await get(http, 'http://intra.example/').catch(String);
    expect(refusal).toContain('intra.example');
    expect(refusal).not.toContain('10.11');
  });
});

describe('EGRESS_ALLOW', () => {
  it.each([
    ['127.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1', '0x7f.1'],
    ['localhost', 'localhost'],
    ['127.0.0.0/8 ::1', 'localhost'],
  ])('%s lets %s be reached', async (allow, host) => {
    const answer = await get(door(allow), victim.url('/', host));
    expect(answer.body.toString()).toBe('secret');
    expect(victim.connections).toBe(1);
  });
});

describe('a proxy of the environment', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('is not used', async () => {
    const target = await Loopback.http((_request, response) => response.end('direct'));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) process.env[name] = victim.url();
    const answer = await get(door('127.0.0.1'), target.url());
    await target.stop();
    expect(answer.body.toString()).toBe('direct');
    expect(victim.connections).toBe(0);
  });
});

describe('OutboundHttp.checkTarget', () => {
  it('accepts a public host', async () => {
    await door('', () => Promise.resolve([PUBLIC])).checkTarget('https://hooks.example/x');
  });

  it('accepts a host that does not resolve', async () => {
    await door('', () => Promise.reject(new Error('ENOTFOUND'))).checkTarget('https://later.example/');
    await door('', () => Promise.resolve([])).checkTarget('https://later.example/');
  });

  it('does not resolve an IP address', async () => {
    const http = door('', () => Promise.reject(new TargetRefused('asked')));
    await http.checkTarget('https://93.184.216.34/');
  });
});
