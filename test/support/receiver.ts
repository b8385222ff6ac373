import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  bytes: Buffer;
  at: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** How to respond to the next requests, instead of with a 200. */
  answer: (response: ServerResponse, request: Received) => void;
  /** Responds to the next requests with these statuses, then with 200. */
  answerWith(...statuses: number[]): void;
  /** Waits until this many requests have come. */
  has(count: number): Promise<Received[]>;
  /** Waits for the request with this index, and returns its JSON. */
  payload<Payload>(index: number): Promise<Payload>;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Below the limit of a test, so that what was waited for is named; far beyond what anything takes on a busy machine. */
const patienceMs = 150_000;

/** Waits until `holds` is true. Checks that cost the service work are made less often than cheap ones. */
export async function until(holds: () => Promise<boolean> | boolean, what = 'it', pauseMs = 20): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** A web server on loopback that keeps the requests it receives. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    bodyOf(request).then(
      (bytes) => {
        const { method = '', url = '', headers, rawHeaders } = request;
        const received = { method, path: url, headers, rawHeaders, bytes, at: Date.now() };
        receiver.received.push(received);
        receiver.answer(response, received);
      },
      () => undefined,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: (response) => response.end('thanks'),
    answerWith: (...statuses) => {
      receiver.answer = (response) => response.writeHead(statuses.shift() ?? 200).end();
    },
    has: async (count) => {
      await until(() => receiver.received.length >= count, `${count} requests`);
      return receiver.received;
    },
    payload: async <Payload>(index: number) => {
      const request = (await receiver.has(index + 1))[index];
      return JSON.parse(String(request?.bytes)) as Payload;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
