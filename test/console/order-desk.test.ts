import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Order } from '../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { printed } from './acts.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { Way } from './way.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let other: InsertedUser;

beforeAll(async () => {
  scene = await startConsoleScene();
  page = await scene.signIn(admin);
  other = await insertAdmin(scene.app);
});

afterAll(async () => {
  await scene?.close();
});

async function order(username: string, shipping = {}): Promise<Order> {
  const buyer = await insertUser(scene.app, { username });
  await fillCart(scene.app, buyer, [await insertProduct(scene.app, { name: `Desk of ${username}`, price: 50 })], 2);
  return (await checkout(scene.app.api, buyer, { shipping })).body;
}

async function pay({ id, total_price }: Order): Promise<void> {
  const json = { amount: total_price };
  await scene.app.api.post(`/api/v1/admin/orders/${id}/payments`, { token: other.token, json });
}

const rows = () => page.getByRole('grid', { name: 'Orders' }).locator('tbody tr[data-index]');
const tab = (name: string) => page.getByRole('navigation', { name: 'Orders that wait' }).getByRole('link', { name });
const numbers = async () => (await rows().locator('td:nth-child(2)').allInnerTexts()).map(Number);
const listed = (...expected: number[]) =>
  until(async () => (await numbers()).join() === expected.join(), `the orders ${expected.join()}`);
const search = () => page.getByRole('searchbox', { name: 'Search' });

describe('The orders that wait', () => {
  it('are counted in tabs, each of which lists them, as in the database', async () => {
    const counts = `SELECT count(*) FILTER (WHERE status IN ('paid', 'processing'))::int AS to_ship,
                           count(*) FILTER (WHERE status = 'pending')::int AS unpaid, count(*)::int AS all FROM orders`;
    const [count] = await scene.app.database.rows<Record<string, number>>(counts);
    await goTo(page, 'shop/orders');
    for (const [name, queue] of [
      ['To ship', 'to_ship'],
      ['Unpaid', 'unpaid'],
      ['All', 'all'],
    ] as const) {
      await tab(name).getByText(String(count?.[queue]), { exact: true }).waitFor();
      await tab(name).click();
      await page.getByText(new RegExp(`of ${count?.[queue]}$`)).waitFor();
      expect(await tab(name).getAttribute('aria-current')).toBe('page');
    }
    await tab('Problems').click();
    await page.waitForURL(/queue=problems/);
  });

  it('to be shipped begin with the one that waited longest, unless one sorts them otherwise', async () => {
    const waiting = (direction: string) =>
      scene.app.database.rows<{ id: number }>(
        `SELECT id FROM orders WHERE status IN ('paid', 'processing') ORDER BY created_at ${direction}, id ${direction}`,
      );
    await goTo(page, 'shop/orders?queue=to_ship');
    await listed(...(await waiting('ASC')).map(({ id }) => id));
    await page
      .getByRole('columnheader', { name: /Placed/ })
      .getByRole('button')
      .click();
    await listed(...(await waiting('DESC')).map(({ id }) => id));
  });

  it('are filtered by several statuses at once, which the address keeps', async () => {
    await goTo(page, 'shop/orders');
    await page.locator('summary').filter({ hasText: 'Status' }).click();
    await page.getByLabel('Shipped', { exact: true }).check();
    await page.getByLabel('Delivered', { exact: true }).check();
    expect(new URL(page.url()).searchParams.get('status')).toBe('shipped,delivered');
    const counts = "SELECT count(*)::int AS count FROM orders WHERE status IN ('shipped', 'delivered')";
    const [expected] = await scene.app.database.rows<{ count: number }>(counts);
    await page.getByText(new RegExp(`of ${expected?.count}$`)).waitFor();
    await page.reload();
    await page.getByText(new RegExp(`of ${expected?.count}$`)).waitFor();
  });

  it('are found by whatever one knows of them, typed by single keys', async () => {
    await scene.app.database.rows("DELETE FROM orders WHERE shipping_zip = '80-331'");
    const one = await order('desk.finder', { first_name: 'Żaneta', last_name: 'Kowalska', zip_code: '80-331' });
    for (const text of [`#${one.id}`, 'zaneta kow', '80-331', 'desk of desk.fin', 'desk.finder']) {
      await goTo(page, 'shop/orders');
      await search().pressSequentially(text);
      await listed(one.id);
      expect(new URL(page.url()).searchParams.get('search')).toBe(text);
    }
  });

  it('keep the heads of their columns in view while the page scrolls', async () => {
    await goTo(page, 'shop/orders');
    await rows().nth(40).waitFor();
    await rows().nth(40).scrollIntoViewIfNeeded();
    const head = page.getByRole('columnheader', { name: 'Total' });
    await until(async () => {
      const box = await head.boundingBox();
      return box !== null && box.y >= 0 && box.y < 40;
    }, 'the head in view');
    expect(await page.evaluate('document.documentElement.scrollTop > 100')).toBe(true);
  });

  it('are shipped three at a time in six clicks, with their tracking, and their packing slips are printed', async () => {
    const three = [await order('desk.three.a'), await order('desk.three.b'), await order('desk.three.c')];
    for (const one of three) await pay(one);
    const ids = three.map(({ id }) => id);
    await goTo(page, 'shop/orders?customer=desk.three');
    const way = new Way(page);
    await way.click(tab('To ship'));
    await rows()
      .filter({ hasText: String(ids[0]) })
      .waitFor();
    for (const id of ids) {
      await way.click(page.getByRole('row', { name: new RegExp(`\\b${id}\\b`) }).getByRole('checkbox'));
    }
    const bar = page.getByRole('form', { name: 'Change the selected orders' });
    const paper = await printed(page, () => bar.getByRole('button', { name: 'Packing slips' }).click());
    for (const id of ids) expect(paper).toContain(`Packing slip Order ${id} `);
    await way.button('Ship', bar);
    const dialog = page.getByRole('dialog', { name: 'Ship 3 orders' });
    await dialog.getByLabel('Carrier').pressSequentially('DHL');
    await dialog.getByLabel(`Tracking number of ${ids[1]}`).pressSequentially('0034');
    await way.button('Ship 3 orders', dialog);
    await page.getByText('Shipped: 3 orders').waitFor();
    const stored = 'SELECT status, carrier, tracking_number FROM orders WHERE id = ANY($1) ORDER BY id';
    expect(await scene.app.database.rows(stored, [ids])).toEqual([
      { status: 'shipped', carrier: 'DHL', tracking_number: null },
      { status: 'shipped', carrier: 'DHL', tracking_number: '0034' },
      { status: 'shipped', carrier: 'DHL', tracking_number: null },
    ]);
    expect(way.clicks).toBe(6);
  });

  it('leave no error on the page', () => {
    expect(page.faults).toEqual([]);
  });
});
