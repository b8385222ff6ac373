import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Order } from '../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, stockOf } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let seller: InsertedUser;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  seller = await insertAdmin(scene.app, { username: 'seller' });
  page = await scene.open(seller, 'shop/orders');
});

afterAll(async () => {
  await scene?.close();
});

interface Bought {
  price?: number;
  count?: number;
  coupon?: string;
}

/** An order of so many pieces of a lamp; express shipping is 5.99. */
async function order(username: string, { price = 50, count = 2, coupon }: Bought = {}) {
  const buyer = await insertUser(scene.app, { username, email: `${username}@example.com` });
  const product = await insertProduct(scene.app, { name: 'Brass lamp', price, stock: 10 });
  await fillCart(scene.app, buyer, [product], count);
  const { body } = await checkout(scene.app.api, buyer, coupon === undefined ? {} : { coupon });
  return { ...body, product, buyer };
}

const post = (path: string, json: object) =>
  scene.app.api.post(`/api/v1/admin/orders/${path}`, { token: seller.token, json });
const pay = ({ id, total_price }: Order) => post(`${id}/payments`, { amount: total_price });
const section = (name: string) => page.getByRole('region', { name, exact: true });
const press = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' }).click();
const plain = async (target: Locator) => (await target.innerText()).replace(/\s+/g, ' ').trim();

async function stored(id: number) {
  const columns = 'status, paid_total::float8 AS paid, refunded_total::float8 AS refunded';
  return (await scene.app.database.rows(`SELECT ${columns} FROM orders WHERE id = $1`, [id]))[0];
}
const becomes = (id: number, expected: object) =>
  until(async () => JSON.stringify(await stored(id)) === JSON.stringify(expected), JSON.stringify(expected));

describe('The page of an order', () => {
  it('shows its customer with their other orders, its lines, its money and where it goes', async () => {
    await insertCoupon(scene.app, 'PAGE-TEN', { percent: 10 });
    const one = await order('page.reader', { coupon: 'PAGE-TEN' });
    await fillCart(scene.app, one.buyer, [one.product], 1);
    const { body: another } = await checkout(scene.app.api, one.buyer);
    await goTo(page, `shop/orders/${one.id}`);
    await page.getByRole('heading', { level: 1, name: `Order ${one.id}`, exact: true }).waitFor();
    await section('Customer').getByText('page.reader@example.com').waitFor();
    const others = section('Customer').getByRole('list', { name: 'Other orders' });
    await others.getByRole('link', { name: String(another.id) }).waitFor();
    expect(await plain(section('Items'))).toMatch(
      /Brass lamp .*2 × \$50\.00 \$100\.00 Subtotal \$100\.00 Discount \(PAGE-TEN\) −\$10\.00 Shipping \(Standard\) \$5\.99 Total \$95\.99$/,
    );
    await section('Payment').getByText('Left to pay').waitFor();
    expect(await plain(section('Payment'))).toMatch(/Paid \$0\.00 Left to pay \$95\.99$/);
    expect(await plain(section('Shipping'))).toContain('Ada Lovelace 12 St James Square');
    await others.getByRole('link', { name: String(another.id) }).click();
    await page.getByRole('heading', { level: 1, name: `Order ${another.id}`, exact: true }).waitFor();
  });

  it('leads to the previous and next one of its list, and back to it, also once it has left the list', async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c']) {
      const one = await order(`page.beside.${name}`);
      await pay(one);
      ids.push(one.id);
    }
    // Who has waited longest comes first.
    const [first, middle, last] = ids;
    await goTo(page, 'shop/orders?queue=to_ship');
    await page.getByRole('link', { name: String(first), exact: true }).click();
    const beside = page.getByRole('navigation', { name: 'Orders of the list' });
    await beside.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('heading', { level: 1, name: `Order ${middle}` }).waitFor();
    await press('Ship');
    await press(`Ship order ${middle}`, page.getByRole('dialog'));
    await page.getByText(`Order ${middle} is shipped`).waitFor();
    await page.reload();
    await goTo(page, 'shop/orders?queue=to_ship');
    await page.getByRole('link', { name: String(first), exact: true }).click();
    await press('Ship');
    await press(`Ship order ${first}`, page.getByRole('dialog'));
    await page.getByText(`Order ${first} is shipped`).waitFor();
    await beside.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('heading', { level: 1, name: `Order ${last}` }).waitFor();
    await page.getByRole('main').getByRole('link', { name: '← Orders' }).click();
    await page.waitForURL(/shop\/orders\?queue=to_ship$/);
  });

  it('records a payment, typed by single keys', async () => {
    const one = await order('page.payer');
    await goTo(page, `shop/orders/${one.id}`);
    await press('Record a payment');
    const dialog = page.getByRole('dialog', { name: 'Record a payment' });
    expect(await dialog.getByLabel('Amount').getAttribute('inputmode')).toBe('decimal');
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('105.99');
    await dialog.getByLabel('Amount').press('ControlOrMeta+a');
    await dialog.getByLabel('Amount').pressSequentially('5.99');
    await dialog.getByLabel('Method').pressSequentially('bank transfer');
    await dialog.getByLabel('Reference').pressSequentially('PAGE-1');
    await press('Record $5.99', dialog);
    await dialog.waitFor({ state: 'detached' });
    await becomes(one.id, { status: 'pending', paid: 5.99, refunded: 0 });
    await section('Payment').getByText('bank transfer, PAGE-1').waitFor();
    await press('Record a payment');
    await press('Record $100.00', page.getByRole('dialog'));
    await becomes(one.id, { status: 'paid', paid: 105.99, refunded: 0 });
    await page.getByRole('main').getByText('Paid', { exact: true }).first().waitFor();
  });

  it('refunds an amount written with a comma, and says what happens and who is told before it does', async () => {
    const one = await order('page.comma');
    await pay(one);
    const own = await scene.open(await insertAdmin(scene.app), `shop/orders/${one.id}?act=refund`, { locale: 'de-DE' });
    const dialog = own.getByRole('dialog', { name: `Bestellung ${one.id} erstatten` });
    await dialog.getByLabel('Ein Betrag').check();
    await dialog.getByLabel('Betrag', { exact: true }).pressSequentially('12,50');
    await dialog.getByText('page.comma@example.com bekommt eine E-Mail.').waitFor();
    await press('$12.50 erstatten', dialog);
    await becomes(one.id, { status: 'paid', paid: 105.99, refunded: 12.5 });
    await own.getByRole('region', { name: 'Zahlung', exact: true }).getByText('−$12.50').first().waitFor();
    expect(own.faults).toEqual([]);
    await own.context().close();
  });

  it('refunds pieces at their part of the discounted price, and returns them to the stock', async () => {
    await insertCoupon(scene.app, 'PAGE-THIRD', { percent: 33.33 });
    const one = await order('page.pieces', { price: 9.99, count: 3, coupon: 'PAGE-THIRD' });
    await pay(one);
    await goTo(page, `shop/orders/${one.id}`);
    await press('Refund');
    const dialog = page.getByRole('dialog', { name: `Refund order ${one.id}` });
    await dialog.getByLabel('Pieces of Brass lamp').pressSequentially('2');
    await dialog.getByLabel('Reason').pressSequentially('Two arrived broken');
    await press('Refund $13.32', dialog);
    await dialog.waitFor({ state: 'detached' });
    await becomes(one.id, { status: 'paid', paid: 25.97, refunded: 13.32 });
    expect(await stockOf(scene.app, one.product)).toBe(9);
    await section('Items').getByText('2 of 3 refunded').waitFor();
    await section('Timeline').getByText('Two arrived broken').waitFor();
    await press('Refund');
    await press('All items', dialog);
    await dialog.getByRole('button', { name: 'Refund $6.66' }).waitFor();
    await dialog.getByLabel('An amount').check();
    await dialog.getByLabel('Amount', { exact: true }).pressSequentially('12.66');
    await dialog.getByRole('alert').filter({ hasText: 'Only $12.65' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Refund $12.66' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await press('Leave', page.getByRole('dialog', { name: 'Leave this?' }));
    await dialog.waitFor({ state: 'detached' });
  });

  it('ships with carrier, number and link, refuses a link that is none, and asks where somebody would stop', async () => {
    const one = await order('page.shipper');
    await pay(one);
    await scene.app.database.rows('UPDATE orders SET shipping_address = NULL WHERE id = $1', [one.id]);
    await goTo(page, `shop/orders/${one.id}`);
    await press('Ship');
    const dialog = page.getByRole('dialog', { name: `Ship order ${one.id}` });
    await dialog.getByLabel('Carrier').pressSequentially('DHL');
    await dialog.getByLabel('Tracking number').pressSequentially('00340434');
    await dialog.getByLabel('Link to follow it').pressSequentially('https://parcels.example/00340434');
    await press(`Ship order ${one.id}`, dialog);
    await press('Shipped all the same', page.getByRole('dialog').last());
    await page.getByText(`Order ${one.id} is shipped`).waitFor();
    await section('Shipping').getByText('DHL 00340434').waitFor();
    const link = section('Shipping').getByRole('link', { name: 'Follow it' });
    expect(await link.getAttribute('href')).toBe('https://parcels.example/00340434');
    await press('Change tracking', section('Shipping'));
    await section('Shipping').getByLabel('Tracking number').press('ControlOrMeta+a');
    await section('Shipping').getByLabel('Tracking number').pressSequentially('00340435');
    await press('Save', section('Shipping'));
    await section('Shipping').getByText('DHL 00340435').waitFor();
  });

  it('asks before it becomes delivered while nothing is paid', async () => {
    const one = await order('page.unpaid');
    await goTo(page, `shop/orders/${one.id}`);
    await page.getByLabel('New status').selectOption('delivered');
    await press('Change status');
    const question = page.getByRole('dialog', { name: `Make order ${one.id} delivered all the same?` });
    await question.getByText('it is not paid').waitFor();
    await press('Keep', question);
    expect(await stored(one.id)).toEqual({ status: 'pending', paid: 0, refunded: 0 });
  });

  it('keeps notes, and sends a mail again, all of it in the timeline', async () => {
    const one = await order('page.noter');
    await goTo(page, `shop/orders/${one.id}`);
    await page.getByRole('textbox', { name: 'Note' }).pressSequentially('Rings twice.');
    await press('Add note');
    await section('Timeline').getByText('Rings twice.').waitFor();
    await press('Send again: Confirmation');
    await page.getByText('The mail is on its way to page.noter@example.com').waitFor();
    const timeline = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
    await timeline.nth(2).waitFor();
    expect((await timeline.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^page\.noter placed it/),
      expect.stringMatching(/^seller noted: Rings twice\./),
      expect.stringMatching(/^seller sent the mail: /),
    ]);
  });

  it('is opened by an address of an earlier version, and leaves no error on the page', async () => {
    const one = await order('page.older');
    await goTo(page, `shop/orders?order=${one.id}`);
    await page.getByRole('heading', { level: 1, name: `Order ${one.id}` }).waitFor();
    expect(page.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
  });
});
