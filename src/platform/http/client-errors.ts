import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors/error-codes.js';
import type { Header } from './default-headers.js';

interface Refusal {
  status: string;
  code: ErrorCode;
  detail: string;
}

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'request_header_fields_too_large',
    detail: 'The address and headers of the request are too large: together they may have 16 KiB',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    code: 'payload_too_large',
    detail: 'The chunk extensions of the request body are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    detail: 'The request took too long to arrive: send it again',
  },
};
const notHttp: Refusal = {
  status: '400 Bad Request',
  code: 'bad_request',
  detail: 'The request is not valid HTTP/1.1',
};

function answer({ status, code, detail }: Refusal, usual: readonly Header[]): string {
  const body = JSON.stringify({ detail, code });
  const headers = [
    `HTTP/1.1 ${status}`,
    ...usual.map(([name, value]) => `${name}: ${value}`),
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    'Connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Sends a refusal, if it still can, in response to bytes that Node cannot parse as a request, with the headers of all
 * responses.
 */
export function answerClientErrors(server: Server, usual: readonly Header[]): void {
  /** The unfinished responses of each connection. */
  const unfinished = new WeakMap<Duplex, ServerResponse[]>();
  server.prependListener('request', ({ socket }, response) => {
    const earlier = (unfinished.get(socket) ?? []).filter(({ writableFinished }) => !writableFinished);
    unfinished.set(socket, [...earlier, response]);
  });
  /** Whether an earlier response is still being sent, which another one would garble. */
  const isAnswering = (socket: Duplex): boolean =>
    (unfinished.get(socket) ?? []).some(({ headersSent, writableFinished }) => headersSent && !writableFinished);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) socket.destroy();
    else socket.end(answer(refusals[error.code ?? ''] ?? notHttp, usual), () => socket.destroy());
  });
}
