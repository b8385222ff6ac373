import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../failure.js';

/** More than any payload has. */
const maxBytes = 64 * 2 ** 20;

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Returns the status with which to respond to a webhook. */
export type Answer = (webhook: ReceivedWebhook) => Promise<number>;

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { method, url: path = '/', headers } = request;
  const body = method === 'POST' ? await bodyOf(request) : Buffer.alloc(0);
  if (body === null) response.setHeader('connection', 'close');
  const status = method !== 'POST' ? 405 : body === null ? 413 : await answer({ path, headers, body });
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
}

/** Receives webhooks on this machine; returns the port. */
export async function startReceiver(port: number, answer: Answer): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    receive(request, response, answer).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program has it: name another --port' : error.message;
      reject(new Failure(`Cannot listen on port ${port}: ${reason}`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}
