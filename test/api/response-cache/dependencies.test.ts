import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { listCacheableRoutes } from '../../../src/platform/cache/cacheable-routes.js';
import type { ApiAnswer } from '../../support/api-client.js';
import { newUsername } from '../../support/accounts.js';
import { shipping } from '../../support/checkout.js';
import { pastTheCache } from '../../support/past-the-cache.js';
import { makePicture } from '../../support/pictures.js';
import { changeShipping, type PageName, pagesOf, setScene, type ShopScene } from '../../support/shop-scene.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let scene: ShopScene;
let pages: Record<PageName, string>;
let names: PageName[];
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '64' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  // Nothing expires here: a response is computed anew only after its invalidation.
  jest.spyOn(performance, 'now').mockReturnValue(1_000);
  scene = await setScene(app);
  pages = pagesOf(scene);
  names = Object.keys(pages) as PageName[];
});

afterEach(() => {
  jest.restoreAllMocks();
});

interface Write {
  name: string;
  run: () => Promise<{ status: number }>;
  /** The pages that show it. */
  shows: PageName[];
  /** Pages that it does not affect, and that stay in memory; or all of them. */
  keeps: PageName[] | 'all';
}

const lampPages: PageName[] = ['list', 'search lamp', 'red', 'red by stock', 'red in stock', 'lamp', 'lamp by slug'];
const kettlePages: PageName[] = ['search kettle', 'blue', 'kettle', 'kettle reviews', 'kettle stats'];
const people: PageName[] = ['users', 'testimonials', 'testimonial'];

const as = (who: 'admin' | 'author' | 'buyer') => ({ token: scene[who].token });
const newProduct = { name: 'Desk lamp', price: 5, stock: 7, color: 'red' };
const setStatus = (status: string) =>
  app.api.put(`/api/v1/admin/orders/${scene.order}/status?new_status=${status}`, as('admin'));
const putProfile = (json: object) => app.api.put('/api/v1/users/me/profile', { ...as('author'), json });

async function newPerson(): Promise<object> {
  const username = newUsername();
  return { username, email: `${username}@example.com`, password: 'correct horse 7' };
}

async function uploadAvatar() {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await makePicture('png'))]), 'me.png');
  return app.api.post('/api/v1/uploads/avatar', { ...as('author'), raw: form });
}

async function refundPaidOrder() {
  await setStatus('paid');
  return setStatus('refunded');
}

const writes: Write[] = [
  {
    name: 'PATCH /api/v1/admin/shop',
    run: () => changeShipping(app, scene),
    shows: ['shop'],
    keeps: [...lampPages, ...kettlePages, ...people],
  },
  {
    name: 'POST /api/v1/products/',
    run: () => app.api.post('/api/v1/products/', { json: newProduct }),
    shows: ['list', 'search lamp', 'red', 'red by stock', 'fewest red', 'red in stock', 'facets', 'lamp related'],
    keeps: ['lamp', 'kettle', 'lamp stats', 'kettle stats', ...people],
  },
  {
    name: 'POST /api/v1/admin/products',
    run: () => app.api.post('/api/v1/admin/products', { ...as('admin'), json: newProduct }),
    shows: ['list', 'search lamp', 'red', 'red by stock', 'fewest red', 'red in stock', 'facets', 'lamp related'],
    keeps: ['lamp', 'kettle', 'lamp stats', 'kettle stats', ...people],
  },
  {
    name: 'PUT /api/v1/products/{product_id} of a name',
    run: () => app.api.put(pages.lamp, { json: { name: 'Oak kettle', color: 'blue' } }),
    shows: [...lampPages, 'search kettle', 'blue', 'facets'],
    keeps: ['kettle', 'kettle stats', 'lamp reviews', 'kettle reviews', ...people],
  },
  {
    name: 'PUT /api/v1/products/{product_id} of the stock',
    run: () => app.api.put(pages.lamp, { json: { stock: 49 } }),
    shows: [...lampPages, 'fewest red', 'lamp stats'],
    keeps: ['lamp reviews', ...kettlePages, ...people],
  },
  {
    name: 'PUT /api/v1/admin/products/{product_id} of the price',
    run: () => app.api.put(`/api/v1/admin/products/${scene.lamp}`, { ...as('admin'), json: { price: 19.5 } }),
    shows: [...lampPages, 'facets'],
    keeps: ['kettle', 'kettle stats', 'lamp reviews', 'kettle reviews', ...people],
  },
  {
    name: 'PUT /api/v1/admin/products/{product_id} of its group',
    run: async () => {
      const json = { group_id: '7b0c3c52-5a3f-4f6e-9d8e-1f3f6a3e2b11' };
      await app.api.put(`/api/v1/admin/products/${scene.kettle}`, { ...as('admin'), json });
      return app.api.put(`/api/v1/admin/products/${scene.lamp}`, { ...as('admin'), json });
    },
    shows: [...lampPages, 'search kettle', 'blue', 'kettle', 'lamp related'],
    keeps: ['lamp reviews', 'kettle reviews', ...people],
  },
  {
    name: 'PUT /api/v1/admin/products/{product_id} of the status',
    run: () => app.api.put(`/api/v1/admin/products/${scene.lamp}`, { ...as('admin'), json: { status: 'draft' } }),
    shows: [...lampPages, 'lamp reviews', 'lamp stats', 'facets', 'lamp related'],
    keeps: ['kettle', 'kettle stats', ...people],
  },
  {
    name: 'PUT /api/v1/admin/products/{product_id} of the categories',
    run: async () => {
      const name = newUsername();
      const { body } = await app.api.post<{ slug: string }>('/api/v1/admin/categories', {
        ...as('admin'),
        json: { name },
      });
      const json = { categories: [body.slug] };
      return app.api.put(`/api/v1/admin/products/${scene.lamp}`, { ...as('admin'), json });
    },
    shows: [...lampPages, 'categories', 'facets', 'lamp related'],
    keeps: ['lamp reviews', 'kettle stats', ...people],
  },
  {
    name: 'DELETE /api/v1/admin/products/{product_id}',
    run: () => app.api.delete(`/api/v1/admin/products/${scene.lamp}`, as('admin')),
    shows: [...lampPages, 'lamp reviews', 'lamp stats', 'facets', 'lamp related'],
    keeps: ['kettle', 'kettle stats', ...people],
  },
  {
    name: 'POST /api/v1/orders/',
    run: () => app.api.post('/api/v1/orders/', as('buyer')),
    shows: [...lampPages, 'fewest red', 'lamp stats'],
    keeps: ['facets', 'lamp reviews', ...kettlePages, ...people],
  },
  {
    name: 'POST /api/v1/orders/ of the last pieces',
    run: async () => {
      await app.api.put(pages.lamp, { json: { stock: 1 } });
      for (const page of [pages.facets, pages['red in stock']]) await app.api.get(page);
      return app.api.post('/api/v1/orders/', as('buyer'));
    },
    shows: [...lampPages, 'facets', 'fewest red', 'lamp stats'],
    keeps: ['lamp reviews', ...kettlePages, ...people],
  },
  {
    name: 'POST /api/v1/orders/checkout',
    run: () => app.api.post('/api/v1/orders/checkout', { ...as('buyer'), json: { shipping } }),
    shows: [...lampPages, 'fewest red', 'lamp stats'],
    keeps: ['lamp reviews', ...kettlePages, ...people],
  },
  {
    name: 'PUT /api/v1/admin/orders/{order_id}/status to cancelled',
    run: () => setStatus('cancelled'),
    shows: [...lampPages, 'lamp stats'],
    keeps: ['lamp reviews', ...kettlePages, ...people],
  },
  {
    name: 'PUT /api/v1/admin/orders/{order_id}/status to refunded',
    run: refundPaidOrder,
    shows: [...lampPages, 'lamp stats'],
    keeps: ['lamp reviews', ...kettlePages, ...people],
  },
  {
    name: 'POST /api/v1/orders/{order_id}/cancel',
    run: () => app.api.post(`/api/v1/orders/${scene.order}/cancel`, as('buyer')),
    shows: [...lampPages, 'lamp stats'],
    keeps: ['lamp reviews', ...kettlePages, ...people],
  },
  {
    name: 'PUT /api/v1/admin/orders/{order_id}/status to paid',
    run: () => setStatus('paid'),
    shows: [],
    keeps: 'all',
  },
  {
    name: 'POST /api/v1/cart/add',
    run: () => app.api.post('/api/v1/cart/add', { ...as('buyer'), json: { product_id: scene.lamp, quantity: 1 } }),
    shows: [],
    keeps: 'all',
  },
  {
    name: 'POST /api/v1/admin/coupons',
    run: () =>
      app.api.post('/api/v1/admin/coupons', {
        ...as('admin'),
        json: { code: newUsername().toUpperCase().replace('_', '-'), discount_percent: 5, max_uses: 3 },
      }),
    shows: [],
    keeps: 'all',
  },
  {
    name: 'POST /api/v1/reviews/product/{product_id}',
    run: () => app.api.post(pages['lamp reviews'], { ...as('buyer'), json: { rating: 1 } }),
    shows: ['lamp reviews', 'lamp stats', ...lampPages],
    keeps: [...kettlePages, ...people],
  },
  {
    name: 'DELETE /api/v1/reviews/{review_id}',
    run: () => app.api.delete(`/api/v1/reviews/${scene.lampReview}`, as('author')),
    shows: ['lamp reviews', 'lamp stats', ...lampPages],
    keeps: [...kettlePages, ...people],
  },
  {
    name: 'POST /api/v1/testimonials/',
    run: () => app.api.post(pages.testimonials, { ...as('buyer'), json: { content: 'Fine' } }),
    shows: ['testimonials'],
    keeps: ['users', ...lampPages, ...kettlePages, 'lamp reviews', 'lamp stats'],
  },
  {
    name: 'PUT /api/v1/testimonials/{testimonial_id}',
    run: () => app.api.put(pages.testimonial, { json: { content: 'Better still' } }),
    shows: ['testimonials', 'testimonial'],
    keeps: ['users', ...lampPages, ...kettlePages, 'lamp reviews', 'lamp stats'],
  },
  {
    name: 'DELETE /api/v1/testimonials/{testimonial_id}',
    run: () => app.api.delete(pages.testimonial),
    shows: ['testimonials', 'testimonial'],
    keeps: ['users', ...lampPages, ...kettlePages, 'lamp reviews', 'lamp stats'],
  },
  {
    name: 'POST /api/v1/auth/register',
    run: async () => app.api.post('/api/v1/auth/register', { json: await newPerson() }),
    shows: ['users'],
    keeps: ['testimonials', 'testimonial', ...lampPages, ...kettlePages, 'lamp reviews', 'lamp stats'],
  },
  {
    name: 'PUT /api/v1/users/me/profile of a name',
    run: () => putProfile({ first_name: 'Augusta' }),
    shows: ['testimonials', 'testimonial', 'lamp reviews', 'kettle reviews'],
    keeps: ['users', ...lampPages, 'kettle', 'lamp stats', 'kettle stats'],
  },
  {
    name: 'PUT /api/v1/users/me/profile of an avatar',
    run: () => putProfile({ avatar_url: 'https://example.com/me.png' }),
    shows: ['testimonials', 'testimonial', 'lamp reviews', 'kettle reviews'],
    keeps: ['users', ...lampPages, 'kettle', 'lamp stats', 'kettle stats'],
  },
  {
    name: 'PUT /api/v1/users/me/profile of what nobody else sees',
    run: () => putProfile({ bio: 'Reads a lot', email: `${newUsername()}@example.com` }),
    shows: [],
    keeps: 'all',
  },
  {
    name: 'POST /api/v1/uploads/avatar',
    run: uploadAvatar,
    shows: ['testimonials', 'testimonial', 'lamp reviews', 'kettle reviews'],
    keeps: ['users', ...lampPages, 'kettle', 'lamp stats', 'kettle stats'],
  },
  {
    name: 'PUT /api/v1/admin/users/{user_uuid}',
    run: () => app.api.put(`/api/v1/admin/users/${scene.author.id}`, { ...as('admin'), json: { role: 'admin' } }),
    shows: [],
    keeps: 'all',
  },
  {
    name: 'DELETE /api/v1/users/me/profile',
    run: () => app.api.delete('/api/v1/users/me/profile', as('author')),
    shows: [...people, ...lampPages, ...kettlePages, 'lamp reviews', 'lamp stats', 'lamp related'],
    keeps: ['shop'],
  },
  {
    name: 'DELETE /api/v1/admin/users/{user_uuid}',
    run: () => app.api.delete(`/api/v1/admin/users/${scene.author.id}`, as('admin')),
    shows: [...people, ...lampPages, ...kettlePages, 'lamp reviews', 'lamp stats', 'lamp related'],
    keeps: ['shop'],
  },
];

type Shown = Record<PageName, Pick<ApiAnswer<unknown>, 'status' | 'body'>>;

/** All pages, at these addresses. */
async function readAll(addressOf = (page: string) => page): Promise<Shown> {
  const shown: Partial<Shown> = {};
  for (const name of names) {
    const { status, body } = await app.api.get(addressOf(pages[name]));
    shown[name] = { status, body };
  }
  return shown as Shown;
}

async function keptOf(asked: readonly PageName[]): Promise<PageName[]> {
  const kept: PageName[] = [];
  for (const name of asked) if ((await statementsOf(() => app.api.get(pages[name]))).length === 0) kept.push(name);
  return kept;
}

describe('The cacheable routes', () => {
  it('are these, all public, and each has a page below', () => {
    const routes = listCacheableRoutes(app.nest);
    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /api/v1/categories',
      'GET /api/v1/products/',
      'GET /api/v1/products/:product_id',
      'GET /api/v1/products/:product_id/related',
      'GET /api/v1/products/by-slug/:slug',
      'GET /api/v1/products/facets',
      'GET /api/v1/products/filter/by-color',
      'GET /api/v1/products/search/',
      'GET /api/v1/reviews/product/:product_id',
      'GET /api/v1/reviews/product/:product_id/stats',
      'GET /api/v1/shop',
      'GET /api/v1/testimonials/',
      'GET /api/v1/testimonials/:testimonial_id',
      'GET /api/v1/users/',
    ]);
    expect(routes.filter(({ access }) => access?.contract !== 'public' || access.hardened !== 'public')).toEqual([]);
    const paths = Object.values(pages).map((page) => page.replace(/\?.*/, ''));
    const patterns = routes.map(
      ({ path }) => new RegExp(`^${path.replace(':slug', '[\\w-]+').replace(/:\w+/g, '\\d+')}$`),
    );
    expect(patterns.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
  });

  it('are served from memory until something changes', async () => {
    await readAll();
    expect(await keptOf(names)).toEqual(names);
  });
});

describe.each(writes)('$name', ({ run, shows, keeps }) => {
  it('shows in the very next read of every affected page, and leaves the others in memory', async () => {
    const before = await readAll();
    expect((await run()).status).toBeLessThan(300);
    const kept = keeps === 'all' ? names : keeps;
    expect(await keptOf(kept)).toEqual(kept);
    const after = await readAll();
    expect(after).toEqual(await readAll(pastTheCache));
    const changed = names.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
    expect(changed.sort()).toEqual([...shows].sort());
  });
});
