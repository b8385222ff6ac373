import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';
import { page, startStubService, type StubService } from '../support/stub-service.js';

const password = `Basic ${Buffer.from('ada:p w').toString('base64')}`;

let service: StubService;
let proxy: Server;
let asked: string[];
/** Refuses a request by a status, or lets it through. */
let refusal: (authorization: string | undefined) => number | null;

/** A proxy that takes every host for the stub. */
function startProxy(): Server {
  const port = Number(new URL(service.url).port);
  const server = createServer((given, response) => {
    asked.push(`${given.method} ${given.url}`);
    const status = refusal(given.headers['proxy-authorization']);
    if (status !== null) {
      response.writeHead(status).end();
      return;
    }
    const { pathname, search } = new URL(given.url ?? '');
    const options = { port, host: '127.0.0.1', method: given.method, path: pathname + search, headers: given.headers };
    given.pipe(
      request(options, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (given, socket) => {
    asked.push(`CONNECT ${given.url}`);
    const status = refusal(given.headers['proxy-authorization']);
    if (status !== null) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return server.listen(0, '127.0.0.1');
}

beforeAll(async () => {
  service = await startStubService();
  proxy = startProxy();
  await once(proxy, 'listening');
});
afterEach(() => {
  asked = [];
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await service.close();
});

const address = (user = '') => `http://${user}127.0.0.1:${(proxy.address() as AddressInfo).port}`;

async function list(url: string, env: Record<string, string>) {
  service.sends(page([]));
  asked = [];
  return runClient(['issues', 'list', '-o', 'json'], { url, key: 'ssk_x', env });
}

describe('A proxy', () => {
  it('of HTTP_PROXY is asked, with the name and password of its address', async () => {
    refusal = (authorization) => (authorization === password ? null : 407);
    const { code, stdout } = await list('http://store.example', { HTTP_PROXY: address('ada:p%20w@') });
    expect([code, stdout, asked]).toEqual([0, '[]\n', ['GET http://store.example/api/v1/issues?size=100']]);
    expect(service.received.map(({ headers }) => headers['x-api-key'])).toEqual(['ssk_x']);
    expect(service.received[0]?.headers['proxy-authorization']).not.toContain('ssk_x');
  });

  it('takes a report too', async () => {
    refusal = () => null;
    service.sends({ status: 201, json: { scan: { id: 'one' } } });
    const { code } = await runClient(['scans', 'import', '-', '--asset', 'shop', '-o', 'json'], {
      url: 'http://store.example',
      key: 'ssk_x',
      env: { HTTP_PROXY: address() },
      stdin: '{"version": "2.1.0"}',
    });
    expect([code, service.received.length]).toEqual([0, 1]);
  });

  it.each(['http', 'https'])('that asks for a password is named, without it, for %s', async (scheme) => {
    refusal = () => 407;
    const env = { [`${scheme.toUpperCase()}_PROXY`]: address('ada:secret@') };
    const { code, stderr } = await list(`${scheme}://store.example`, env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('asks for a name and password, or takes others')]);
    expect(stderr).toContain(`${scheme.toUpperCase()}_PROXY, as in http://user:password@127.0.0.1`);
    expect(stderr).not.toContain('secret');
  });

  it('that lets nothing through is named', async () => {
    refusal = () => 403;
    const { code, stderr } = await list('https://store.example', { HTTPS_PROXY: address() });
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not let this through (status 403)')]);
    expect(asked).toContain('CONNECT store.example:443');
  });

  it('that is away is named', async () => {
    const { code, stderr } = await list('http://store.example', { HTTP_PROXY: 'http://127.0.0.1:9' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('The proxy http://127.0.0.1:9 (HTTP_PROXY) cannot be reached'),
    ]);
  });

  it('is passed over for this machine, and for what NO_PROXY names', async () => {
    refusal = () => 407;
    expect((await list(service.url, { HTTP_PROXY: address() })).code).toBe(0);
    await list('http://store.invalid', { HTTP_PROXY: address(), NO_PROXY: 'store.invalid' });
    expect(asked).toEqual([]);
  });
});
