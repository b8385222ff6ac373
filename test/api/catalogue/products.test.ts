import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.shapes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp();
});
afterAll(() => shop.close());

describe('POST /api/v1/products/', () => {
  it('answers 201 with the product', async () => {
    const { status, body } = await shop.api.post<Product>('/api/v1/products/', {
      json: { name: 'Linen shirt', price: 49.9, stock: 3 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Linen shirt', price: 49.9, stock: 3, color: null });
  });
});
