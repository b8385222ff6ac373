import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { HttpService } from '@nestjs/axios';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axios from 'axios';
import { AxiosExchange, exchangeOptions } from '../../../../src/platform/net/axios-exchange.js';
import { parseEgressAllow } from '../../../../src/platform/net/egress-allow.js';
import { EgressProxy, parseEgressProxy, proxiedAgents } from '../../../../src/platform/net/egress-proxy.js';
import { Egress } from '../../../../src/platform/net/host-approval.js';
import { OutboundHttp } from '../../../../src/platform/net/outbound-http.js';
import { startReceiver, type Receiver } from '../../../support/receiver.js';

let receiver: Receiver;
const asked: { authority: string; authorization: string | undefined }[] = [];
const proxy = createServer();
proxy.on('connect', (request, socket) => {
  const authorization = request.headers['proxy-authorization'];
  asked.push({ authority: request.url ?? '', authorization });
  if (authorization !== `Basic ${Buffer.from('bob:s3cret').toString('base64')}`) {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    return;
  }
  const [host, port] = (request.url ?? '').split(':');
  const target = connect(Number(port), host, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.pipe(socket).pipe(target);
  });
  target.on('error', () => socket.destroy());
});

beforeAll(async () => {
  receiver = await startReceiver();
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  await receiver.close();
  proxy.close();
});

/** The door of a service whose names resolve to this address. */
function door(credentials: string, address = '127.0.0.1'): OutboundHttp {
  const { port } = proxy.address() as AddressInfo;
  const egress = new Egress(parseEgressAllow('hooks.internal'), () => Promise.resolve([{ address, family: 4 }]));
  const agents = proxiedAgents(new EgressProxy(parseEgressProxy(`http://${credentials}127.0.0.1:${port}`), egress));
  const http = new HttpService(axios.create({ ...exchangeOptions(egress), ...agents }));
  return new OutboundHttp(egress, new AxiosExchange(http));
}

const request = (host: string) => ({
  url: `http://${host}:${new URL(receiver.url).port}/hook`,
  method: 'POST' as const,
  body: Buffer.from('{}'),
  maxRedirects: 0,
  timeoutMs: 10_000,
  maxBytes: 1_000,
  onTooLarge: 'truncate' as const,
});

describe('EGRESS_PROXY', () => {
  it('sends through the proxy, with its password, to the address that was approved here', async () => {
    const { status } = await door('bob:s3cret@').send(request('hooks.internal'));
    expect(status).toBe(200);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers['proxy-authorization']).toBeUndefined();
    expect(asked.at(-1)?.authority).toBe(`127.0.0.1:${new URL(receiver.url).port}`);
  });

  it.each([
    ['', 'asks for a password (407)'],
    ['bob:wrong@', 'refuses its password (407)'],
  ])('says that the proxy refuses the credentials "%s"', async (credentials, words) => {
    await expect(door(credentials).send(request('hooks.internal'))).rejects.toThrow(words);
  });

  it('refuses private addresses as without a proxy, and asks the proxy nothing', async () => {
    const before = asked.length;
    await expect(door('bob:s3cret@', '10.0.0.1').send(request('rebound.example.com'))).rejects.toThrow('private');
    await expect(door('bob:s3cret@').send(request('127.0.0.1'))).rejects.toThrow('private');
    expect(asked).toHaveLength(before);
  });

  it('is refused at the start where it is no address of a proxy', () => {
    expect(() => parseEgressProxy('socks5://127.0.0.1')).toThrow('write it like');
    expect(() => parseEgressProxy('proxy')).toThrow('write it like');
  });
});
