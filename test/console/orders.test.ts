import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Order } from '../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, stockOf } from '../support/goods.js';
import { printed } from './acts.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let other: InsertedUser;
let buyer: InsertedUser;

beforeAll(async () => {
  scene = await startConsoleScene();
  page = await scene.signIn(admin);
  other = await insertAdmin(scene.app);
  buyer = await insertUser(scene.app, { username: 'grace.buyer' });
});

afterAll(async () => {
  await scene?.close();
});

async function order(user = buyer): Promise<Order> {
  await fillCart(scene.app, user, [await insertProduct(scene.app, { name: 'Oak stool' })], 2);
  const { status, body } = await checkout(scene.app.api, user);
  if (status !== 200 && status !== 201) throw new Error(`The checkout answered ${status}`);
  return body;
}

async function statusOf(id: number): Promise<string | undefined> {
  const rows = await scene.app.database.rows<{ status: string }>('SELECT status FROM orders WHERE id = $1', [id]);
  return rows[0]?.status;
}

/** Changes something as another admin does. */
async function changeElsewhere(path: string, json: object): Promise<void> {
  const { status, body } = await scene.app.api.put(`/api/v1/admin/${path}`, { token: other.token, json });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
}

const rowsOf = (name: string): Locator => page.getByRole('grid', { name }).locator('tbody tr');

/** The listed orders, once there are this many. */
async function listed(count: number): Promise<string[]> {
  await rowsOf('Orders').nth(count).waitFor({ state: 'detached' });
  if (count > 0)
    await rowsOf('Orders')
      .nth(count - 1)
      .waitFor();
  return rowsOf('Orders').allInnerTexts();
}

describe('Orders', () => {
  it('shows the order with a number, those of a customer and those of a period, from the address', async () => {
    const finder = await insertUser(scene.app, { username: 'found.buyer' });
    const [one, two] = [await order(finder), await order(finder)];
    await goTo(page, 'shop/orders');
    await page.getByRole('searchbox', { name: 'Search' }).fill(`#${one.id}`);
    expect(await listed(1)).toEqual([expect.stringMatching(new RegExp(`^\\s*${one.id}\\s+Pending`))]);
    expect(new URL(page.url()).searchParams.get('search')).toBe(`#${one.id}`);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('found.buyer');
    expect((await listed(2)).join(' ')).toMatch(new RegExp(`${two.id}[^]+${one.id}`));
    await page.getByLabel('Since').fill('2026-01-01');
    await page.getByLabel('Until').fill('2001-01-01');
    await page.getByText('No order matches').waitFor();
    expect(new URL(page.url()).search).toBe('?search=found.buyer&since=2026-01-01&until=2001-01-01');
  });

  it('changes the status of many at once, and says why each refused one was refused, which stays selected', async () => {
    const user = await insertUser(scene.app, { username: 'alan.buyer' });
    const [final, open] = [await order(user), await order(user)];
    await changeElsewhere(`orders/${final.id}/status?new_status=cancelled`, {});
    await goTo(page, 'shop/orders?customer=alan.buyer');
    await listed(2);
    await page.getByLabel('Select all').check();
    const bar = page.getByRole('form', { name: 'Change the selected orders' });
    await bar.getByLabel('New status').selectOption('shipped');
    await bar.getByRole('button', { name: 'Change status' }).click();
    const answers = page.getByRole('list', { name: 'Answers' }).getByRole('listitem');
    await answers.nth(1).waitFor();
    expect((await answers.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(new RegExp(`^${final.id} .*cancelled`)),
      `${open.id} Now shipped`,
    ]);
    expect([await statusOf(final.id), await statusOf(open.id)]).toEqual(['cancelled', 'shipped']);
    await bar.getByText('1 order selected').waitFor();
    expect(await rowsOf('Orders').and(page.locator('[aria-selected=true]')).innerText()).toContain(String(final.id));
  });

  it('changes the status of one, shows its history, and prints its packing slip alone', async () => {
    const { id } = await order();
    await goTo(page, `shop/orders/${id}`);
    const drawer = page.getByRole('main');
    await drawer.getByLabel('New status').selectOption('paid');
    await drawer.getByRole('button', { name: 'Change status' }).click();
    const timeline = drawer.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
    await timeline.nth(1).waitFor();
    expect((await timeline.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^grace\.buyer placed it/),
      expect.stringMatching(/^admin changed the status from Pending to Paid/),
    ]);
    expect(await statusOf(id)).toBe('paid');
    const paper = await printed(page, () => drawer.getByRole('button', { name: 'Print packing slip' }).click());
    const slip = `^Store Service Packing slip Order ${id} .*Ada Lovelace .*2 Oak stool .*2 pieces in all\\.$`;
    expect(paper).toMatch(new RegExp(slip));
  });

  it('writes amounts as an admin has set the shop, and the shop on the packing slip', async () => {
    const setShop = (json: object) => scene.app.api.patch('/api/v1/admin/shop', { token: other.token, json });
    const { id } = await order();
    await setShop({ name: 'Hafenladen', currency: 'EUR', locale: 'de-DE', address: 'Am Hafen 1\nHamburg' });
    try {
      await goTo(page, `shop/orders/${id}`);
      await page.reload();
      const drawer = page.getByRole('main');
      await drawer
        .getByText(/^[\d.]+,\d\d\s€$/)
        .first()
        .waitFor();
      expect(await page.locator('body').innerText()).not.toContain('$');
      const paper = await printed(page, () => drawer.getByRole('button', { name: 'Print packing slip' }).click());
      expect(paper).toMatch(/^Hafenladen Am Hafen 1 Hamburg Packing slip/);
    } finally {
      await setShop({ name: null, currency: null, locale: null, address: null });
      await page.reload();
    }
  });
});

describe('What two admins edit at once', () => {
  const question = () => page.getByRole('dialog', { name: /was changed meanwhile$/ });
  let stools = 0;

  it('shows both versions of a product, and can keep mine', async () => {
    const id = await insertProduct(scene.app, { name: 'Ash table', price: 80, stock: 10 });
    await goTo(page, `shop/products?product=${id}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Ash table, mine');
    await changeElsewhere(`products/${id}`, { name: 'Ash table, theirs', stock: 4 });
    await page.getByRole('button', { name: 'Save' }).click();
    const rows = question().locator('tbody tr');
    await rows.first().waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      'Name Ash table, mine Ash table, theirs',
      'Stock 10 as you read it 4',
    ]);
    await question().getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Ash table, mine is saved').waitFor();
    const products = 'SELECT name, stock FROM products WHERE id = $1';
    expect(await scene.app.database.rows(products, [id])).toEqual([{ name: 'Ash table, mine', stock: 4 }]);
  });

  it('asks the same about a figure that is changed in its row, and can take theirs', async () => {
    const name = `Walnut stool ${++stools}`;
    const id = await insertProduct(scene.app, { name, price: 30, stock: 10 });
    await goTo(page, `shop/products?search=${name}`);
    await page.getByRole('button', { name: `Stock of ${name}` }).click();
    // Changed elsewhere, but not in the edited field: nothing is asked.
    await changeElsewhere(`products/${id}`, { price: 31 });
    await page.getByLabel(`Stock of ${name}`).fill('9');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Stock of ${name}: 9.` }).waitFor();
    await changeElsewhere(`products/${id}`, { stock: 3 });
    await page.getByRole('button', { name: `Stock of ${name}` }).click();
    await page.getByLabel(`Stock of ${name}`).fill('8');
    await page.keyboard.press('Enter');
    await question().getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('button', { name: `Stock of ${name}: 3.` }).waitFor();
    expect(await stockOf(scene.app, id)).toBe(3);
  });

  it('keeps a figure that cannot be saved in its row, and says why', async () => {
    const name = `Yew stool ${++stools}`;
    const id = await insertProduct(scene.app, { name, stock: 10 });
    await goTo(page, `shop/products?search=${name}`);
    await page.getByRole('button', { name: `Stock of ${name}` }).click();
    const figure = page.getByLabel(`Stock of ${name}`);
    for (const text of ['', '-1', '1.5']) {
      await figure.fill(text);
      await page.keyboard.press('Enter');
      expect(await figure.evaluate((input) => input.matches(':focus:invalid'))).toBe(true);
    }
    await figure.fill('7');
    await page.keyboard.press('Enter');
    await page.getByText(`${name} is saved`).waitFor();
    expect(await stockOf(scene.app, id)).toBe(7);
  });

  it('shows both versions of a coupon, and can continue with theirs', async () => {
    const id = await insertCoupon(scene.app, 'BOTH-EDIT', { percent: 10, maxUses: 100 });
    await goTo(page, `shop/coupons?coupon=${id}`);
    await page.getByLabel('Uses at most').fill('50');
    await changeElsewhere(`coupons/${id}`, { max_uses: 70 });
    await page.getByRole('button', { name: 'Save' }).click();
    await question().getByRole('button', { name: 'Take theirs' }).click();
    await page.getByText('BOTH-EDIT is as they left it').waitFor();
    expect(await page.getByLabel('Uses at most').inputValue()).toBe('70');
    await page.getByLabel('Uses at most').fill('60');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('BOTH-EDIT is saved').waitFor();
    const coupons = 'SELECT max_uses FROM coupons WHERE id = $1';
    expect(await scene.app.database.rows(coupons, [id])).toEqual([{ max_uses: 60 }]);
    expect(page.faults.filter((fault) => !fault.includes('412'))).toEqual([]);
  });
});

describe('Products > Import CSV', () => {
  const choose = (text: string) =>
    page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const plan = () => page.getByRole('region', { name: 'What would change' });

  it('exports all products to a file, and imports it back with changes', async () => {
    await scene.app.database.rows("UPDATE products SET deleted_at = now() WHERE name LIKE '%Elm %'");
    const id = await insertProduct(scene.app, { name: '=Elm stool', price: 30, stock: 10 });
    await goTo(page, 'shop/products');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export catalog' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
    const file = Buffer.concat(chunks).toString();
    expect(file).toContain(`\r\n${id},'=Elm stool,,30,10,`);

    await page.getByRole('button', { name: 'Import CSV' }).click();
    await choose(file);
    await plan().getByText('Nothing changes').waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);

    const others = ','.repeat((file.split('\r\n')[0]?.split(',').length ?? 0) - 5);
    await choose(`${file.replace('=Elm stool,,30,10', '=Elm stool,,29.5,8')},Elm table,,90,2${others}\r\n`);
    await plan().getByText('1 product added, 1 changed').waitFor();
    await plan()
      .getByRole('row', { name: /=Elm stool.*Price 30 → 29.5 Stock 10 → 8/ })
      .waitFor();
    // Sold between the preview and the import: exactly what was previewed is imported.
    await scene.app.database.rows('UPDATE products SET stock = 7 WHERE id = $1', [id]);
    await page.getByRole('button', { name: 'Import 2 changes' }).click();
    await page.getByText('Products changed since this was shown').waitFor();
    await plan()
      .getByRole('row', { name: /Stock 7 → 8/ })
      .waitFor();
    await page.getByRole('button', { name: 'Import 2 changes' }).click();
    await page.getByText('1 product added, 1 changed', { exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const rows = await scene.app.database.rows<{ name: string }>(
      "SELECT name, price::float AS price, stock FROM products WHERE name LIKE '%Elm %' AND deleted_at IS NULL ORDER BY id",
    );
    expect(rows).toEqual([
      { name: '=Elm stool', price: 29.5, stock: 8 },
      { name: 'Elm table', price: 90, stock: 2 },
    ]);
  });

  it('names each fault by its line, and imports nothing in that case', async () => {
    await goTo(page, 'shop/products?import=true');
    await choose('id,name,price,stock\n,Oak,1,x\n999999,Oak,1,1\n,"Oak');
    await plan().getByText('3 faults: nothing is imported').waitFor();
    const rows = await plan().getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^2 stock Input should be a valid integer/),
      expect.stringMatching(/^3 id There is no such product/),
      '4 – A quote is opened but not closed',
    ]);
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.faults.filter((fault) => !fault.includes('412'))).toEqual([]);
  });
});
