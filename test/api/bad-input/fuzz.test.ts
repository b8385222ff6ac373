import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { insertAdmin } from '../../support/accounts.js';
import { type Operation, Operations, type Schema } from '../../support/operations.js';
import { faultOfAnswer } from '../../support/refusals.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const runs = 25;
const json = { 'content-type': 'application/json' };

let shop: TestApp;
let token: string;
let operations: Operations;
beforeAll(async () => {
  shop = await startTestApp();
  ({ token } = await insertAdmin(shop));
  const own = await shop.api.post<{ id: string }>('/api/v1/organizations', { token, json: { name: 'Own' } });
  operations = await Operations.of(shop, { organizationId: own.body.id });
});
afterAll(() => shop.close());

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 20 }),
  fc.uuid(),
  fc.emailAddress(),
  fc.constantFrom('', '0', '-1', '1e400', 'null', 'name', '-price', 'pending', '2030-01-31T12:00:00Z'),
);
const scalars = fc.oneof(texts, fc.double(), fc.integer(), fc.constantFrom(null, true, false, 0, -0, 2 ** 63));
const values: fc.Arbitrary<unknown> = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 4 }),
  fc.dictionary(texts, scalars, { maxKeys: 4 }),
  fc.jsonValue(),
);

/** Any JSON, or an object with some of the schema's fields, each the sample or anything. */
function bodiesFor(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {} } = operations.resolved(schema);
  const fields = Object.entries(properties).map(([name, property]): [string, fc.Arbitrary<unknown>] => {
    const inner = operations.resolved(property).properties ? bodiesFor(property) : values;
    return [name, fc.oneof({ weight: 2, arbitrary: fc.constant(operations.sample(property)) }, inner)];
  });
  const shaped = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  return fc.oneof({ weight: 1, arbitrary: values }, { weight: 4, arbitrary: shaped });
}

/** With these the caller could end his own account or tokens. */
function keepsTheCaller({ method, path }: Operation): boolean {
  return !(path.endsWith('/me/profile') && method !== 'GET') && path !== '/api/v1/auth/password';
}

describe('Any JSON', () => {
  it('as the body of any operation is answered properly', async () => {
    for (const operation of operations.withBody().filter(keepsTheCaller)) {
      const property = fc.asyncProperty(bodiesFor(operation.body), async (body) => {
        const request = { token, raw: JSON.stringify(body), headers: json };
        const answer = await shop.api.send(operation.method, operations.address(operation), request);
        expect(`${operation.method} ${operation.path}: ${faultOfAnswer(answer)}`).toMatch(/: null$/);
      });
      await fc.assert(property, { numRuns: runs });
    }
  }, 120_000);
});

describe('Any text', () => {
  it('as any parameter of any operation is answered properly', async () => {
    for (const operation of operations.all().filter(keepsTheCaller)) {
      const names = operation.parameters.filter((one) => one.in !== 'header').map(({ name }) => name);
      if (names.length === 0) continue;
      const encodable = texts.map((text) => text.toWellFormed()).filter((text) => text !== '.' && text !== '..');
      const given = fc.record(Object.fromEntries(names.map((name) => [name, encodable])), { requiredKeys: [] });
      const property = fc.asyncProperty(given, async (parameters) => {
        const address = operations.address(operation, parameters);
        const answer = await shop.api.send(operation.method, address, { token });
        expect(`${operation.method} ${operation.path}: ${faultOfAnswer(answer)}`).toMatch(/: null$/);
      });
      await fc.assert(property, { numRuns: runs });
    }
  }, 120_000);

  it('as an Idempotency-Key is answered properly', async () => {
    const keys = fc.string({ unit: 'binary-ascii' }).map((text) => text.replace(/[^ -~]/g, 'ÿ'));
    const property = fc.asyncProperty(keys, async (key) => {
      const answer = await shop.api.post('/api/v1/orders/', { token, headers: { 'idempotency-key': key } });
      expect(faultOfAnswer(answer)).toBeNull();
    });
    await fc.assert(property, { numRuns: runs });
  });
});
