import * as fc from 'fast-check';
import type { Operation, Operations, Schema } from './operations.js';
import { entries, isOfType, placesOf, type Step } from './request-places.js';
import { anyText } from './any-text.js';

/** A request as it is sent. */
export interface RandomRequest {
  method: string;
  /** Its path in openapi.json; empty if it has none. */
  route: string;
  address: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Takes the place of every host in requests, so that none leaves this machine: nothing listens there. */
const nowhere = 'http://127.0.0.1:9';

/** Any text, including lone surrogates and NULs. */
const texts = fc.oneof(
  anyText({ maxLength: 200 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 20 }),
  fc.uuid(),
  fc.constantFrom('', ' ', '0', '-1', '1e400', 'null', 'a\0b', '\ud800', '__proto__', "'); --", '2030-01-31T12:00:00Z'),
);
const scalars = fc.oneof(texts, fc.double(), fc.integer(), fc.constantFrom(null, true, 0, -0, 2 ** 31, 2 ** 63, 1e308));
const anything: fc.Arbitrary<unknown> = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 4 }),
  fc.dictionary(texts, scalars, { maxKeys: 4 }),
  fc.jsonValue(),
);

function withinMachine<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replace(/https?:\/\/[^/"\\\s]+/g, nowhere)) as T;
}

/** The value with the part that the steps lead to replaced. */
function replacedAt(value: unknown, [step, ...rest]: Step[], replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (step === entries) return [replacedAt(Array.isArray(value) ? value[0] : undefined, rest, replacement)];
  const fields = (value ?? {}) as Record<string, unknown>;
  return { ...fields, [step]: replacedAt(fields[step], rest, replacement) };
}

/** Values that a schema accepts, as far as types and bounds tell; optional fields come and go. */
function validFor(given: Schema, operations: Operations): fc.Arbitrary<unknown> {
  const schema = operations.resolved(given);
  const sample = fc.constant(operations.sample(schema));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, one]) => [name, validFor(one, operations)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
  }
  if (isOfType(schema, 'array') && schema.items) {
    const { minItems = 0, maxItems = 3 } = schema;
    return fc.array(validFor(schema.items, operations), { minLength: minItems, maxLength: Math.min(maxItems, 3) });
  }
  if (isOfType(schema, 'boolean')) return fc.boolean();
  if (isOfType(schema, 'integer') && schema.example === undefined) {
    const min = Math.max(schema.minimum ?? 0, -1e9);
    return fc.integer({ min, max: Math.max(min, Math.min(schema.maximum ?? 100, min + 100)) });
  }
  const isFreeText = isOfType(schema, 'string') && schema.format === undefined && schema.pattern === undefined;
  if (!isFreeText || schema.example !== undefined) return sample;
  const { minLength = 0, maxLength = 50 } = schema;
  return fc.string({
    unit: 'grapheme',
    minLength,
    maxLength: Math.max(minLength, Math.min(Math.floor(maxLength / 2), 50)),
  });
}

function mutatedFor(schema: Schema, operations: Operations): fc.Arbitrary<unknown> {
  const places = placesOf(schema, (one) => operations.resolved(one));
  return fc
    .tuple(validFor(schema, operations), fc.constantFrom(...places), anything)
    .map(([value, { steps }, replacement]) => replacedAt(value, steps, replacement));
}

function jsonBody(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}

/** Bodies that are not JSON, with the types and encodings that they claim. */
function hostileBodies(valid: fc.Arbitrary<unknown>): fc.Arbitrary<Pick<RandomRequest, 'headers' | 'body'>> {
  const json = { 'content-type': 'application/json' };
  const of = (bodies: fc.Arbitrary<Buffer>, headers: Record<string, string>) =>
    bodies.map((body) => ({ headers, body: body as Buffer | undefined }));
  const cut = fc.tuple(valid, fc.nat(30)).map(([value, at]) => jsonBody(value).subarray(0, at));
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const raw = fc.constantFrom(
    '{',
    '[',
    '"',
    '{"a":1,}',
    '{}{}',
    'NaN',
    `[${'9'.repeat(5_000)}]`,
    '1e999',
    '['.repeat(5_000),
    '{"a":'.repeat(5_000),
    String.raw`{"name":"\ud800"}`,
    String.raw`{"name":"a\u0000b"}`,
    '{"__proto__":{"a":1}}',
    'a=b&c=d',
    '<x/>',
    '\uFEFF{}',
  );
  const types = fc.constantFrom(
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'application/x-ndjson',
    'multipart/form-data',
    'multipart/form-data; boundary=b',
    'application/x-www-form-urlencoded',
    'x',
    'application/json, text/plain',
  );
  const encodings = fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x');
  return fc.oneof(
    of(cut, json),
    of(bytes, json),
    of(
      raw.map((text) => Buffer.from(text)),
      json,
    ),
    fc.tuple(types, valid).map(([type, value]) => ({ headers: { 'content-type': type }, body: jsonBody(value) })),
    fc
      .tuple(encodings, bytes)
      .map(([encoding, body]) => ({ headers: { ...json, 'content-encoding': encoding }, body })),
  );
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'idempotency-key',
          'x-organization-id',
          'x-request-id',
          'referer',
          'if-none-match',
          'range',
          'origin',
        ),
        fc.string({
          unit: fc.integer({ min: 0x20, max: 0xff }).map((unit) => String.fromCharCode(unit)),
          maxLength: 80,
        }),
      )
      .map(([name, value]) => ({ [name]: value.replace(/[\u007f-\u009f]/g, '?') })),
  },
);

const oddMethods = [
  'PUT',
  'PATCH',
  'DELETE',
  'POST',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'LINK',
  'SEARCH',
];

/** Parameters: samples mostly; in mutated requests any text. */
function addresses(operation: Operation, operations: Operations, odd: boolean): fc.Arbitrary<string> {
  const given = operation.parameters
    .filter((one) => one.in !== 'header')
    .map((one) => {
      const usual = validFor(one.schema, operations).map(String);
      const any = texts.map((text) => text.toWellFormed()).filter((text) => text !== '.' && text !== '..');
      return [
        one.name,
        one.in === 'path' ? (odd ? fc.oneof(any, fc.constant(undefined)) : fc.constant(undefined)) : odd ? any : usual,
      ] as const;
    });
  return fc
    .record(Object.fromEntries(given), { requiredKeys: [] })
    .map((values) => withinMachine(operations.address(operation, values as Record<string, string | undefined>)))
    .map((address) => address.replaceAll(/https?%3A%2F%2F[^%&]+/g, encodeURIComponent(nowhere)));
}

/** These would end the caller's account or tokens, and leave all other requests unauthenticated. */
function keepsTheCaller({ method, path }: Operation): boolean {
  const endsAccount = path.endsWith('/me/profile') && method !== 'GET';
  const endsMembership = /\/members\/(me|\{\w+\})$/.test(path) && method !== 'GET';
  return (
    !endsAccount && !endsMembership && !/\/auth\/(password|logout)|\/totp\/(enable|setup)|\/me\/sessions/.test(path)
  );
}

/** Requests to any operation: valid ones, ones with one change, and hostile ones, a third each. */
export function randomRequests(operations: Operations): fc.Arbitrary<RandomRequest> {
  const kinds = operations
    .everything()
    .filter(keepsTheCaller)
    .map((operation) => {
      const { method, path: route, body: schema } = operation;
      const json = { 'content-type': 'application/json' };
      const bodyOf = (values: fc.Arbitrary<unknown> | undefined) =>
        values
          ? values.map((value) => ({
              headers: json as Record<string, string>,
              body: jsonBody(withinMachine(value)) as Buffer | undefined,
            }))
          : fc.constant({ headers: {}, body: undefined as Buffer | undefined });
      const request = (
        address: fc.Arbitrary<string>,
        content: fc.Arbitrary<Pick<RandomRequest, 'headers' | 'body'>>,
        methods: fc.Arbitrary<string>,
      ): fc.Arbitrary<RandomRequest> =>
        fc.tuple(address, content, methods, oddHeaders).map(([to, { headers, body }, how, odd]) => ({
          method: how,
          route,
          address: to,
          headers: { ...headers, ...odd },
          body,
        }));
      const valid = schema && validFor(schema, operations);
      const usual = fc.constant(method);
      const odd = fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...oddMethods) });
      return fc.oneof(
        request(addresses(operation, operations, false), bodyOf(valid), usual),
        request(addresses(operation, operations, true), bodyOf(schema && mutatedFor(schema, operations)), usual),
        request(addresses(operation, operations, true), hostileBodies(valid ?? anything), odd),
      );
    });
  return fc.oneof(...kinds);
}
