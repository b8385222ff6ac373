import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import type { ProductImport } from '../../../src/store/catalogue/product-files.dto.js';
import { insertAdmin, type InsertedUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const group = '7b0c3c52-5a3f-4f6e-9d8e-1f3f6a3e2b11';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  await app.database.rows(`INSERT INTO categories (slug, name) VALUES ('shirts', 'Shirts'), ('sale', 'Sale')`);
});
afterAll(() => app.close());

const send = (raw: string, query = '') =>
  app.api.post<ProductImport>(`/api/v1/admin/products/import${query}`, {
    token: admin.token,
    raw,
    headers: { 'content-type': 'text/csv' },
  });
const read = async (id: number) =>
  (await app.api.get<Product>(`/api/v1/admin/products/${id}`, { token: admin.token })).body;
async function exported(): Promise<string> {
  const answer = await fetch(`${app.baseUrl}/api/v1/admin/products/export`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  return answer.text();
}

const head = 'name,price,stock,image_url,group_id,slug,sku,status,images,categories';
const images = '/uploads/product/b.webp From the back\nhttps://example.com/c.jpg';

describe('A file of products', () => {
  it('adds products with all their fields, and an unchanged export changes nothing', async () => {
    const line = `Shirt,9.9,3,/uploads/product/a.webp,${group},file-shirt,F-1,draft,"${images}",sale shirts`;
    const { status, body } = await send(`${head}\n${line}`);
    expect([status, body]).toEqual([200, expect.objectContaining({ created: 1 })]);
    const id = body.changes[0]?.id ?? 0;
    expect(await read(id)).toMatchObject({
      group_id: group,
      slug: 'file-shirt',
      sku: 'F-1',
      status: 'draft',
      categories: ['sale', 'shirts'],
      images: [
        { url: '/uploads/product/a.webp', alt: null },
        { url: '/uploads/product/b.webp', alt: 'From the back' },
        { url: 'https://example.com/c.jpg', alt: null },
      ],
    });
    expect((await send(await exported())).body).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  it('changes what its columns say, and nothing else', async () => {
    const { body } = await send(`${head}\nPan,9,3,/uploads/product/p.webp,,file-pan,F-2,,"${images}",sale`);
    const id = body.changes[0]?.id ?? 0;
    const before = await read(id);
    const changed = await send(`id,slug,categories,status\n${id},file-pan-2,shirts,draft`);
    expect(changed.body.changes[0]?.fields).toEqual({
      slug: { from: 'file-pan', to: 'file-pan-2' },
      status: { from: 'published', to: 'draft' },
      categories: { from: 'sale', to: 'shirts' },
    });
    const after = await read(id);
    expect(after).toEqual({ ...before, slug: 'file-pan-2', status: 'draft', categories: ['shirts'] });
    await send(`id,images,categories,sku,group_id\n${id},,,,`);
    expect(await read(id)).toMatchObject({ images: before.images?.slice(0, 1), categories: [], sku: null });
    const entries = await app.database.rows<{ changes: object }>(
      `SELECT changes FROM audit_entries WHERE action = 'product.updated' AND subject_id = $1 ORDER BY created_at LIMIT 1`,
      [String(id)],
    );
    expect(entries[0]?.changes).toHaveProperty('categories');
  });

  it('of the columns of before clears the gallery with the own picture, and leaves all else', async () => {
    const { body } = await send(`${head}\nPot,9,3,/uploads/product/p.webp,,file-pot,F-3,,"${images}",sale`);
    const id = body.changes[0]?.id ?? 0;
    const before = await read(id);
    const line = `${id},Pot,,9.5,3,,,,/uploads/product/p.webp`;
    await send(`id,name,description,price,stock,color,material,size,image_url\n${line}`);
    expect(await read(id)).toEqual({ ...before, price: 9.5 });
    await send(`id,image_url\n${id},`);
    expect(await read(id)).toEqual({ ...before, price: 9.5, image_url: null, images: [] });
  });

  it('is refused whole where a group would have more than 100 products', async () => {
    const members = Array.from({ length: 101 }, (_, n) => `Spoon ${n},9,3,,0c3c7b52-5a3f-4f6e-9d8e-1f3f6a3e2b11,,,,,`);
    expect((await send([head, ...members].join('\n'))).body).toMatchObject({ code: 'group_full' });
    expect((await send([head, ...members.slice(1)].join('\n'))).status).toBe(200);
  });

  it('names the line of an unknown category or a bad value', async () => {
    const lines = [
      'Cup,9,3,,,,,,,nowhere',
      'Jug,9,3,,x,No Slug,,hidden,ftp://x,',
      'Mug,9,3,,,one-slug,ONE,,/uploads/product/b.webp,',
      'Pot,9,3,,,one-slug,ONE,,,',
    ];
    const { body } = await send([head, ...lines].join('\n'), '?dry_run=true');
    expect(body.refused.map(({ line, field }) => `${line} ${field}`).sort()).toEqual([
      '2 categories',
      '3 group_id',
      '3 images',
      '3 slug',
      '3 status',
      '4 images',
      '5 sku',
      '5 slug',
    ]);
  });

  it('is refused whole where a slug or an article number is taken', async () => {
    await send(`${head}\nFirst,9,3,,,taken-slug,TAKEN,,,`);
    const slug = await send(`${head}\nSecond,9,3,,,fine-slug,,,,\nThird,9,3,,,taken-slug,,,,`);
    expect(slug.body).toMatchObject({ code: 'slug_taken' });
    const { body } = await send(`${head}\nSecond,9,3,,,fine-slug,,,,`);
    const id = body.changes[0]?.id ?? 0;
    expect((await send(`id,slug\n${id},taken-slug`)).body).toMatchObject({ code: 'slug_taken' });
    expect((await send(`id,sku\n${id},TAKEN`)).body).toMatchObject({ code: 'sku_taken' });
    expect(await read(id)).toMatchObject({ slug: 'fine-slug', sku: null });
  });
});
