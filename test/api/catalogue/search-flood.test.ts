import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, signUp } from '../../support/accounts.js';
import { insertProduct } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: Account;
let productId: number;
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '0', DATABASE_POOL_SIZE: '10' } });
  maria = await signUp(app);
  productId = await insertProduct(app);
});
afterAll(() => app.close());

const search = (q: string) => app.api.get(`/api/v1/products/search/?q=${q}`);

describe('GET /api/v1/products/search/, many slow searches at once', () => {
  it('leaves connections for logins and other reads, and responds to all in the end', async () => {
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE product_search IN ACCESS EXCLUSIVE MODE');
    const searches = Array.from({ length: 40 }, (_, n) => search(`z${n}`));
    await held.blocks(4);
    const { username, password } = maria;
    const [login, product] = await Promise.all([
      app.api.post('/api/v1/auth/login', { json: { username, password } }),
      app.api.get(`/api/v1/products/${productId}`),
    ]);
    expect([login.status, product.status]).toEqual([200, 200]);
    await expect(held.blocks(5, 200)).rejects.toThrow('Only 4 statements');
    await held.commit();
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    expect(statuses).toEqual(searches.map(() => 200));
  });

  it('responds with 503 and Retry-After to searches that wait too long', async () => {
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE product_search IN ACCESS EXCLUSIVE MODE');
    const running = Array.from({ length: 4 }, (_, n) => search(`y${n}`));
    await held.blocks(4);
    const refused = await search('y4');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.body).toMatchObject({ code: 'busy' });
    await held.commit();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
