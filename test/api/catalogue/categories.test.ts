import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminCategory, Categories } from '../../../src/store/catalogue/categories.dto.js';
import type { ProductDetail } from '../../../src/store/catalogue/catalogue.dto.js';
import { insertAdmin, type InsertedUser } from '../../support/accounts.js';
import { insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

const path = '/api/v1/admin/categories';
const create = (json: object, node: Pick<TestApp, 'api'> = app) =>
  node.api.post<AdminCategory>(path, { token: admin.token, json });
const change = (slug: string, json: object) =>
  app.api.patch<AdminCategory>(`${path}/${slug}`, { token: admin.token, json });
const remove = (slug: string) => app.api.delete(`${path}/${slug}`, { token: admin.token });
const tree = async () => (await app.api.get<Categories>('/api/v1/categories')).body.categories;
const put = (id: number, json: object) =>
  app.api.put<ProductDetail>(`/api/v1/admin/products/${id}`, { token: admin.token, json });

describe('Categories', () => {
  it('make a tree of two levels that counts what the shop shows', async () => {
    expect((await create({ name: 'Für den Garten', position: 2 })).body.slug).toBe('fur-den-garten');
    await create({ name: 'Kitchen', position: 1, description: 'Pots', image_url: '/uploads/product/k.webp' });
    expect((await create({ name: 'Pans', parent: 'kitchen' })).status).toBe(201);
    const pan = await insertProduct(app, { name: 'Pan' });
    expect((await put(pan, { categories: ['pans'] })).body.categories).toEqual(['pans']);
    expect(await tree()).toEqual([
      {
        slug: 'kitchen',
        name: 'Kitchen',
        description: 'Pots',
        image_url: '/uploads/product/k.webp',
        product_count: 1,
        children: [{ slug: 'pans', name: 'Pans', description: null, image_url: null, product_count: 1 }],
      },
      expect.objectContaining({ slug: 'fur-den-garten', product_count: 0, children: [] }),
    ]);
    await put(pan, { status: 'draft' });
    expect((await tree())[0]?.product_count).toBe(0);
  });

  it('are changed, and shown so by their products', async () => {
    await create({ name: 'Lamp' });
    const lamp = await insertProduct(app);
    await put(lamp, { categories: ['lamp'] });
    const read = async () => (await app.api.get<ProductDetail>(`/api/v1/products/${lamp}`)).body.categories;
    expect(await read()).toEqual(['lamp']);
    const { body } = await change('lamp', { slug: 'lamps', name: 'Lamps', position: 7 });
    expect(body).toEqual({
      slug: 'lamps',
      name: 'Lamps',
      description: null,
      image_url: null,
      parent: null,
      position: 7,
    });
    expect(await read()).toEqual(['lamps']);
    expect((await remove('lamps')).status).toBe(204);
    expect(await read()).toEqual([]);
    expect((await remove('lamps')).status).toBe(404);
  });

  it('refuse what would not make a tree of two levels', async () => {
    await create({ name: 'Top' });
    await create({ name: 'Below', parent: 'top' });
    await create({ name: 'Other' });
    expect((await create({ name: 'Too deep', parent: 'below' })).status).toBe(422);
    expect((await create({ name: 'Orphan', parent: 'nowhere' })).status).toBe(422);
    expect((await change('top', { parent: 'other' })).status).toBe(422);
    expect((await change('other', { parent: 'other' })).status).toBe(422);
    expect((await remove('top')).body).toMatchObject({ code: 'category_in_use' });
    expect((await change('below', { parent: null })).body.parent).toBeNull();
  });

  it.each([{ name: '' }, { name: 'x', slug: 'Not Good' }, { name: 'x', image_url: 'javascript:alert(1)' }, {}])(
    'refuse %j',
    async (json) => {
      expect((await create(json)).status).toBe(422);
    },
  );

  it('of one slug at once on two nodes are one', async () => {
    const other = await app.anotherNode();
    const made = await Promise.all([1, 2, 3, 4].map((n) => create({ name: 'Same' }, n % 2 ? app : other)));
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'slug_taken' });
  });
});
