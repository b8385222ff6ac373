import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Received, type Receiver, startReceiver } from './receiver.js';

/** A web server in place of the service, which responds as the test says. */
export interface StubService {
  url: string;
  received: Received[];
  /** Sets how to respond to the next requests. */
  answers(answer: Receiver['answer']): void;
  /** Sets the responses to the next requests; the last of them is repeated from then on. */
  sends(...answers: StubAnswer[]): void;
  close(): Promise<void>;
}

export interface StubAnswer {
  status?: number;
  json?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

function send(response: ServerResponse, { status = 200, json, text, headers = {} }: StubAnswer): void {
  const type = json === undefined ? 'text/html' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(json === undefined ? text : JSON.stringify(json));
}

export async function startStubService(): Promise<StubService> {
  const receiver = await startReceiver();
  return {
    url: new URL(receiver.url).origin,
    received: receiver.received,
    answers: (answer) => (receiver.answer = answer),
    sends: (...answers) => {
      receiver.received.length = 0;
      const left = [...answers];
      receiver.answer = (response) => send(response, (left.length > 1 ? left.shift() : left[0]) ?? {});
    },
    close: () => receiver.close(),
  };
}

/**
 * A service that refuses every request before reading it. It goes on reading, so that the refusal cannot get lost when the
 * connection closes under the rest of the request.
 */
export async function startEarlyRefuser(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    send(response, { status: 413, json: { detail: 'The report is larger than 50 MiB', code: 'x' } });
    request.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** A service that cuts the first connection in the middle of a body, then accepts everything; records the Idempotency-Keys. */
export async function startCutter(
  json: unknown,
): Promise<{ url: string; keys: unknown[]; close: () => Promise<void> }> {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length > 1) request.resume().on('end', () => send(response, { status: 201, json }));
    else request.once('data', () => request.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, keys, close };
}

/** One page of a list. */
export function page(data: unknown[], nextCursor: string | null = null): StubAnswer {
  return { json: { data, nextCursor } };
}

/** An event as the list shows it. */
export function eventOf(number: number, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `01981c5e-7a60-7c3e-9f0b-${String(number).padStart(12, '0')}`,
    createdAt: new Date(Date.UTC(2026, 0, 1) + number).toISOString(),
    level: 'INFO',
    stage: 'EXECUTION',
    title: `Event ${number}`,
    scanId: '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4',
    issuesCount: 0,
    attachments: [],
    ...fields,
  };
}
