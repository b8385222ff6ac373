import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { OutboundRequest } from '../../../../src/platform/net/outbound-http.js';
import { outboundHttp } from '../../../support/outbound-http.js';
import { Loopback } from './loopback.js';
import { closed, failure, send, serve, started } from './outbound-fixture.js';

describe('the bound on time', () => {
  const soon = { timeoutMs: 300, maxBytes: 1_000_000 };

  async function endsByTimeout(server: Loopback, more: Partial<OutboundRequest> = {}): Promise<void> {
    expect(await failure(send(server.url(), { ...soon, ...more }))).toMatchObject({ reason: 'timeout' });
    await closed(server);
  }

  it('ends a request to a server that never responds', async () => endsByTimeout(await started(Loopback.raw(''))));

  it('ends a request to a server that stops within its headers', async () =>
    endsByTimeout(await started(Loopback.raw('HTTP/1.1 200 OK\r\nContent-Le'))));

  it('ends a request to a server that stops within its body', async () =>
    endsByTimeout(await started(Loopback.raw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'))));

  const dripping = () =>
    serve((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });

  it('ends a request to a server that drips', async () => endsByTimeout(await dripping()));

  it('keeps what a dripping server has sent until then, if the beginning is enough', async () => {
    const server = await dripping();
    const answer = await send(server.url(), { ...soon, onTooLarge: 'truncate' });
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.body.toString()).toMatch(/^\.+$/);
    await closed(server);
  });

  it('keeps what a dripping server has compressed until then', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(500, { 'content-encoding': 'gzip' });
      const zip = createGzip();
      zip.pipe(response);
      const drip = setInterval(() => zip.write('.', () => zip.flush()), 20);
      response.on('close', () => clearInterval(drip));
    });
    const answer = await send(server.url(), { ...soon, onTooLarge: 'truncate' });
    expect(answer).toMatchObject({ status: 500, truncated: true });
    expect(answer.body.toString()).toMatch(/^\.+$/);
  });

  it('keeps nothing for a caller who gives up meanwhile', async () => {
    const server = await dripping();
    const stop = new AbortController();
    const sending = send(server.url(), {
      signal: stop.signal,
      onTooLarge: 'truncate',
      onAnswer: () => setTimeout(() => stop.abort(new Error('shutting down')), 50),
    });
    await expect(sending).rejects.toThrow('shutting down');
    await closed(server);
  });

  it('ends a request to a server that sends interim responses for ever', async () => {
    const server = await serve((_request, response) => {
      const drip = setInterval(() => response.writeProcessing(), 20);
      response.on('close', () => clearInterval(drip));
    });
    await endsByTimeout(server);
  });

  it('covers all redirects together', async () => {
    const server = await serve((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 50);
    });
    await endsByTimeout(server, { maxRedirects: 1_000 });
  });

  it('includes resolving the name', async () => {
    const http = outboundHttp('', () => new Promise(() => {}));
    expect(await failure(send('http://slow.example/', soon, http))).toMatchObject({ reason: 'timeout' });
  });

  it("applies together with the caller's signal", async () => {
    const server = await started(Loopback.raw(''));
    const stop = new AbortController();
    const sending = send(server.url(), { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('shutting down')), 50);
    await expect(sending).rejects.toThrow('shutting down');
    await closed(server);
    await expect(send(server.url(), { signal: stop.signal })).rejects.toThrow('shutting down');
  });
});

describe('the bound on size', () => {
  it('lets a response of exactly that size pass', async () => {
    const server = await serve((_request, response) => response.end('x'.repeat(1_000)));
    const answer = await send(server.url());
    expect(answer.body).toHaveLength(1_000);
    expect(answer.truncated).toBe(false);
  });

  it('refuses a response that is announced as larger, without reading it', async () => {
    const server = await started(Loopback.raw('HTTP/1.1 200 OK\r\nContent-Length: 2147483648\r\n\r\n'));
    expect(await failure(send(server.url()))).toMatchObject({ reason: 'too_large' });
    await closed(server);
  });

  it.each(['refuse', 'truncate'] as const)(
    'hangs up on an endless response, with onTooLarge %s',
    async (onTooLarge) => {
      let written = 0;
      const server = await serve((_request, response) => {
        const pump = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
        };
        response.on('drain', pump);
        pump();
      });
      const sending = send(server.url(), { onTooLarge });
      if (onTooLarge === 'refuse') expect(await failure(sending)).toMatchObject({ reason: 'too_large' });
      else expect(await sending).toMatchObject({ status: 200, truncated: true, body: Buffer.alloc(1_000) });
      await closed(server);
      expect(written).toBeLessThan(20_000_000);
    },
  );

  it('refuses endless headers', async () => {
    const server = await started(Loopback.raw(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}`));
    expect(await failure(send(server.url()))).toMatchObject({ reason: 'broken_answer' });
    await closed(server);
  });

  it('counts decoded bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb),
    );
    expect(await failure(send(server.url(), { maxBytes: 100_000 }))).toMatchObject({ reason: 'too_large' });
    const answer = await send(server.url(), { maxBytes: 100_000, onTooLarge: 'truncate' });
    expect(answer.body).toEqual(Buffer.alloc(100_000));
    await closed(server);
  });
});
