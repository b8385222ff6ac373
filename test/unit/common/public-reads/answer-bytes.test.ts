import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeAnswer } from '../../../../src/common/public-reads/answer-bytes.js';
import { readyAnswer } from '../../../../src/common/public-reads/ready-answer.js';
import { until } from '../../../support/receiver.js';

const defaults = ['X-Default', 'yes'];

let server: Server;
beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
});

/** A connection whose caller does not read yet: the service's end, and the caller's. */
async function connection(): Promise<[ours: Socket, caller: Socket]> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  return [(await accepted)[0], caller];
}

async function received(caller: Socket, length: number): Promise<string> {
  let text = '';
  caller.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  await until(() => text.length >= length, 'all bytes');
  return text;
}

function write(name: string, length: number, socket: Socket): void {
  const answer = readyAnswer(name.repeat(length), defaults);
  writeAnswer(answer, { requestId: 'an-id', ifNoneMatch: undefined, keepAliveTimeout: 5_000 }, socket);
}

function bodiesIn(text: string): string[] {
  return text.split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s).slice(1);
}

describe('writeAnswer', () => {
  it.each([1, 20_000, 200_000])('writes a response of %s characters whole', async (length) => {
    const [ours, caller] = await connection();
    write('a', length, ours);
    expect(bodiesIn(await received(caller, length))).toEqual([JSON.stringify('a'.repeat(length))]);
    caller.destroy();
  });

  it('does not overwrite what a caller has not read yet', async () => {
    const [ours, caller] = await connection();
    const [another, otherCaller] = await connection();
    let written = 0;
    for (; ours.writableLength === 0; written++) write('a', 20_000, ours);
    write('b', 20_000, another);
    const bodies = bodiesIn(await received(caller, ours.bytesWritten));
    expect(bodies).toHaveLength(written);
    expect(new Set(bodies)).toEqual(new Set([JSON.stringify('a'.repeat(20_000))]));
    caller.destroy();
    otherCaller.destroy();
  });
});
