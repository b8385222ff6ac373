import type { SecureContextOptions } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { outboundHttp } from '../../../support/outbound-http.js';
import { certificateFor } from './certificate.js';
import { Loopback } from './loopback.js';
import { door, failure, send, serve, started } from './outbound-fixture.js';

describe('a failure of the network', () => {
  it('says that the name does not resolve', async () => {
    const http = outboundHttp('', () => Promise.reject(new Error('getaddrinfo ENOTFOUND')));
    const error = await failure(send('http://nowhere.example/', {}, http));
    expect(error.reason).toBe('dns');
    expect(error.message).toContain('nowhere.example');
  });

  it('says that nothing listens', async () => {
    const server = await Loopback.http(() => {});
    const url = server.url();
    await server.stop();
    expect(await failure(send(url))).toMatchObject({ reason: 'connect' });
  });

  it.each(['SSH-2.0-OpenSSH_9\r\n', 'HTTP/1.1 abc\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'])(
    'says that the answer is no HTTP: %j',
    async (answer) => {
      const server = await started(Loopback.raw(answer));
      expect(await failure(send(server.url()))).toMatchObject({ reason: 'broken_answer' });
    },
  );

  it('says that the response broke off', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('abc', () => response.destroy());
    });
    expect(await failure(send(server.url()))).toMatchObject({ reason: 'broken_answer' });
  });

  it('keeps status and beginning of a response that broke off, if the beginning is enough', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(410, { 'content-length': 10 }).write('abc', () => response.destroy());
    });
    const answer = await send(server.url(), { onTooLarge: 'truncate' });
    expect(answer).toMatchObject({ status: 410, truncated: true, contentLength: 10 });
    expect(answer.body.toString()).toBe('abc');
  });
});

describe('TLS', () => {
  const { key, cert } = certificateFor('shop.example');

  function secure(names: (string | undefined)[] = []): Promise<Loopback> {
    const options = {
      key,
      cert,
      SNICallback: (name: string, done: (error: null) => void) => {
        names.push(name);
        done(null);
      },
    };
    return started(Loopback.https(options, (request, response) => response.end(request.headers.host)));
  }

  it('connects to a server with a trusted certificate, sending the host name', async () => {
    const names: string[] = [];
    const server = await secure(names);
    const answer = await send(`https://shop.example:${server.port}/`, {}, door([cert]));
    expect(answer.body.toString()).toBe(`shop.example:${server.port}`);
    expect(names).toEqual(['shop.example']);
  });

  const past = certificateFor('shop.example', { from: '20200101', until: '20201231' });
  const future = certificateFor('shop.example', { from: '20980101', until: '20991231' });
  const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

  it.each<[string, string, SecureContextOptions, string[] | undefined, string]>([
    ['an untrusted certificate', 'shop.example', { key, cert }, undefined, 'is self-signed'],
    ['a certificate for another host', 'other.example', { key, cert }, [cert], 'is for another host'],
    ['an expired certificate', 'shop.example', past, [past.cert], 'has expired'],
    ['a certificate of the future', 'shop.example', future, [future.cert], 'is not valid yet'],
    ['an old version of TLS', 'shop.example', { key, cert, ...old }, [cert], 'no longer safe'],
  ])('refuses %s, and says so', async (_what, host, options, trusted, sentence) => {
    const server = await started(Loopback.https(options, (_request, response) => response.end()));
    const error = await failure(send(`https://${host}:${server.port}/`, {}, door(trusted)));
    expect(error).toMatchObject({ reason: 'tls', message: expect.stringContaining(sentence) });
    expect(error.message).toContain(`${host}:${server.port} does not offer a trusted TLS connection: `);
  });

  it('refuses a server that does not speak TLS, and says so', async () => {
    const server = await serve((_request, response) => response.end());
    expect(await failure(send(`https://shop.example:${server.port}/`))).toMatchObject({
      reason: 'tls',
      message: expect.stringContaining('does not speak TLS at this port'),
    });
  });
});
