import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Account, signUp } from '../support/accounts.js';
import { addToCart, insertProduct } from '../support/goods.js';
import { signInAt, startPlainWayScene, typeAddress, type WayScene } from './way-scene.js';

let scene: WayScene;
let customer: Account;
let page: Page & { faults: string[] };

beforeAll(async () => {
  scene = await startPlainWayScene({ env: { DEMO_DATA: 'true' } });
});
afterAll(async () => {
  await scene?.close();
});

/** Opens the page of somebody new, who is signed in and has a piece of each of these. */
async function begin(products: number[], path = '/checkout'): Promise<void> {
  customer = await signUp(scene.app);
  for (const product of products) await addToCart(scene.app, customer, product, 1);
  page = await scene.visit();
  await page.goto(`/login?next=${path}`);
  await signInAt(page, customer);
  await page.waitForURL((url) => url.pathname === path);
}

const ordersOf = async () =>
  (await scene.app.api.get<{ id: number; total_price: number }[]>('/api/v1/orders/', { token: customer.token })).body;
const order = (one: Page) => one.getByRole('button', { name: 'Order and pay' }).click();
const pathOf = (one: Page) => new URL(one.url()).pathname;

describe('Whoever goes back', () => {
  it('from the payment finds an empty cart rather than a second order, and the payment again by going forward', async () => {
    await begin([await insertProduct(scene.app, { name: 'Single lamp' })]);
    await typeAddress(page);
    await order(page);
    await page.waitForURL('**/payments/demo/**');
    const payment = page.url();
    await page.goBack();
    await page.getByText('Your cart is empty.').waitFor();
    expect(await ordersOf()).toHaveLength(1);
    await page.goForward();
    await page.waitForURL(payment);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Your payment has arrived. Thank you!').waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText('Your cart is empty.').waitFor();
    expect(await ordersOf()).toHaveLength(1);
    await page.context().close();
  });

  it('from the checkout to the cart finds there, and on the way forward, what was changed', async () => {
    await begin([await insertProduct(scene.app, { name: 'Changed lamp', price: 20, stock: 9 })], '/cart');
    await page.getByRole('link', { name: 'Go to checkout' }).click();
    await page.locator('.total').filter({ hasText: '$25.99' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/cart');
    await page.getByRole('button', { name: 'One more' }).and(page.locator(':enabled')).click();
    await page.getByRole('button', { name: 'One more' }).click();
    await page.locator('.sum').filter({ hasText: '$60.00' }).waitFor();
    await page.getByRole('link', { name: 'Go to checkout' }).click();
    await page.locator('.total').filter({ hasText: '$65.99' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/cart');
    await page.goForward();
    await page.locator('.total').filter({ hasText: '$65.99' }).waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});

describe('Two tabs', () => {
  it('have one cart: what the other one adds is not ordered unseen', async () => {
    const [lamp, cup] = [await insertProduct(scene.app, { price: 20 }), await insertProduct(scene.app, { price: 7 })];
    await begin([lamp]);
    await typeAddress(page);
    const other = await page.context().newPage();
    await other.goto(`/p/${cup}`);
    await other.locator('form#buy button.add, button[form="buy"]').filter({ visible: true }).first().click();
    await other.getByText('It is in your cart.').waitFor();
    await order(page);
    await page.getByText('The total has changed from $25.99 to $32.99').waitFor();
    expect(await ordersOf()).toEqual([]);
    await order(page);
    await page.waitForURL('**/payments/demo/**');
    expect(await ordersOf()).toMatchObject([{ total_price: 32.99 }]);
    await page.context().close();
  });

  it('order once: the second one says that the cart is empty', async () => {
    await begin([await insertProduct(scene.app)]);
    await typeAddress(page);
    const other = await page.context().newPage();
    await other.goto('/checkout');
    await typeAddress(other);
    await order(page);
    await page.waitForURL('**/payments/demo/**');
    await order(other);
    await other.getByText('it was ordered already, or emptied in another window').waitFor();
    expect(await ordersOf()).toHaveLength(1);
    await page.context().close();
  });

  it('keep both of what two browsers put into the cart before the login', async () => {
    const [lamp, cup] = [await insertProduct(scene.app), await insertProduct(scene.app, { name: 'Other cup' })];
    await begin([lamp], '/cart');
    const other = await scene.visit();
    await other.context().addCookies([{ name: 'shop_cart', value: `${cup}.2_${lamp}.1`, url: scene.app.baseUrl }]);
    await other.goto('/login?next=/cart');
    await signInAt(other, customer);
    await other.waitForURL('**/cart');
    expect(await other.getByRole('spinbutton').evaluateAll((all) => all.map((one) => one.value))).toEqual(['2', '2']);
    await page.reload();
    expect(await page.getByRole('spinbutton').count()).toBe(2);
    await page.context().close();
    await other.context().close();
  });
});

describe('A name of 200 characters from right to left', () => {
  const name = 'כוס חרס מזוגגת בעבודת יד '.repeat(8).slice(0, 200).trim();

  it.each([360, 1_440])('fits cart, checkout and order at %d px, and is read in its direction', async (width) => {
    await begin([await insertProduct(scene.app, { name })], '/cart');
    await page.setViewportSize({ width, height: 800 });
    const fits = async () => {
      await page.getByText(name).first().waitFor();
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([pathOf(page), await page.evaluate<number>(over)]).toEqual([pathOf(page), 0]);
      expect(
        await page
          .getByText(name)
          .first()
          .evaluate((one) => one.matches(':dir(rtl)')),
      ).toBe(true);
    };
    await fits();
    await page.getByRole('link', { name: 'Go to checkout' }).click();
    await page.waitForURL('**/checkout');
    await fits();
    await typeAddress(page);
    await order(page);
    await page.waitForURL('**/payments/demo/**');
    const [placed] = await ordersOf();
    await page.goto(`/orders/${placed?.id}`);
    await fits();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
