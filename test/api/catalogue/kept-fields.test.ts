import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product, ProductDetail } from '../../../src/store/catalogue/catalogue.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import { insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let other: Pick<TestApp, 'api'>;
beforeAll(async () => {
  app = await startTestApp();
  other = await app.anotherNode();
});
afterAll(() => app.close());

const create = async (name: string, node: Pick<TestApp, 'api'> = app) =>
  (await node.api.post<Product>('/api/v1/products/', { json: { name, price: 5, stock: 3 } })).body;
const read = async (id: number) => (await app.api.get<ProductDetail>(`/api/v1/products/${id}`)).body;
const review = (id: number, user: InsertedUser, rating: number, node: Pick<TestApp, 'api'> = app) =>
  node.api.post<{ id: number }>(`/api/v1/reviews/product/${id}`, { token: user.token, json: { rating } });

describe('The slug of a product', () => {
  it.each([
    ['Écru Linen Shirt – “Summer”', 'ecru-linen-shirt-summer'],
    ['Straßenlampe Größe 3', 'strassenlampe-grosse-3'],
    ['Жёлтый чайник', 'zheltyj-chajnik'],
    ['Ψάθινο καπέλο', 'psathino-kapelo'],
    [`x${'y'.repeat(199)}`, `x${'y'.repeat(79)}`],
  ])('of %s is made from its letters', async (name, slug) => {
    expect((await create(name)).slug).toBe(slug);
  });

  it.each(['青いランプ', 'كرسي أزرق', '…'])('of %s has its number', async (name) => {
    const { id, slug } = await create(name);
    expect(slug).toBe(`product-${id}`);
  });

  it('has its number where another product has the name', async () => {
    const [first, second] = [await create('Oak lamp'), await create('Oak  Lamp')];
    expect([first.slug, second.slug]).toEqual(['oak-lamp', `oak-lamp-${second.id}`]);
  });

  it('is one of its own for each of ten that are made at once on two nodes', async () => {
    const nodes = Array.from({ length: 10 }, (_, n) => (n % 2 ? app : other));
    const made = await Promise.all(nodes.map((node) => create('Twin chair', node)));
    const slugs = made.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(10);
    expect(slugs.filter((slug) => slug === 'twin-chair')).toHaveLength(1);
  });

  it('stays when the name changes', async () => {
    const { id } = await create('Steel pan');
    await app.api.put(`/api/v1/products/${id}`, { json: { name: 'Iron pan' } });
    expect((await read(id)).slug).toBe('steel-pan');
  });
});

describe('The rating of a product', () => {
  it('is null without reviews', async () => {
    expect(await read(await insertProduct(app))).toMatchObject({ average_rating: null, review_count: 0 });
  });

  it('is kept by each review, and by its deletion', async () => {
    const product = await insertProduct(app);
    const [ada, ben, eve] = [await insertUser(app), await insertUser(app), await insertUser(app)];
    await review(product, ada, 5);
    const { body } = await review(product, ben, 4);
    await review(product, eve, 4);
    expect(await read(product)).toMatchObject({ average_rating: 4.33, review_count: 3 });
    await app.api.delete(`/api/v1/reviews/${body.id}`, { token: ben.token });
    expect(await read(product)).toMatchObject({ average_rating: 4.5, review_count: 2 });
    await app.api.delete('/api/v1/users/me/profile', { token: ada.token });
    expect(await read(product)).toMatchObject({ average_rating: 4, review_count: 1 });
    await app.database.rows('UPDATE reviews SET rating = 2 WHERE product_id = $1', [product]);
    const [{ rating } = {}] = await app.database.rows('SELECT rating FROM product_listings WHERE product_id = $1', [
      product,
    ]);
    expect(rating).toBe(200);
  });

  it('counts reviews that are written and deleted at once on two nodes', async () => {
    const product = await insertProduct(app);
    const users = await Promise.all(Array.from({ length: 12 }, () => insertUser(app)));
    const made = await Promise.all(users.map((user, n) => review(product, user, 1 + (n % 5), n % 2 ? app : other)));
    const gone = made.slice(0, 4).map(({ body }, n) => {
      const node = n % 2 ? other : app;
      return node.api.delete(`/api/v1/reviews/${body.id}`, { token: users[n]?.token ?? '' });
    });
    await Promise.all(gone);
    const [kept] = await app.database.rows(
      'SELECT count(*)::integer AS count, sum(rating)::integer AS sum FROM reviews WHERE product_id = $1',
      [product],
    );
    const [product_] = await app.database.rows(
      'SELECT review_count AS count, rating_sum AS sum FROM products WHERE id = $1',
      [product],
    );
    expect(product_).toEqual(kept);
    expect(kept).toMatchObject({ count: 8 });
  });
});

describe('The variants of a product', () => {
  it('are all products of its group that the shop shows, itself included', async () => {
    const group = '7b0c3c52-5a3f-4f6e-9d8e-1f3f6a3e2b11';
    const [red, blue, draft] = [await insertProduct(app), await insertProduct(app), await insertProduct(app)];
    await app.database.rows('UPDATE products SET group_id = $1 WHERE id = ANY($2)', [group, [red, blue, draft]]);
    await app.database.rows(`UPDATE products SET status = 'draft' WHERE id = $1`, [draft]);
    const { variants, group_id } = await read(red);
    expect(group_id).toBe(group);
    expect(variants.map(({ id }) => id)).toEqual([red, blue]);
    expect((await read(await insertProduct(app))).variants).toEqual([]);
  });
});
