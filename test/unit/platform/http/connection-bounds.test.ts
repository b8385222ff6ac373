import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { boundConnections } from '../../../../src/platform/http/connection-bounds.js';

const bounds = {
  maxConnections: 16,
  requestTimeoutSeconds: 60,
  production: false,
  trustProxy: false,
} as const;
const proxy = '10.0.0.1';

class FakeSocket extends EventEmitter {
  destroyed = false;

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function boundedServer(): (address: string) => FakeSocket {
  const server = new EventEmitter();
  boundConnections(server as Server, bounds, (address) => address === proxy);
  return (address) => {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    return socket;
  };
}

describe('boundConnections', () => {
  it.each([
    ['an address', ['203.0.113.5', '203.0.113.5', '::ffff:203.0.113.5']],
    ['the /64 of an IPv6 subscriber', ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:f::3']],
  ])('closes the connections of %s beyond its limit', (_, addresses) => {
    const connect = boundedServer();
    expect(addresses.map(connect).map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
    expect(connect('198.51.100.1').destroyed).toBe(false);
  });

  it('frees a place when a connection ends', () => {
    const connect = boundedServer();
    const [first] = [connect('203.0.113.5'), connect('203.0.113.5')];
    first.destroy();
    expect(connect('203.0.113.5').destroyed).toBe(false);
    expect(connect('203.0.113.5').destroyed).toBe(true);
  });

  it.each([proxy, '127.0.0.1', '::1'])(
    'does not count the connections of %s, which stand for many callers',
    (address) => {
      const connect = boundedServer();
      expect([1, 2, 3, 4].map(() => connect(address).destroyed)).toEqual([false, false, false, false]);
    },
  );

  it('leaves it to a proxy to close idle connections', () => {
    const [direct, behindProxy] = [createServer(), createServer()];
    boundConnections(direct, bounds, () => false);
    boundConnections(behindProxy, { ...bounds, trustProxy: 1 }, () => true);
    const longestOfProxiesMs = 120_000;
    expect(behindProxy.keepAliveTimeout).toBeGreaterThan(longestOfProxiesMs);
    expect(direct.keepAliveTimeout).toBeLessThan(longestOfProxiesMs);
  });
});
