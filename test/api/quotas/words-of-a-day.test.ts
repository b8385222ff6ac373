import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
beforeAll(async () => {
  app = await startTestApp({ env: { QUOTAS: 'reviews=3,testimonials=3', ACCESS_POLICY: 'hardened' } });
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());

const eight = Array.from({ length: 8 }, (_, n) => n);

function statusesOf(answers: { status: number }[]): number[] {
  return answers.map(({ status }) => status).sort((one, other) => one - other);
}

describe('POST /api/v1/testimonials/', () => {
  const write = (token: string, node = 0) =>
    (nodes[node] ?? app.api).post('/api/v1/testimonials/', { token, json: { content: 'Good', rating: 5 } });

  it('takes as many of one user in a day as the quota says, on all nodes together', async () => {
    const { token } = await insertUser(app);
    const answers = await Promise.all(eight.map((n) => write(token, n % 2)));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
    const { body, headers } = await write(token);
    expect(body).toMatchObject({ code: 'rate_exceeded', detail: expect.stringContaining('(QUOTAS, testimonials)') });
    expect(headers.get('ratelimit-policy')).toBe('"testimonials";q=3;w=86400');
    expect((await write((await insertUser(app)).token)).status).toBe(201);
  });

  it('counts none that is refused', async () => {
    const { token } = await insertUser(app);
    const wrong = eight.map(() =>
      app.api.post('/api/v1/testimonials/', { token, json: { content: 'Good', rating: 6 } }),
    );
    expect(statusesOf(await Promise.all(wrong))).toEqual(eight.map(() => 422));
    expect((await write(token)).status).toBe(201);
  });
});

describe('POST /api/v1/reviews/product/{product_id}', () => {
  const write = (token: string, product: number, node = 0) =>
    (nodes[node] ?? app.api).post(`/api/v1/reviews/product/${product}`, { token, json: { rating: 4 } });

  it('takes as many of one user in a day as the quota says, on all nodes together', async () => {
    const { token } = await insertUser(app);
    const products = await Promise.all(eight.map(() => insertProduct(app)));
    const answers = await Promise.all(products.map((id, n) => write(token, id, n % 2)));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
    const { body } = await write(token, products[0] ?? 0);
    expect(body).toMatchObject({ code: 'rate_exceeded', detail: expect.stringContaining('(QUOTAS, reviews)') });
  });

  it('counts neither a second review of a product nor one of no product', async () => {
    const { token } = await insertUser(app);
    const id = await insertProduct(app);
    expect((await write(token, id)).status).toBe(201);
    for (const _ of eight) {
      expect((await write(token, id)).status).toBe(409);
      expect((await write(token, 2_000_000_000)).status).toBe(404);
    }
    expect((await write(token, await insertProduct(app))).status).toBe(201);
  });
});
