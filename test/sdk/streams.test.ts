import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createStoreClient,
  readServerSentEvents,
  type ServerSentEvent,
  type StoreClient,
  StoreApiError,
  streamedBody,
} from '../../packages/sdk/src/index.js';

let server: Server;
let baseUrl: string;
/** How the service answers the next requests. */
let answers: (request: IncomingMessage, response: ServerResponse) => void;
let received: IncomingMessage[];
beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request);
    answers(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function storeThat(answer: typeof answers): StoreClient {
  received = [];
  answers = answer;
  return createStoreClient({ baseUrl, apiKey: 'ssk_x', retry: { limit: 2, delayMs: 1 } });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function allOf(stream: AsyncIterable<ServerSentEvent[]>): Promise<ServerSentEvent[][]> {
  const seen: ServerSentEvent[][] = [];
  for await (const events of stream) seen.push(events);
  return seen;
}

describe('readServerSentEvents', () => {
  const read = (...chunks: (string | Uint8Array)[]) => {
    const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
    return allOf(readServerSentEvents(ReadableStream.from(bytes)));
  };

  it('yields the events that each chunk completed, in any cut, and none for a heartbeat', async () => {
    const first = { event: 'message', id: '1', data: '{"a":1}' };
    expect(await read(': open\n\n', 'id: 1\r\nda', 'ta: {"a":1}\r\n\r', '\nid: 2\n\n')).toEqual([
      [],
      [],
      [],
      [first, { event: 'message', id: '2' }],
    ]);
  });

  it('reads names of events, lines of data, waits, and letters that are cut in two', async () => {
    const end = 'event:end\nretry: 2000\ndata: one\ndata:two\n\n';
    expect(await read(end, 'retry: soon\ndata: x\n\n')).toEqual([
      [{ event: 'end', data: 'one\ntwo', retryMs: 2_000 }],
      [{ event: 'message', data: 'x' }],
    ]);
    const letter = new TextEncoder().encode('data: ü\n\n');
    expect(await read(letter.slice(0, 7), letter.slice(7))).toEqual([[], [{ event: 'message', data: 'ü' }]]);
  });
});

describe('streamEvents', () => {
  const begin = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
  };

  it('follows a stream to its end, with the filters, the cursor and the key', async () => {
    const store = storeThat((_request, response) => {
      begin(response);
      response.end('id: 8\ndata: {"title":"One"}\n\n');
    });
    const seen = await allOf(store.streamEvents({ query: { levels: ['ERROR', 'INFO'], after: '7' } }));
    expect(seen.flat()).toEqual([{ event: 'message', id: '8', data: '{"title":"One"}' }]);
    expect(received.map(({ url, headers }) => [url, headers.accept, headers['x-api-key']])).toEqual([
      ['/api/v1/events/stream?levels=ERROR&levels=INFO&after=7', 'text/event-stream', 'ssk_x'],
    ]);
  });

  it.each<[string, typeof answers]>([
    ['sends nothing', (_request, response) => begin(response)],
    ['holds back its headers', () => undefined],
    ['is a page', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>')],
  ])('ends without an event where the stream %s', async (_, answer) => {
    expect(await allOf(storeThat(answer).streamEvents({ firstMs: 50 }))).toEqual([]);
  });

  it('ends when the stream falls silent', async () => {
    const store = storeThat((_request, response) => {
      begin(response);
      response.write(': open\n\n');
    });
    expect(await allOf(store.streamEvents({ idleMs: 50 }))).toEqual([[]]);
  });

  it('throws a refusal, a lost connection, and the reason of its signal', async () => {
    const refused = storeThat((_request, response) => json(response, 422, { detail: [] }));
    await expect(allOf(refused.streamEvents())).rejects.toBeInstanceOf(StoreApiError);
    const lost = storeThat((_request, response) => {
      begin(response);
      response.write(': open\n\n', () => response.destroy());
    });
    await expect(allOf(lost.streamEvents())).rejects.toBeInstanceOf(TypeError);
    const silent = storeThat((_request, response) => begin(response));
    const stop = new AbortController();
    const following = allOf(silent.streamEvents({ signal: stop.signal }));
    stop.abort(new Error('left'));
    await expect(following).rejects.toThrow('left');
  });
});

describe('streamedBody', () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const text of ['{"version":', '"2.1.0"}']) yield new TextEncoder().encode(text);
  }
  const read = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };

  it('sends bytes as they are read as the body itself', async () => {
    const bodies: Promise<string>[] = [];
    const store = storeThat((request, response) => {
      bodies.push(read(request));
      request.on('end', () => json(response, 201, { scan: { id: 'one' } }));
    });
    const query = { asset: 'shop' };
    await store.scans.import({ query, ...streamedBody(bytes(), { size: 19, idempotencyKey: 'k-1' }) });
    await store.scans.import({ query, ...streamedBody(ReadableStream.from(bytes())) });
    expect(await Promise.all(bodies)).toEqual(Array(2).fill('{"version":"2.1.0"}'));
    const [sized, unsized] = received.map(({ url, headers }) => ({ url, ...headers }));
    const type = 'application/octet-stream';
    expect(sized).toMatchObject({ 'content-type': type, 'content-length': '19', 'idempotency-key': 'k-1' });
    expect(unsized).toMatchObject({ 'content-type': type, 'transfer-encoding': 'chunked' });
    expect(sized?.url).toBe('/api/v1/scans/import?asset=shop');
  });

  it('is not repeated, since a stream can be read once', async () => {
    const store = storeThat((request, response) => {
      request.resume().on('end', () => json(response, 503, { detail: 'Restarting', code: 'unavailable' }));
    });
    const call = store.scans.import(streamedBody(bytes(), { idempotencyKey: 'k-1' }));
    await expect(call).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(1);
  });
});
