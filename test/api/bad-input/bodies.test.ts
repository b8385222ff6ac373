import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../../support/accounts.js';
import type { ApiAnswer, ApiRequest } from '../../support/api-client.js';
import { type Operation, Operations, type Schema } from '../../support/operations.js';
import { faultOfAnswer, faultOfRefusal } from '../../support/refusals.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const json = { 'content-type': 'application/json' };
const deep = 100_000;

let app: TestApp;
let token: string;
/** Operations that read their bodies themselves once they have found their scan; tests of their own cover them. */
const readAsStream = /\/scans\/(import|\{\w+\}\/(events|issues))$/;

let operations: Operations;
let taking: (Operation & { body: Schema })[];
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await insertAdmin(app));
  const own = await app.api.post<{ id: string }>('/api/v1/organizations', { token, json: { name: 'Own' } });
  operations = await Operations.of(app, { organizationId: own.body.id });
  taking = operations.withBody().filter(({ path }) => !readAsStream.test(path));
});
afterEach(async () => {
  expect((await app.api.get('/health')).status).toBe(200);
});
afterAll(() => app.close());

/** Operations that need no body, as of a browser with a cookie: an empty one is no fault there. */
const canDoWithout = /\/auth\/(refresh|logout)$|\/orders\/\{order_id\}\/payment$/;

/** The faults in the responses of all operations with a body to this request. */
async function faultsOfAll(request: ApiRequest, status?: number, isNone = false): Promise<string[]> {
  const faults: string[] = [];
  for (const operation of taking.filter(({ path }) => !isNone || !canDoWithout.test(path))) {
    const answer = await app.api.send(operation.method, operations.address(operation), { token, ...request });
    const fault = faultOfRefusal(answer) ?? (status && answer.status !== status ? `${answer.status}` : null);
    if (fault) faults.push(`${operation.method} ${operation.path}: ${fault}`);
  }
  return faults;
}

describe('Every operation that takes a body', () => {
  it('is covered here', () => {
    expect(taking.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['POST /api/v1/products/', 'PUT /api/v1/products/{product_id}']),
    );
  });

  it.each([
    ['nothing', ''],
    ['an open brace', '{'],
    ['a name without a value', '{"name":'],
    ['an object cut off', '{"name":"a"'],
    ['a text cut off', '"abc'],
    ['a trailing comma', '{"name":1,}'],
    ['single quotes', "{'name':1}"],
    ['two objects', '{}{}'],
    ['NaN', '{"price":NaN}'],
    ['Infinity', '{"price":Infinity}'],
    ['a control character in a text', '{"name":"a\u0000b"}'],
    ['a broken escape', String.raw`{"name":"\u12"}`],
    ['words', 'name=Shirt&price=5'],
    ['XML', '<product/>'],
    ['null', 'null'],
    ['a number', '5'],
    ['a text', '"text"'],
    ['true', 'true'],
    ['a list', '[]'],
    ['a list of objects', '[{}]'],
    ['brackets 100,000 deep', '['.repeat(deep) + ']'.repeat(deep)],
    ['open brackets alone', '['.repeat(deep)],
    ['objects 40,000 deep', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
  ])('responds with 422 to %s', async (_, raw) => {
    expect(await faultsOfAll({ raw, headers: json }, 422, raw === '')).toEqual([]);
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a byte order mark and nothing else', Buffer.from([0xef, 0xbb, 0xbf])],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
    ['random bytes', Buffer.from(Array.from({ length: 2_000 }, (_, n) => (n * 7_919) % 251))],
  ])('responds with 422 to %s', async (what, bytes) => {
    const isNone = what.endsWith('nothing else');
    expect(await faultsOfAll({ raw: new Uint8Array(bytes), headers: json }, 422, isNone)).toEqual([]);
  });

  it.each([
    ['declared', () => 'a'.repeat(300_000)],
    ['chunked', () => new Blob(['a'.repeat(300_000)]).stream()],
  ])('responds with 413 to a body that is too large, %s', async (_, body) => {
    const streamed = taking.filter(({ path }) => path.includes('/products'));
    for (const operation of streamed) {
      const response = await fetch(app.baseUrl + operations.address(operation), {
        method: operation.method,
        headers: { ...json, authorization: `Bearer ${token}` },
        body: body(),
        duplex: 'half',
      });
      expect([response.status, await response.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
    }
  });

  it('responds with 413 to a small body that decompresses to a large one', async () => {
    const raw = new Uint8Array(gzipSync(Buffer.alloc(50_000_000, 0x20)));
    expect(raw.length).toBeLessThan(100_000);
    expect(await faultsOfAll({ raw, headers: { ...json, 'content-encoding': 'gzip' } }, 413)).toEqual([]);
  });

  it.each(['gzip', 'deflate', 'br'])(
    'responds with 422 to a body that is not the %s that it says',
    async (encoding) => {
      expect(await faultsOfAll({ raw: 'plain', headers: { ...json, 'content-encoding': encoding } }, 422)).toEqual([]);
      const cut = new Uint8Array(gzipSync('{"name":"a"}').subarray(0, 15));
      expect(await faultsOfAll({ raw: cut, headers: { ...json, 'content-encoding': encoding } }, 422)).toEqual([]);
    },
  );

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/xml', {}],
    ['application/octet-stream', {}],
    ['application/jsonx', {}],
    ['nonsense', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json; charset=latin1', {}],
    ['application/json', { 'content-encoding': 'unknown' }],
  ])('responds with 415 to %s %j', async (type, more) => {
    expect(await faultsOfAll({ raw: '{}', headers: { 'content-type': type, ...more } }, 415)).toEqual([]);
  });

  it('responds with 415 to a body without a type', async () => {
    expect(await faultsOfAll({ raw: new Blob(['{}']) }, 415)).toEqual([]);
  });

  it('responds with 422 to a form where JSON is expected', async () => {
    const raw = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--b--\r\n';
    expect(
      await faultsOfAll({ raw, headers: { 'content-type': 'multipart/form-data; boundary=b' } }, 422, true),
    ).toEqual([]);
  });
});

const wrongValues: [string, string][] = [
  ['null', 'null'],
  ['true', 'true'],
  ['0', '0'],
  ['minus zero', '-0'],
  ['-1', '-1'],
  ['0.1', '0.1'],
  ['1e-320', '1e-320'],
  ['1e309', '1e309'],
  ['-1e400', '-1e400'],
  ['2**31', '2147483648'],
  ['2**63', '9223372036854775808'],
  ['a number of 1,000 digits', '9'.repeat(1_000)],
  ['an empty text', '""'],
  ['a blank text', '"   "'],
  ['a number as text', '"5"'],
  ['NaN as text', '"NaN"'],
  ['a NUL', String.raw`"a\u0000b"`],
  ['a lone surrogate', String.raw`"\ud800"`],
  ['a surrogate pair the wrong way round', String.raw`"\udc00\ud800"`],
  ['a long text', `"${'x'.repeat(100_000)}"`],
  ['SQL', `"'); DROP TABLE users; --"`],
  ['a list', '[]'],
  ['a list of lists', '[[[]]]'],
  ['a list of null', '[null]'],
  ['an object', '{}'],
  [
    'an object with hostile names',
    '{"constructor":5,"__proto__":{"a":1},"then":1,"toJSON":1,"length":-1,"valueOf":null}',
  ],
];

/** A field of a body, at any depth: the names that lead to it. */
type Field = string[];

/** The fields of each object in a body. */
function objectsIn(schema: Schema, place: Field = []): Field[][] {
  const properties = Object.entries(operations.resolved(schema).properties ?? {});
  const fields = properties.map(([name]) => [...place, name]);
  return [fields, ...properties.flatMap(([name, property]) => objectsIn(property, [...place, name]))].filter(
    ({ length }) => length > 0,
  );
}

const isOfFields = (sample: unknown) => typeof sample === 'object' && sample !== null && !Array.isArray(sample);
const isWithin = (place: Field, other: Field): boolean => other.every((name, at) => place[at] === name);

/** The JSON of a sample in which raw JSON takes the place of these fields. */
function withRaw(sample: unknown, fields: Field[], raw: string, place: Field = []): string {
  const leading = fields.filter((field) => isWithin(field, place));
  if (leading.length === 0) return JSON.stringify(sample);
  if (leading.some(({ length }) => length === place.length)) return raw;
  const values = (isOfFields(sample) ? sample : {}) as Record<string, unknown>;
  const names = new Set([...Object.keys(values), ...leading.map((field) => field[place.length] ?? '')]);
  const texts = [...names].map(
    (name) => `${JSON.stringify(name)}:${withRaw(values[name], fields, raw, [...place, name])}`,
  );
  return `{${texts.join(',')}}`;
}

/** Whether an answer refuses what a field holds. */
function refuses({ status, body }: ApiAnswer<unknown>, field: Field): boolean {
  if (status !== 422) return false;
  const { detail } = body as { detail: { loc: unknown[] }[] };
  return detail.some(({ loc }) => isWithin(loc.slice(1).map(String), field));
}

describe('Every field of every body', () => {
  it.each(wrongValues)('may hold %s without harm', async (_, raw) => {
    const faults: string[] = [];
    const send = async (operation: (typeof taking)[number], fields: Field[]): Promise<ApiAnswer<unknown>> => {
      const body = withRaw(operations.sample(operation.body), fields, raw);
      const request = { token, raw: body, headers: json };
      const answer = await app.api.send(operation.method, operations.address(operation), request);
      const fault = faultOfAnswer(answer);
      if (fault) faults.push(`${operation.method} ${operation.path} ${body.slice(0, 200)}: ${fault}`);
      return answer;
    };
    for (const operation of taking) {
      for (const fields of objectsIn(operation.body)) {
        const together = await send(operation, fields);
        // What is refused beside others is refused alone too, before anything is done with it.
        const taken = fields.length > 1 ? fields.filter((field) => !refuses(together, field)) : [];
        for (const field of taken) await send(operation, [field]);
      }
    }
    expect(faults).toEqual([]);
  });

  it('never finds its way into the prototype of objects', () => {
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});

describe('A secret that is refused', () => {
  const secret = 'hunter2-s3cret';

  it.each([
    ['/api/v1/auth/register', { username: 'x', email: 'x', password: secret.slice(0, 7) }],
    ['/api/v1/auth/register', { username: 'ada', email: 'x', password: secret.repeat(20) }],
    ['/api/v1/auth/register', { username: 'ada', email: 'a@example.com', password: [secret] }],
    ['/api/v1/auth/login', { username: 5, password: secret }],
    ['/api/v1/auth/login', { username: 'ada', password: { secret } }],
    ['/api/v1/auth/login/totp', { temp_token: [secret], totp_code: { secret } }],
    ['/api/v1/auth/password', { current_password: `${secret}\0`, new_password: secret.slice(0, 7) }],
  ])('is not echoed by %s', async (path, body) => {
    const answer = await app.api.post(path, { token, json: body });
    expect(faultOfRefusal(answer)).toBeNull();
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  it('is not echoed from a body that is not JSON', async () => {
    const raw = `{"username":"ada","password":"${secret}" oops}`;
    const { body } = await app.api.post('/api/v1/auth/login', { raw, headers: json });
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });
});
