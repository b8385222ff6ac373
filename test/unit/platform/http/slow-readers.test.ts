import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { boundSlowReaders } from '../../../../src/platform/http/slow-readers.js';

const bounds = { maxConnections: 10, answerMemoryMegabytes: 4, unreadSeconds: 30 };
const megabyte = 2 ** 20;
const proxy = '10.0.0.1';

class FakeSocket extends EventEmitter {
  destroyed = false;
  writableLength = 0;
  bytesWritten = 0;

  constructor(readonly remoteAddress: string) {
    super();
  }

  /** Has so many bytes wait, none of which leave. */
  wait(bytes: number): this {
    this.writableLength += bytes;
    this.bytesWritten += bytes;
    return this;
  }

  destroy(): void {
    this.destroyed = true;
    this.writableLength = 0;
    this.emit('close');
  }

  resetAndDestroy(): void {
    this.destroy();
  }
}

let server: EventEmitter;
beforeEach(() => {
  jest.useFakeTimers();
  server = new EventEmitter();
  boundSlowReaders(server as Server, bounds, (address) => address === proxy);
});
afterEach(() => {
  server.emit('close');
  jest.useRealTimers();
});

function connect(address: string): FakeSocket {
  const socket = new FakeSocket(address);
  server.emit('connection', socket);
  return socket;
}

const ended = (sockets: FakeSocket[]) => sockets.map(({ destroyed }) => destroyed);

describe('boundSlowReaders', () => {
  it.each([
    ['an address', ['203.0.113.5', '203.0.113.5', '::ffff:203.0.113.5']],
    ['the /64 of an IPv6 subscriber', ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:f::3']],
  ])('grants a quarter of the memory to %s', (_, addresses) => {
    const sockets = addresses.map((address) => connect(address).wait(0.4 * megabyte));
    const other = connect('198.51.100.1').wait(0.9 * megabyte);
    jest.advanceTimersByTime(500);
    expect(ended([...sockets, other])).toEqual([true, false, false, false]);
  });

  it.each([proxy, '127.0.0.1', '::1'])('grants all of it to %s, which stands for many callers', (address) => {
    const sockets = [1, 2, 3].map(() => connect(address).wait(megabyte));
    jest.advanceTimersByTime(500);
    expect(ended(sockets)).toEqual([false, false, false]);
    const more = [1, 2].map(() => connect(address).wait(megabyte));
    jest.advanceTimersByTime(500);
    expect(ended([...sockets, ...more])).toEqual([true, false, false, false, false]);
  });

  it('ends those first from which nothing left for longest', () => {
    const stuck = connect(proxy).wait(2 * megabyte);
    const slow = connect(proxy).wait(1.5 * megabyte);
    jest.advanceTimersByTime(1_000);
    slow.writableLength -= 1_000;
    const fresh = connect(proxy).wait(megabyte);
    jest.advanceTimersByTime(500);
    expect(ended([stuck, slow, fresh])).toEqual([true, false, false]);
  });

  it('ends one that has been behind for five seconds where all connections are taken', () => {
    const sockets = Array.from({ length: 10 }, (_, n) => connect(`203.0.113.${n}`).wait(n < 3 ? 1_000 : 0));
    jest.advanceTimersByTime(4_500);
    expect(ended(sockets)).not.toContain(true);
    jest.advanceTimersByTime(1_000);
    expect(ended(sockets).filter(Boolean)).toHaveLength(1);
  });

  it('leaves alone who waits for an answer that is being made, whatever waits behind it', () => {
    const socket = connect('203.0.113.5');
    const [first, second] = [0, megabyte / 2].map((writableLength) =>
      Object.assign(new EventEmitter(), { socket: null as FakeSocket | null, writableLength }),
    );
    for (const answer of [first, second]) server.emit('request', { socket }, answer);
    if (first) first.socket = socket;
    server.emit('timeout', socket);
    expect(socket.destroyed).toBe(false);
    socket.wait(1_000);
    server.emit('timeout', socket);
    expect(socket.destroyed).toBe(true);
  });

  it('ends who asked before and does not ask again, but not who has not asked yet', () => {
    const [silent, idle] = [connect('203.0.113.5'), connect('203.0.113.6')];
    const answer = Object.assign(new EventEmitter(), { socket: idle, writableLength: 0 });
    server.emit('request', { socket: idle }, answer);
    answer.emit('close');
    for (const socket of [silent, idle]) server.emit('timeout', socket);
    expect(ended([silent, idle])).toEqual([false, true]);
  });
});
