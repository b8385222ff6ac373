import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Product as ProductBody } from '../../../src/store/catalogue/catalogue.dto.js';
import type { ProductImport as ImportBody } from '../../../src/store/catalogue/product-files.dto.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { insertProduct, insertProducts, stockOf } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type Product = Pick<ProductBody, keyof ProductBody>;
type ProductImport = Pick<ImportBody, keyof ImportBody>;

const files = '/api/v1/admin/products';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await insertAdmin(app));
});
beforeEach(() => app.database.rows('UPDATE products SET deleted_at = now() WHERE deleted_at IS NULL'));
afterAll(() => app.close());

function send<T = ProductImport>(
  raw: string | Uint8Array<ArrayBuffer>,
  query = '',
  headers: Record<string, string> = {},
) {
  return app.api.post<T>(`${files}/import${query}`, {
    token,
    raw,
    headers: { 'content-type': 'text/csv', ...headers },
  });
}

const tried = (raw: string) => send(raw, '?dry_run=true');
const listed = async () => (await app.api.get<Product[]>(files, { token })).body;

describe('GET /api/v1/admin/products/export', () => {
  it('returns all products as CSV in the order of ids, which an import takes as unchanged', async () => {
    const texts = { name: '=HYPERLINK("x")', description: "two\r\nlines, 'quoted'", color: '<script>', size: '-' };
    await app.api.post(files, { token, json: { ...texts, price: 0.1, stock: 0 } });
    const ids = await insertProducts(app, 1_001);
    const { headers, body } = await app.api.get<string>(`${files}/export`, { token });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="products.csv"');
    expect(body).toContain(`,"'=HYPERLINK(""x"")","two\r\nlines, 'quoted'",0.1,0,<script>,,'-,,,`);
    expect(
      body
        .trimEnd()
        .split('\r\n')
        .slice(-1_001)
        .map((line) => Number(line.split(',')[0])),
    ).toEqual(ids);
    expect((await tried(body)).body).toMatchObject({ created: 0, updated: 0, unchanged: 1_002, refused: [] });
  });

  it('returns the header line alone, with a byte-order mark, when there are no products', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${app.baseUrl}${files}/export`, { headers });
    const fields = 'id,name,description,price,stock,color,material,size,image_url';
    const head = `${fields},group_id,slug,sku,status,images,categories\r\n`;
    expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(`\uFEFF${head}`);
  });
});

describe('POST /api/v1/admin/products/import', () => {
  it('adds lines without an id, updates the others by the columns given, and audits each', async () => {
    const [kept = 0, changed = 0] = await insertProducts(app, 2, 5);
    const file = `stock;id;name;price\n5;${kept};Product 1;1.25\n7;${changed};Vase;1.25\n3;;Jug;"9.90"\n`;
    const entries = await auditedBy(app, async () => {
      const { status, body } = await send(file);
      expect(status).toBe(200);
      expect(body).toMatchObject({ dry_run: false, created: 1, updated: 1, unchanged: 1, refused_count: 0 });
      expect(body.changes.map(({ line, id, fields }) => ({ line, isNew: id !== changed, fields }))).toEqual([
        { line: 3, isNew: false, fields: { name: { from: 'Product 2', to: 'Vase' }, stock: { from: 5, to: 7 } } },
        {
          line: 4,
          isNew: true,
          fields: { name: { from: null, to: 'Jug' }, price: { from: null, to: 9.9 }, stock: { from: null, to: 3 } },
        },
      ]);
    });
    expect(entries.map(({ action }) => action).sort()).toEqual(['product.created', 'product.updated']);
    expect((await listed()).map(({ name, price, stock }) => [name, price, stock])).toEqual([
      ['Product 1', 1.25, 5],
      ['Vase', 1.25, 7],
      ['Jug', 9.9, 3],
    ]);
    // The search finds the product by its new name: no earlier response is served from memory.
    const found = await app.api.get<Product[]>('/api/v1/products/search/?q=vase');
    expect(found.body.map(({ id }) => id)).toEqual([changed]);
  });

  it('clears nullable fields by an empty cell', async () => {
    const { body } = await app.api.post<Product>(files, {
      token,
      json: { name: 'A', price: 1, stock: 1, color: 'red' },
    });
    await send(`id,color\n${body.id},\n`);
    expect((await listed())[0]).toMatchObject({ name: 'A', color: null });
  });

  it('reports every error with its line, and imports nothing when there is one', async () => {
    const id = await insertProduct(app, { stock: 5 });
    const file =
      `id,name,price,stock,image_url\n${id},Vase,1,1,\n${id},Vase,1,1,\n999999,A,1,1,\nx,A,1,1,\n` +
      `,,1,1,\n,A,"1,50",-1,\n,A,1,1,javascript:alert(1)\n,A,1\n`;
    const due = [
      [3, 'id', 'Line 2 has the same product'],
      [4, 'id', 'There is no such product: leave the id empty for a new one'],
      [5, 'id', 'Input should be the number of a product, or empty'],
      [6, 'name', 'String should have at least 1 character'],
      [7, 'price', 'Input should be a valid number, unable to parse string as a number'],
      [7, 'stock', 'Input should be greater than or equal to 0'],
      [8, 'image_url', expect.stringContaining('Input should be an http(s) URL')],
      [9, null, 'The line has 3 columns, and the first line 5'],
    ];
    const { status, body } = await tried(file);
    expect([status, body.refused_count]).toEqual([200, due.length]);
    expect(body.refused.map(({ line, field, detail }) => [line, field, detail])).toEqual(due);

    const refused = await send<{ detail: { loc: unknown[] }[] }>(file);
    expect(refused.status).toBe(422);
    expect(refused.body.detail.map(({ loc }) => loc[1])).toEqual(due.map(([line]) => line));
    expect((await send('id,name\n999999,A\n')).status).toBe(422);
    expect(await listed()).toMatchObject([{ id, name: 'Linen shirt', stock: 5 }]);
  });

  it('shows 200 errors and changes, and counts all', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `,${'x'.repeat(250)},${n < 250 ? 1 : 'x'},1`).join('\n');
    const { body } = await tried(`id,name,price,stock\n${many}`);
    expect([body.refused_count, body.refused.length]).toEqual([350, 200]);
    const named = Array.from({ length: 300 }, () => `,A,1,1,${'x'.repeat(250)}`).join('\n');
    const { body: fine } = await tried(`id,name,price,stock,description\n${named}`);
    expect([fine.created, fine.changes.length]).toEqual([300, 200]);
    expect(fine.changes[0]?.fields['description']?.to).toBe(`${'x'.repeat(200)}…`);
  });

  it('imports exactly what the dry run showed, or nothing', async () => {
    const id = await insertProduct(app, { stock: 5 });
    const file = `id,stock\n${id},9\n`;
    const { headers, body } = await tried(file);
    expect(body).toMatchObject({ dry_run: true, updated: 1 });
    expect(await stockOf(app, id)).toBe(5);
    const shown = { 'if-match': headers.get('etag') ?? '' };
    await app.database.rows('UPDATE products SET stock = 4 WHERE id = $1', [id]);
    expect((await send(file, '', shown)).status).toBe(412);
    expect(await stockOf(app, id)).toBe(4);
    const again = { 'if-match': (await tried(file)).headers.get('etag') ?? '' };
    expect((await send(file, '', again)).status).toBe(200);
    expect(await stockOf(app, id)).toBe(9);
  });

  it('waits for a concurrent sale of a product, and keeps the stock that the sale left', async () => {
    const id = await insertProduct(app, { stock: 5 });
    const sale = await HeldTransaction.open(app.database, 'UPDATE products SET stock = 4 WHERE id = $1', [id]);
    const imported = send(`id,price\n${id},2\n`);
    await sale.blocks(1);
    await sale.commit();
    expect((await imported).status).toBe(200);
    expect(await listed()).toMatchObject([{ id, price: 2, stock: 4 }]);
  });

  it('takes as many statements for 400 products as for 10', async () => {
    const ids = await insertProducts(app, 400);
    const file = (count: number, stock: number) =>
      `id,stock\n${ids
        .slice(0, count)
        .map((id) => `${id},${stock}\n`)
        .join('')}`;
    const few = await statementsOf(() => send(file(10, 1)));
    expect(await statementsOf(() => send(file(400, 2)))).toHaveLength(few.length);
  });

  it('refuses other types and charsets, and files that are too large', async () => {
    const statusOf = async (raw: string, type: string) => (await send(raw, '', { 'content-type': type })).status;
    expect(await statusOf('id\n', 'application/json')).toBe(415);
    expect(await statusOf('id\n', 'text/csv; charset=latin1')).toBe(415);
    expect(await statusOf(`name\n${'x'.repeat(5 * 2 ** 20)}`, 'text/csv')).toBe(413);
    expect(await statusOf(`name\n${'x\n'.repeat(10_001)}`, 'text/csv')).toBe(413);
  });

  it('is for admins alone, like the export', async () => {
    const user = await insertUser(app);
    const headers = { 'content-type': 'text/csv' };
    for (const [caller, status] of [
      [user.token, 403],
      [undefined, 401],
    ] as const) {
      expect((await app.api.post(`${files}/import`, { token: caller, raw: 'id\n', headers })).status).toBe(status);
      expect((await app.api.get(`${files}/export`, { token: caller })).status).toBe(status);
    }
  });
});
