import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Operation {
  summary?: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  responses: Record<string, unknown>;
}

let shop: TestApp;
let document: { openapi: string; info: { version: string }; paths: Record<string, Record<string, Operation>> };
beforeAll(async () => {
  shop = await startTestApp();
  document = (await shop.api.get<typeof document>('/openapi.json')).body;
});
afterAll(() => shop.close());

const operations = (await readFile(new URL('./operations.txt', import.meta.url), 'utf8'))
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/) as [string, string, string, string]);

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document of version 1.0.0', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('1.0.0');
  });

  it.each(operations)('has %s %s, open to %s, with status %s', (method, path, access, status) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    expect(Object.keys(operation?.responses ?? {}).filter((code) => code < '300')).toEqual([status]);
    expect(operation?.security !== undefined).toBe(access === 'bearer');
  });

  it('says of every operation what it does', () => {
    const silent = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { summary }]) => !summary)
        .map(([method]) => `${method} ${path}`),
    );
    expect(silent).toEqual([]);
  });

  it.each([
    ['/api/v1/products/', 'skip', { minimum: 0, default: 0 }],
    ['/api/v1/products/', 'limit', { minimum: 1, maximum: 100, default: 10 }],
    ['/api/v1/products/search/', 'q', { minLength: 1 }],
    ['/api/v1/products/search/', 'limit', { minimum: 1, maximum: 100, default: 10 }],
    ['/api/v1/products/filter/by-color', 'sort', { default: 'name' }],
    ['/api/v1/testimonials/', 'skip', { minimum: 0, default: 0 }],
    ['/api/v1/testimonials/', 'limit', { minimum: 1, maximum: 100, default: 10 }],
    ['/api/v1/testimonials/', 'featured_only', { type: 'boolean', default: false }],
    ['/api/v1/reviews/product/{product_id}', 'limit', { minimum: 1, maximum: 100, default: 20 }],
    ['/api/v1/users/', 'limit', { type: 'integer', default: 10 }],
    ['/api/v1/admin/users', 'limit', { type: 'integer', default: 100 }],
    ['/api/v1/admin/products', 'skip', { type: 'integer', default: 0 }],
    ['/api/v1/admin/orders', 'limit', { type: 'integer', default: 100 }],
    ['/api/v1/admin/recent-orders', 'limit', { type: 'integer', default: 10 }],
  ])('bounds %s by %s', (path, name, schema) => {
    const parameter = document.paths[path]?.['get']?.parameters?.find((one) => one.name === name);
    expect(parameter?.schema).toMatchObject(schema);
  });
});
