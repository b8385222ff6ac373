import { describe, expect, it } from '@jest/globals';
import { proxyFor, proxyInWords } from '../../src/api/proxy.js';

const named = (address: string, env: Record<string, string>) => {
  const proxy = proxyFor(address, env);
  return proxy && proxyInWords(proxy);
};

describe('proxyFor', () => {
  it.each([
    ['https://a.example', { HTTPS_PROXY: 'http://proxy:8080' }, 'http://proxy:8080 (HTTPS_PROXY)'],
    ['https://a.example', { https_proxy: 'http://one:1', HTTPS_PROXY: 'http://two:2' }, 'http://one:1 (https_proxy)'],
    ['https://a.example', { HTTP_PROXY: 'http://proxy:8080' }, null],
    ['http://a.example', { HTTP_PROXY: 'proxy:8080' }, 'http://proxy:8080 (HTTP_PROXY)'],
    ['http://a.example', { HTTP_PROXY: ' ' }, null],
    ['http://a.example', { HTTP_PROXY: 'http://ada:secret@proxy:8080' }, 'http://proxy:8080 (HTTP_PROXY)'],
  ])('of %s by %j is %s', (address, env, proxy) => {
    expect(named(address, env as Record<string, string>)).toBe(proxy);
  });

  it.each([
    ['http://localhost:3000', ''],
    ['http://127.0.0.1:3000', ''],
    ['http://[::1]:3000', ''],
    ['http://a.example', '*'],
    ['http://a.example', 'b.example, a.example'],
    ['http://a.example', 'example'],
    ['http://a.example', '.example'],
    ['http://a.example', '*.example'],
    ['http://a.example:81', 'a.example:81'],
    ['http://a.example', 'A.EXAMPLE:80'],
  ])('is passed over to %s with NO_PROXY=%s', (address, exceptions) => {
    expect(named(address, { HTTP_PROXY: 'http://proxy:8080', NO_PROXY: exceptions })).toBeNull();
  });

  it.each([
    ['http://a.example', 'b.example'],
    ['http://ba.example', 'a.example'],
    ['http://a.example', 'a.example:81'],
    ['http://a.example', ' , '],
  ])('is used to %s with NO_PROXY=%j', (address, exceptions) => {
    expect(named(address, { HTTP_PROXY: 'http://proxy:8080', NO_PROXY: exceptions })).not.toBeNull();
  });

  it('refuses what is no address, without repeating it', () => {
    expect(() => proxyFor('http://a.example', { HTTP_PROXY: 'ftp://ada:secret@proxy' })).toThrow(
      'HTTP_PROXY is no address of a proxy: give one such as http://proxy.example:8080',
    );
  });
});
