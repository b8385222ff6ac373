import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { closed, failure, send, serve } from './outbound-fixture.js';

describe('OutboundHttp.send', () => {
  it('returns status, headers and body', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html', 'set-cookie': ['a=1', 'b=2'] }).end('<p>gone</p>');
    });
    const answer = await send(server.url('/x?y#z'));
    expect(answer).toMatchObject({
      url: server.url('/x?y#z'),
      status: 404,
      truncated: false,
      contentType: 'text/html',
      contentLength: null,
    });
    expect(answer.body.toString()).toBe('<p>gone</p>');
    expect(answer.headers['set-cookie']).toBe('a=1, b=2');
    await closed(server);
  });

  it('returns the announced length of a HEAD', async () => {
    const server = await serve((_request, response) => response.writeHead(200, { 'content-length': 12_345 }).end());
    const answer = await send(server.url(), { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, contentLength: 12_345, contentType: null });
    expect(answer.body).toHaveLength(0);
  });

  it('sends only the headers that the connection needs', async () => {
    const seen: string[][] = [];
    const server = await serve((request, response) => {
      seen.push(request.rawHeaders);
      response.end();
    });
    await send(server.url());
    await send(server.url(), { method: 'POST' });
    expect(seen).toEqual([
      ['Host', `127.0.0.1:${server.port}`, 'Connection', 'close'],
      ['Host', `127.0.0.1:${server.port}`, 'Connection', 'close', 'Content-Length', '0'],
    ]);
  });

  it('sends body and headers verbatim', async () => {
    let seen: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    const server = await serve((request, response) => {
      seen = request;
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => response.end());
    });
    const headers: [string, string][] = [
      ['content-TYPE', 'application/vnd.x+json'],
      ['user-agent', ''],
      ['ACCEPT', 'x'],
      ['X-Twice', '1'],
      ['x-twice', '2'],
      ["!#$%&'*+-.^_`|~", 'ü'],
    ];
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    await send(server.url(), { method: 'POST', headers, body: bytes.subarray(1) });
    expect(seen?.method).toBe('POST');
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes.subarray(1)));
    const sent = seen?.rawHeaders ?? [];
    const pairs = sent.flatMap((name, index) => (index % 2 === 0 ? [[name, sent[index + 1]]] : []));
    const expected = headers.map(([name, value]) => [name === 'x-twice' ? 'X-Twice' : name, value]);
    expect(pairs).toEqual(expect.arrayContaining(expected));
    expect(pairs).toHaveLength(headers.length + 3);
  });

  it.each(['common', 'post', 'get', 'set', 'constructor', 'url'])(
    'sends a header named %s like any other',
    async (name) => {
      const server = await serve((request, response) => response.end(String(request.headersDistinct[name])));
      const answer = await send(server.url(), { method: 'POST', headers: [[name, 'as it is']] });
      expect(answer.body.toString()).toBe('as it is');
    },
  );

  it.each([
    ['Host', 'other.example'],
    ['__proto__', 'of no object'],
    ['content-length', '3'],
    ['Transfer-Encoding', 'chunked'],
    ['X-Bad', 'a\r\nX-More: b'],
    ['X-Wide', '✓'],
    ['Bad Name', 'x'],
  ])('does not send the header %s: %j', async (name, value) => {
    const server = await serve((_request, response) => response.end());
    await expect(send(server.url(), { headers: [[name, value]] })).rejects.toMatchObject({ name: 'TypeError' });
    expect(server.connections).toBe(0);
  });

  it('names the host of the URL, not its address', async () => {
    const server = await serve((request, response) => response.end(request.headers.host));
    const answer = await send(server.url('/', 'shop.example'));
    expect(answer.body.toString()).toBe(`shop.example:${server.port}`);
  });

  it('uses a connection for only one request', async () => {
    const server = await serve((_request, response) => response.end());
    await send(server.url());
    await send(server.url());
    expect(server.connections).toBe(2);
  });
});

describe('redirects', () => {
  it('are followed to the end', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end('x'.repeat(100_000));
    });
    const answer = await send(server.url('/3'));
    expect(answer.url).toBe(server.url('/0'));
    expect(answer.body.toString()).toBe('there');
    await closed(server);
  });

  it('leave no listener behind, however many there are', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const answer = await send(server.url('/20'), { maxRedirects: 20, signal: new AbortController().signal });
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(answer.body.toString()).toBe('there');
    expect(warnings).toEqual([]);
  });

  it('stop at their limit', async () => {
    const server = await serve((_request, response) => response.writeHead(301, { location: '/' }).end());
    expect(await failure(send(server.url()))).toMatchObject({ reason: 'too_many_redirects' });
    expect(server.connections).toBe(4);
  });

  it('are returned as responses if none may be followed', async () => {
    const server = await serve((_request, response) => response.writeHead(307, { location: '/x' }).end('moved'));
    const answer = await send(server.url(), { method: 'POST', body: Buffer.from('x'), maxRedirects: 0 });
    expect(answer).toMatchObject({ status: 307, headers: { location: '/x' } });
    expect(server.connections).toBe(1);
  });

  it('carry no secret to another origin', async () => {
    let seen: IncomingMessage['headers'] = {};
    const other = await serve((request, response) => {
      seen = request.headers;
      response.end();
    });
    const server = await serve((_request, response) => response.writeHead(302, { location: other.url() }).end());
    await send(server.url(), {
      headers: [
        ['Authorization', 'Bearer secret'],
        ['X-Key', 'secret'],
        ['Accept', 'text/html'],
      ],
    });
    expect(seen).toEqual({ host: `127.0.0.1:${other.port}`, accept: 'text/html', connection: 'close' });
  });
});

describe('a compressed answer', () => {
  it.each([
    ['gzip', gzipSync('hello')],
    ['X-GZIP', gzipSync('hello')],
    ['deflate', deflateSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['identity', Buffer.from('hello')],
    ['unheard-of', Buffer.from('hello')],
  ])('is decoded from %s', async (coding, bytes) => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    expect((await send(server.url())).body.toString()).toBe('hello');
  });

  it.each([
    ['GET', { 'content-length': 0 }],
    ['GET', { 'transfer-encoding': 'chunked' }],
    ['HEAD', { 'content-length': 10 }],
  ] as const)('may be empty: %s %j', async (method, framing) => {
    const server = await serve((request, response) =>
      response.writeHead(200, { 'content-encoding': request.url === '/br' ? 'br' : 'gzip', ...framing }).end(),
    );
    expect((await send(server.url('/br'), { method })).body).toHaveLength(0);
    expect((await send(server.url(), { method })).body).toHaveLength(0);
  });

  it('is reported as broken when it does not decode', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    );
    expect(await failure(send(server.url()))).toMatchObject({ reason: 'broken_answer' });
  });
});
