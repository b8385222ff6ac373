import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { answerClientErrors } from '../../../../src/platform/http/client-errors.js';

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** The statuses that arrive where a request is followed, once its answer has begun, by what is not HTTP. */
async function statusesBeforeGarbage(handler: RequestListener, requests = request): Promise<string[]> {
  const server = createServer(handler);
  answerClientErrors(server, []);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.once('data', () => socket.write('GARBAGE\r\n\r\n'));
  socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
  socket.on('error', () => undefined);
  socket.write(requests);
  await once(socket, 'close');
  server.close();
  return received.match(/HTTP\/1\.1 \d+/g) ?? [];
}

describe('Bytes that are no request', () => {
  it('are refused after an answer that is finished', async () => {
    const statuses = await statusesBeforeGarbage((_, response) => response.end('all'));
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('end the connection, and garble no answer that is still being sent', async () => {
    const statuses = await statusesBeforeGarbage((_, response) => response.write('half'));
    expect(statuses).toEqual(['HTTP/1.1 200']);
  });

  it('garble none that a second request waits behind', async () => {
    const statuses = await statusesBeforeGarbage((_, response) => response.write('half'), request + request);
    expect(statuses).toEqual(['HTTP/1.1 200']);
  });
});
