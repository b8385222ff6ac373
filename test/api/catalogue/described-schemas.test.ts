import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let document: { components: { schemas: Record<string, Record<string, unknown>> } };
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.api.get<typeof document>('/openapi.json')).body;
});
afterAll(() => app.close());

function fieldOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[name];
}

describe('The schemas in /openapi.json', () => {
  it('express null by type, as OpenAPI 3.1 does', () => {
    expect(JSON.stringify(document)).not.toContain('"nullable"');
    expect(document.components.schemas['Product']).toMatchObject({
      required: expect.arrayContaining(['id', 'name', 'price', 'stock', 'created_at']),
      properties: {
        id: { type: 'integer' },
        price: { type: 'number' },
        description: { type: ['string', 'null'] },
        image_url: { type: ['string', 'null'] },
        created_at: { type: 'string', format: 'date-time' },
      },
    });
  });

  it('accept null for every field of an update, and for the optional ones of a create', () => {
    const { ProductCreate, ProductUpdate } = document.components.schemas;
    expect(ProductCreate).toMatchObject({
      required: ['name', 'price', 'stock'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200 },
        price: { type: 'number', minimum: 0, maximum: 9_999_999.99 },
        stock: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
        color: { type: ['string', 'null'] },
      },
    });
    expect(ProductUpdate).not.toHaveProperty('required');
    expect(ProductUpdate).toMatchObject({
      properties: { name: { type: ['string', 'null'] }, stock: { type: ['integer', 'null'] } },
    });
  });

  it('describe refusals as they are sent', () => {
    const { HTTPValidationError, ValidationError } = document.components.schemas;
    expect(HTTPValidationError).toMatchObject({
      required: ['detail'],
      properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
    });
    expect(ValidationError).toMatchObject({
      required: ['loc', 'msg', 'type'],
      properties: { loc: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } } },
    });
  });

  it('resolve every reference', async () => {
    const references = new Set(JSON.stringify(document).match(/"\$ref":"[^"]*"/g));
    expect(references.size).toBeGreaterThan(10);
    for (const reference of references) {
      const { $ref } = JSON.parse(`{${reference}}`) as { $ref: string };
      const target = $ref.slice('#/'.length).split('/').reduce<unknown>(fieldOf, document);
      expect([$ref, target]).toEqual([$ref, expect.any(Object)]);
    }
  });
});
