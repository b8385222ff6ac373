import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../../support/accounts.js';
import { type Operation, Operations } from '../../support/operations.js';
import { faultOfAnswer, faultOfRefusal } from '../../support/refusals.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let token: string;
let operations: Operations;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await insertAdmin(app));
  const own = await app.api.post<{ id: string }>('/api/v1/organizations', { token, json: { name: 'Own' } });
  operations = await Operations.of(app, { organizationId: own.body.id });
});
afterEach(async () => {
  expect((await app.api.get('/health')).status).toBe(200);
});
afterAll(() => app.close());

interface RawAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Sends a path as written; `fetch` would normalize it. */
function getAsWritten(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.baseUrl);
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          body: isJson ? (JSON.parse(text) as unknown) : text,
        });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Writes bytes to the port and returns all that comes back. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

/** The faults in the responses when each parameter in turn has this value. */
async function faultsOfAll(value: string): Promise<string[]> {
  const faults: string[] = [];
  for (const operation of operations.all().filter(isHarmless)) {
    for (const { name } of operation.parameters.filter((one) => one.in !== 'header')) {
      const address = operations.address(operation, { [name]: value });
      const answer = await app.api.send(operation.method, address, { token });
      const fault = faultOfAnswer(answer);
      if (fault) faults.push(`${operation.method} ${address.slice(0, 200)}: ${fault}`);
    }
  }
  return faults;
}

/** Calls by which the admin could delete their own account or change later responses. */
function isHarmless({ method, path }: Operation): boolean {
  return !(method === 'DELETE' && path.endsWith('/me/profile'));
}

describe('Every parameter of every address', () => {
  it.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['0', '0'],
    ['-0', '-0'],
    ['-1', '-1'],
    ['1.5', '1.5'],
    ['1e400', '1e400'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['0x10', '0x10'],
    ['2**31', '2147483648'],
    ['-2**31 - 1', '-2147483649'],
    ['2**63', '9223372036854775808'],
    ['-2**63 - 1', '-9223372036854775809'],
    ['a hundred digits', '9'.repeat(100)],
    ['a NUL', '\0'],
    ['a NUL within', '1\u00002'],
    ['line feeds', '\r\n\r\nX: y'],
    ['an emoji', '😀'],
    ['a way up', '../../etc/passwd'],
    ['a slash', '1/2'],
    ['SQL', `1'; DROP TABLE users; --`],
    ['wildcards', String.raw`%_\%`],
    ['a template', '{{7*7}}${7*7}'],
    ['a prototype', '__proto__'],
    ['a constructor', 'constructor'],
    ['a UUID', '00000000-0000-0000-0000-000000000000'],
    ['a long text', 'x'.repeat(5_000)],
  ])('may hold %s without harm', async (_, value) => {
    expect(await faultsOfAll(value)).toEqual([]);
  });
});

describe('An address that is not proper text', () => {
  it.each(['%', '%f', '%ff', '%c0%af', '%ed%a0%80', '%E0%A4%A', '%u0041', '%zz'])(
    'is a 422 with %s in the path',
    async (text) => {
      for (const path of ['/api/v1/products/', '/api/v1/orders/', '/api/v1/users/', '/api/v1/testimonials/']) {
        const answer = await getAsWritten(path + text);
        expect([answer.status, faultOfRefusal(answer)]).toEqual([422, null]);
      }
    },
  );

  it.each(['%', '%ff', '%c0%af', '%00', '%E0%A4%A'])('gets a proper response with %s in the query', async (text) => {
    for (const path of [
      `/api/v1/products/?skip=${text}`,
      `/api/v1/products/search/?q=${text}`,
      `/api/v1/products/filter/by-color?color=${text}&sort=${text}`,
      `/api/v1/orders/coupons/validate?code=${text}`,
      `/api/v1/products/?${text}=${text}`,
    ]) {
      expect(faultOfAnswer(await getAsWritten(path))).toBeNull();
    }
  });

  it.each([
    'skip=1&skip=2',
    'skip[]=1',
    'skip[a]=1',
    'skip[__proto__]=1',
    '__proto__=1&constructor=2&toString=3',
    '&&&===&',
    '?',
    `skip=1${'&a=b'.repeat(2_000)}`,
  ])('gets a proper response with the query "%.40s"', async (query) => {
    const answer = await getAsWritten(`/api/v1/products/?${query}`);
    expect([answer.status, faultOfAnswer(answer)]).toEqual([200, null]);
  });
});

describe('An unknown path or method', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/api'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1/products/1/2'],
    ['GET', '/api/v1/products//'],
    ['GET', '//api/v1/products/'],
    ['GET', '/api/v1/products/../../../etc/passwd'],
    ['GET', '/API/V2/products/'],
    ['GET', `/${'a'.repeat(8_000)}`],
    ['DELETE', '/api/v1/products/1'],
    ['PATCH', '/api/v1/products/1'],
    ['POST', '/api/v1/products/1'],
    ['PUT', '/api/v1/products/'],
    ['PROPFIND', '/api/v1/products/'],
    ['TRACE', '/api/v1/products/'],
    ['PURGE', '/health'],
  ])('is refused in the usual format: %s %.60s', async (method, path) => {
    const answer = await getAsWritten(path, {}, method);
    expect([answer.status === 404 || answer.status === 405, faultOfRefusal(answer)]).toEqual([true, null]);
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const get = await getAsWritten('/api/v1/products/');
    const head = await getAsWritten('/api/v1/products/', {}, 'HEAD');
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('x-request-id')).toBeTruthy();
  });

  it('responds with 404 to HEAD of something missing', async () => {
    expect((await getAsWritten('/api/v1/products/999', {}, 'HEAD')).status).toBe(404);
  });

  it('responds to OPTIONS', async () => {
    expect(faultOfAnswer(await getAsWritten('/api/v1/products/', {}, 'OPTIONS'))).toBeNull();
  });
});

describe('Odd headers', () => {
  it('are refused with 431 in the usual format when too large', async () => {
    const long = 'x'.repeat(20_000);
    for (const answer of [await getAsWritten('/health', { 'x-long': long }), await getAsWritten(`/${long}`)]) {
      expect([answer.status, faultOfRefusal(answer)]).toEqual([431, null]);
    }
  });

  it.each(['Bearer', 'Bearer ', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'bearer', `Bearer ${'x'.repeat(10_000)}`])(
    'of authorization are a 401: %.20s',
    async (authorization) => {
      const answer = await getAsWritten('/api/v1/admin/stats', { authorization });
      expect([answer.status, faultOfRefusal(answer)]).toEqual([401, null]);
    },
  );

  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(500), '<script>'])('of x-request-id are not echoed: "%.20s"', async (id) => {
    const { headers } = await getAsWritten('/health', { 'x-request-id': Buffer.from(id).toString('latin1') });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of x-request-id are kept when valid', async () => {
    const { headers } = await getAsWritten('/api/v1/products/999', { 'x-request-id': 'my-own:1' });
    expect(headers.get('x-request-id')).toBe('my-own:1');
  });
});

describe('What is not HTTP', () => {
  it.each([
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nBad Header: 1\r\n\r\n',
    'POST /api/v1/products/ HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    'POST /api/v1/products/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    'POST /api/v1/products/ HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api/v1/products/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ])('is refused with 400: %j', async (bytes) => {
    const [head = ''] = (await exchange(bytes)).split('\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('is refused in the usual format', async () => {
    const answer = await exchange('GARBAGE\r\n\r\n');
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ detail: expect.any(String), code: 'bad_request' });
  });

  it('keeps the service alive when a client disconnects in the middle of a body', async () => {
    const { port } = new URL(app.baseUrl);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        const head = 'POST /api/v1/products/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
        socket.write(`${head}Content-Length: 100\r\n\r\n{"name":`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    expect((await app.api.get('/api/v1/products/')).status).toBe(200);
  });
});
