import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RepeatedRequests } from '../../../../src/common/public-reads/repeated-requests.js';
import { RawConnection } from '../../../support/raw-connection.js';
import { until } from '../../../support/receiver.js';

interface Known {
  name: string;
}

let server: Server;
let parsed: string[];
let mayAnswer: boolean;
let connections: RawConnection[];
let release: () => void;
beforeEach(async () => {
  parsed = [];
  mayAnswer = true;
  connections = [];
  server = createServer();
  const repeated = new RepeatedRequests<Known>(answerAgain);
  repeated.standBefore(server);
  server.on('request', (request, response) => {
    const { url = '' } = request;
    parsed.push(url);
    if (url.startsWith('/kept/')) {
      repeated.remember(request, { name: url });
      response.end(bodyOf(url));
    } else if (url === '/held') {
      release = () => void response.end(url);
    } else {
      void lengthOf(request).then((length) => response.end(`${url} ${length}`));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const connection of connections) connection.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function bodyOf(path: string): string {
  return path === '/kept/large' ? 'x'.repeat(200_000) : path;
}

function answerAgain({ name }: Known, socket: Socket): boolean {
  const body = bodyOf(name);
  if (mayAnswer) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX-Again: yes\r\n\r\n${body}`);
  return mayAnswer;
}

async function lengthOf(request: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const bytes of request) length += (bytes as Buffer).length;
  return length;
}

async function open(): Promise<RawConnection> {
  const connection = await RawConnection.open((server.address() as AddressInfo).port);
  connections.push(connection);
  return connection;
}

function get(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: here', ...headers, '', ''].join('\r\n');
}

function post(path: string, body: string): string {
  return [`POST ${path} HTTP/1.1`, 'Host: here', `Content-Length: ${body.length}`, '', body].join('\r\n');
}

function postChunked(path: string, body: string): string {
  const head = [`POST ${path} HTTP/1.1`, 'Host: here', 'Transfer-Encoding: chunked', '', ''].join('\r\n');
  return `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

/** Whether a repeated request is answered from its bytes on this connection. */
async function isAgain(connection: RawConnection, request: string): Promise<boolean> {
  return (await connection.ask(request))?.head.includes('X-Again') ?? false;
}

describe('A request with the bytes of one before', () => {
  it('is answered without being parsed', async () => {
    const connection = await open();
    for (let n = 0; n < 4; n++) await connection.ask(get('/kept/1'));
    expect(connection.answers.map(({ body }) => body)).toEqual(Array(4).fill('/kept/1'));
    expect(parsed).toEqual(['/kept/1']);
  });

  it('is parsed if it is the first on its connection, whose time Node limits until then', async () => {
    await (await open()).ask(get('/kept/1'));
    const connection = await open();
    expect(await isAgain(connection, get('/kept/1'))).toBe(false);
    expect(await isAgain(connection, get('/kept/1'))).toBe(true);
  });

  it('is parsed if the response cannot be sent again', async () => {
    const connection = await open();
    await connection.ask(get('/kept/1'));
    mayAnswer = false;
    expect(await isAgain(connection, get('/kept/1'))).toBe(false);
    mayAnswer = true;
    expect(await isAgain(connection, get('/kept/1'))).toBe(true);
  });

  it('waits for the response to the previous one', async () => {
    const connection = await open();
    await connection.ask(get('/kept/1'));
    connection.send(get('/held'));
    await until(() => parsed.length === 2, 'the request that is held');
    connection.send(get('/kept/1'));
    await until(() => parsed.length === 3, 'the next one to be parsed');
    expect(connection.answers).toHaveLength(1);
    release();
    await connection.answer(3);
    expect(connection.answers.map(({ body }) => body)).toEqual(['/kept/1', '/held', '/kept/1']);
  });

  it('waits for a caller that does not read', async () => {
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const connection = await open();
    const ours = await accepted;
    await connection.ask(get('/kept/large'));
    connection.socket.pause();
    for (let n = 0; n < 60; n++) {
      const read = ours.bytesRead;
      connection.send(get('/kept/large'));
      await until(() => ours.bytesRead > read || ours.isPaused(), 'the request to arrive alone');
    }
    expect(ours.writableLength).toBeLessThan(2 ** 20);
  });

  it('keeps its connection alive', async () => {
    server.headersTimeout = 40;
    server.keepAliveTimeout = 150;
    const connection = await open();
    for (let n = 0; n < 10; n++) {
      await connection.ask(get('/kept/1'));
      await sleep(20); // so that more time passes than a request may take to arrive
    }
    expect([connection.answers.length, parsed.length]).toEqual([10, 1]);
    await until(() => connection.closed, 'the idle connection to be closed');
  });
});

describe('What is not remembered', () => {
  it.each([
    ['an id of its own', get('/kept/1', 'X-Request-Id: mine')],
    ['an end of its connection', get('/kept/1', 'Connection: close')],
    ['a body', post('/kept/1', 'body')],
    ['an empty body', post('/kept/1', '')],
    ['another method', get('/kept/1').replace('GET', 'HEAD')],
    ['an expectation', get('/kept/1', 'Expect: 100-continue')],
    ['more headers than a browser sends', get('/kept/1', `Cookie: ${'a'.repeat(2_048)}`)],
    ['another version of the protocol', get('/kept/1', 'Connection: keep-alive').replace('1.1', '1.0')],
  ])('includes a request with %s', async (_what, request) => {
    for (let n = 0; n < 3; n++) {
      const connection = await open();
      await connection.ask(get('/first'));
      await connection.ask(request);
    }
    expect(parsed.filter((url) => url === '/kept/1')).toHaveLength(3);
  });
});

describe('A connection', () => {
  it.each([
    ['two requests at once', get('/kept/1') + get('/kept/2'), 2],
    ['a body in chunks', postChunked('/posted', 'body'), 1],
  ])('is left to Node after %s', async (_what, bytes, count) => {
    const connection = await open();
    await connection.ask(get('/kept/1'));
    connection.send(bytes);
    await connection.answer(1 + count);
    expect(await isAgain(connection, get('/kept/1'))).toBe(false);
  });

  it('continues after a body that came in pieces', async () => {
    const connection = await open();
    await connection.ask(get('/kept/1'));
    const bytes = post('/posted', 'a body');
    connection.send(bytes.slice(0, -4));
    await until(() => parsed.length === 2, 'the head');
    connection.send(bytes.slice(-4));
    expect((await connection.answer(2))?.body).toBe('/posted 6');
    expect(await isAgain(connection, get('/kept/1'))).toBe(true);
  });

  it('treats the bytes of a known request within a body as body', async () => {
    const connection = await open();
    const known = get('/kept/1');
    await connection.ask(known);
    connection.send(post('/posted', known).slice(0, -known.length));
    await until(() => parsed.length === 2, 'the head');
    connection.send(known);
    expect((await connection.answer(2))?.body).toBe(`/posted ${known.length}`);
    expect(await isAgain(connection, known)).toBe(true);
  });

  it('treats them as a header while a head is unfinished', async () => {
    const connection = await open();
    await connection.ask(get('/kept/1'));
    connection.send('GET /other HTTP/1.1\r\nHost: here\r\nX-Rest: ');
    await sleep(20); // so that they arrive separately
    connection.send(get('/kept/1'));
    await connection.answer(2);
    expect(parsed).toEqual(['/kept/1', '/other']);
  });
});

describe('Any requests, in any pieces', () => {
  const requests = fc.oneof(
    fc.constantFrom('/kept/1', '/kept/2').map((path) => ({ bytes: get(path), body: path })),
    fc.constantFrom('/one', '/two').map((path) => ({ bytes: get(path), body: `${path} 0` })),
    fc.constantFrom('', 'short', get('/kept/1')).map((body) => ({
      bytes: post('/posted', body),
      body: `/posted ${body.length}`,
    })),
    fc.constant({ bytes: postChunked('/posted', 'hello'), body: '/posted 5' }),
  );
  const scripts = fc.array(fc.record({ request: requests, cut: fc.nat(200), waits: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });

  it('get their responses, each once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const connection = await open();
        for (const [at, { request, cut, waits }] of script.entries()) {
          const pieces = [request.bytes.slice(0, cut), request.bytes.slice(cut)].filter(Boolean);
          for (const piece of pieces) {
            connection.send(piece);
            if (waits) await sleep(1);
          }
          if (waits) await connection.answer(at + 1);
        }
        await connection.answer(script.length);
        expect(connection.answers.map(({ body }) => body)).toEqual(script.map(({ request }) => request.body));
        connection.close();
      }),
      { numRuns: 150 },
    );
  });
});
