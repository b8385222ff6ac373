import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Response {
  $ref?: string;
  content?: Record<string, { example?: unknown; examples?: object }>;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  responses: Record<string, Response>;
}

let app: TestApp;
let document: {
  openapi: string;
  info: { version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<
      string,
      { enum?: string[]; description?: string; required?: string[]; properties?: Record<string, unknown> }
    >;
    responses: Record<string, Response>;
  };
};
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.api.get<typeof document>('/openapi.json')).body;
});
afterAll(() => app.close());

function all(): Operation[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item));
}

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
    const { security = [] } = operation ?? {};
    expect(security.length > 0 && !security.some((one) => Object.keys(one).length === 0)).toBe(access === 'bearer');
  });

  it('gives every operation a summary and a description', () => {
    const silent = all().filter(({ summary, description }) => !summary || !/[.:]$|[.] /.test(description ?? ''));
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('lists the tags of all operations and no others, in order of use, each with a description', () => {
    const used = new Set(all().flatMap(({ tags = [] }) => tags));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
    expect(document.tags.slice(0, 3).map(({ name }) => name)).toEqual(['auth', 'totp', 'users']);
    expect(document.tags.filter(({ description }) => !description.endsWith('.'))).toEqual([]);
  });

  it('introduces both halves, without markup that a page would swallow', () => {
    const { description } = document.info;
    expect(description).toMatch(/\*\*Store\*\*[^]*\*\*Scanning\*\*[^]*X-API-Key[^]*X-Organization-Id/);
    const words = JSON.stringify(document).match(/"(description|summary)":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(words.filter((text) => /<\w/.test(text))).toEqual([]);
  });

  it('explains every error code in one enum, and lists the codes of each refusal with an example', () => {
    const { ErrorCode, ErrorBody } = document.components.schemas;
    expect(ErrorBody?.properties?.['code']).toEqual({ $ref: '#/components/schemas/ErrorCode' });
    const unexplained = (ErrorCode?.enum ?? []).filter((code) => !ErrorCode?.description?.includes(`\`${code}\`: `));
    expect(unexplained).toEqual([]);
    const refusals = [
      ...all().flatMap(({ responses }) => Object.entries(responses).filter(([status]) => status >= '400')),
      ...Object.entries(document.components.responses),
    ].map(([, response]) => response);
    const bare = refusals.filter(({ $ref, content }) => {
      const { example, examples = {} } = content?.['application/json'] ?? {};
      return !$ref && !example && Object.keys(examples).length === 0;
    });
    expect(bare).toEqual([]);
  });

  it('gives every JSON body and response an example', () => {
    const bare = all().filter(({ requestBody, responses }) => {
      const sent = requestBody?.content['application/json'];
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const media = [sent, ...answers.map(([, { content }]) => content?.['application/json'])];
      return media.some((one) => one && one.example === undefined);
    });
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('makes fields with a default optional in bodies, and required in responses', () => {
    const { User, ShippingInfo } = document.components.schemas;
    expect(User?.required).toEqual(expect.arrayContaining(['account_credit', 'totp_enabled', 'can_be_deleted']));
    expect(ShippingInfo?.required).toEqual(['first_name', 'last_name', 'address', 'city', 'zip_code']);
    const { WorkflowTrigger, WorkflowTriggerInput } = document.components.schemas;
    expect([WorkflowTrigger?.required, WorkflowTriggerInput?.required]).toEqual([['type', 'timeZone'], ['type']]);
  });

  it('accepts tokens on routes with optional login', () => {
    const { security } = document.paths['/api/v1/orders/{order_id}']?.['get'] ?? {};
    expect(security).toEqual([{}, { bearer: [] }]);
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
