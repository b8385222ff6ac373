import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Account, signUp } from '../support/accounts.js';
import { addToCart, insertCoupon, insertProduct, stockOf } from '../support/goods.js';
import { codeOf, enableTwoFactor, wrongCodeOf } from '../support/one-time-codes.js';
import { violationsInAllLooks } from './pages-scene.js';
import { isSeenWhole, orderIn, signInAt, startWayScene, typeAddress, type WayScene } from './way-scene.js';

let scene: WayScene;

beforeAll(async () => {
  scene = await startWayScene();
});
afterAll(async () => {
  await scene?.close();
});

interface ShownOrder {
  status: string;
  total_price: number;
  paid_total: number;
}
const orderOf = async (id: number, { token }: Account) =>
  (await scene.app.api.get<ShownOrder>(`/api/v1/orders/${id}`, { token })).body;
const ordersOf = async ({ token }: Account) =>
  (await scene.app.api.get<{ id: number }[]>('/api/v1/orders/', { token })).body;

/** Opens the checkout of an account that has these pieces in its cart, with an address typed. */
async function atCheckout(customer: Account, products: number[], quantity = 1): Promise<Page & { faults: string[] }> {
  for (const product of products) await addToCart(scene.app, customer, product, quantity);
  const page = await scene.visit();
  await page.goto('/login?next=/checkout');
  await signInAt(page, customer);
  await page.waitForURL(/^[^?]*\/checkout$/);
  await typeAddress(page);
  return page;
}

/** Puts the product of the page into the cart, with the button that this screen shows. */
const addThis = (page: Page) =>
  page.locator('form#buy button.add, button[form="buy"]').filter({ visible: true }).first().click();
const order = (page: Page) => page.getByRole('button', { name: 'Order and pay' }).click();

/** Pays on the demo's page, and comes back to the order. */
async function pay(page: Page): Promise<void> {
  await page.waitForURL('**/payments/demo/**');
  await page.getByRole('button', { name: /^(Pay|Bezahlen)$/ }).click();
  await page.waitForURL(/\/orders\/\d+\?/);
}

describe('the way to buy', () => {
  it('leads from the first page to a paid order, with a cart from before the login', async () => {
    const customer = await signUp(scene.app);
    const page = await scene.visit();
    await page.goto('/');
    await page.locator('main a[href^="/p/"]').first().click();
    await page.waitForURL('**/p/**');
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await addThis(page);
    await page.waitForURL('**/cart?added=yes');
    await page.getByText('It is in your cart.').waitFor();
    await page.getByRole('link', { name: 'Go to checkout' }).click();
    await page.waitForURL('**/login?next=**');
    await signInAt(page, customer);
    await page.waitForURL(/^[^?]*\/checkout$/);
    expect(await page.getByRole('region', { name: 'Your order' }).innerText()).toContain(name);
    await typeAddress(page);
    await page.getByLabel('Keep this address').check();
    await page.getByLabel(/Express/).check();
    await page.getByRole('region', { name: 'Your order' }).getByText('$12.99').waitFor();
    const total = await page.locator('.total').last().innerText();
    await order(page);
    await pay(page);
    await page.getByText('Your payment has arrived. Thank you!').waitFor();
    const bought = await orderOf(orderIn(page), customer);
    expect(bought).toMatchObject({ status: 'paid', paid_total: bought.total_price });
    expect(total).toContain(bought.total_price.toFixed(2));
    await page.goto('/account/addresses');
    expect(await page.getByRole('listitem').filter({ hasText: '1 Quay' }).count()).toBe(1);
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('needs no JavaScript, and speaks German', async () => {
    const customer = await signUp(scene.app);
    const page = await scene.visit({ javaScriptEnabled: false, locale: 'de-DE' });
    await page.goto('/');
    await page.locator('main a[href^="/p/"]').first().click();
    await addThis(page);
    await page.getByRole('heading', { name: 'Ihr Warenkorb' }).waitFor();
    await page.getByRole('spinbutton').fill('2');
    await page.getByRole('button', { name: /^Anzahl von .* ändern$/ }).click();
    expect(await page.getByRole('spinbutton').inputValue()).toBe('2');
    await page.getByRole('link', { name: 'Zur Kasse' }).click();
    await signInAt(page, customer);
    await page.getByRole('heading', { name: 'Kasse' }).waitFor();
    await typeAddress(page, {
      Vorname: 'Ada',
      Nachname: 'Lovelace',
      'Straße und Hausnummer': 'Kai 1',
      Postleitzahl: '20457',
      Ort: 'Hamburg',
    });
    await page.getByRole('button', { name: 'Kostenpflichtig bestellen' }).click();
    await pay(page);
    await page.getByText('Ihre Zahlung ist da. Danke!').waitFor();
    expect(await orderOf(orderIn(page), customer)).toMatchObject({ status: 'paid' });
    await page.context().close();
  });

  it('takes a code where the account has two-factor login', async () => {
    const customer = await signUp(scene.app);
    const { secret } = await enableTwoFactor(scene.app, customer.token);
    const page = await scene.visit();
    await page.goto('/login');
    await signInAt(page, customer);
    await page.waitForURL('**/login/code**');
    const next = codeOf(secret, 1); // the one of now was used to enable it
    await page.getByLabel('Code', { exact: true }).fill(next);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: `Hello, ${customer.username}` }).waitFor();
    await page.context().close();
  });

  it('sells the last piece once', async () => {
    const product = await insertProduct(scene.app, { name: 'Last lamp', stock: 1 });
    const pages: Page[] = [];
    const customers: Account[] = [];
    for (let buyer = 0; buyer < 2; buyer++) {
      const customer = await signUp(scene.app);
      customers.push(customer);
      pages.push(await atCheckout(customer, [product]));
    }
    await Promise.all(pages.map(order));
    const outcomes = pages.map((page) =>
      Promise.race([
        page.waitForURL('**/payments/demo/**').then(() => 'bought'),
        page
          .getByText('There are not as many')
          .first()
          .waitFor()
          .then(() => 'told'),
      ]),
    );
    expect((await Promise.all(outcomes)).sort()).toEqual(['bought', 'told']);
    const placed = await Promise.all(customers.map(ordersOf));
    expect(placed.flat()).toHaveLength(1);
    expect(await stockOf(scene.app, product)).toBe(0);
    for (const page of pages) await page.context().close();
  });

  it('asks again when a price has changed since it was shown', async () => {
    const customer = await signUp(scene.app);
    const product = await insertProduct(scene.app, { price: 20 });
    const page = await atCheckout(customer, [product]);
    await scene.app.database.rows('UPDATE products SET price = 25 WHERE id = $1', [product]);
    await order(page);
    await page.getByText('The total has changed from $25.99 to $30.99').waitFor();
    expect(await ordersOf(customer)).toEqual([]);
    expect(await page.getByLabel('City').inputValue()).toBe('Portland');
    await order(page);
    await pay(page);
    expect(await orderOf(orderIn(page), customer)).toMatchObject({ status: 'paid', total_price: 30.99 });
    await page.context().close();
  });

  it('takes off a coupon that has ended since it was shown', async () => {
    const customer = await signUp(scene.app);
    const product = await insertProduct(scene.app, { price: 20 });
    const code = `SPRING${product}`;
    const coupon = await insertCoupon(scene.app, code, { percent: 50 });
    const page = await atCheckout(customer, [product]);
    await page.getByLabel('Coupon').fill(code);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(`${code}: 50 % off`).waitFor();
    expect(await page.getByLabel('City').inputValue()).toBe('Portland');
    await scene.app.database.rows('UPDATE coupons SET is_active = false WHERE id = $1', [coupon]);
    await order(page);
    await page.getByText(`The coupon ${code} cannot be used any more.`).waitFor();
    expect(await ordersOf(customer)).toEqual([]);
    await order(page);
    await pay(page);
    expect(await orderOf(orderIn(page), customer)).toMatchObject({ total_price: 25.99 });
    await page.context().close();
  });

  it('lets a session that has ended in the checkout begin again in place', async () => {
    const customer = await signUp(scene.app);
    const page = await atCheckout(customer, [await insertProduct(scene.app)]);
    await page.context().clearCookies();
    await order(page);
    await page.getByText('Your session has ended.').waitFor();
    await signInAt(page, customer);
    await page.getByRole('button', { name: 'Order and pay' }).waitFor();
    expect(await page.getByLabel('City').inputValue()).toBe('Portland');
    await order(page);
    await pay(page);
    expect(await orderOf(orderIn(page), customer)).toMatchObject({ status: 'paid' });
    await page.context().close();
  });

  it('lets a payment that was declined be made again', async () => {
    const customer = await signUp(scene.app);
    const page = await atCheckout(customer, [await insertProduct(scene.app)]);
    await order(page);
    await page.waitForURL('**/payments/demo/**');
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The payment did not go through').waitFor();
    await page.getByRole('link', { name: 'Pay now' }).click();
    await pay(page);
    expect(await orderOf(orderIn(page), customer)).toMatchObject({ status: 'paid' });
    await page.context().close();
  });

  it('orders once when a form is sent twice, and leads back to an empty cart', async () => {
    const customer = await signUp(scene.app);
    const page = await atCheckout(customer, [await insertProduct(scene.app)]);
    const twin = await page.context().newPage();
    const sent = await page.locator('form[action="?/order"]').evaluate((form) => {
      const view = globalThis as unknown as { FormData: new (of: unknown) => Iterable<[string, string]> };
      return [...new view.FormData(form)];
    });
    const cookies = await page.context().cookies();
    const headers = {
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      origin: scene.app.baseUrl,
      accept: 'text/html',
    };
    const send = () =>
      fetch(`${scene.app.baseUrl}/checkout?/order`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(sent),
        redirect: 'manual',
      });
    const answers = await Promise.all([send(), send()]);
    const again = await send();
    const places = [...answers, again].map((answer) => answer.headers.get('location'));
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toMatch(/^\/orders\/\d+\/pay$/);
    expect(await ordersOf(customer)).toHaveLength(1);
    await twin.goto('/checkout');
    expect(new URL(twin.url()).pathname).toBe('/cart');
    await twin.getByText('Your cart is empty.').waitFor();
    await page.context().close();
  });

  it('says what left a cart, and lets nobody order more than there is', async () => {
    const gone = await insertProduct(scene.app, { name: 'Old lamp' });
    const scarce = await insertProduct(scene.app, { name: 'Rare lamp', stock: 3 });
    const page = await scene.visit();
    const cookie = { name: 'shop_cart', value: `${gone}.1_${scarce}.3_x.y_-1.2`, url: scene.app.baseUrl };
    await page.context().addCookies([cookie]);
    await page.goto('/cart');
    await page.getByText('Rare lamp').waitFor();
    await scene.app.api.put(`/api/v1/products/${scarce}`, {
      token: (await adminOf(scene)).token,
      json: { name: 'Rare lamp', price: 9, stock: 2 },
    });
    await scene.app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [gone]);
    await page.reload();
    await page.getByText('Only 2 left').waitFor();
    expect(await page.getByRole('link', { name: 'Go to checkout' }).count()).toBe(0);
    await page.context().close();
  });
});

let knownAdmin: Account | undefined;
async function adminOf({ app }: WayScene): Promise<Account> {
  if (knownAdmin) return knownAdmin;
  const account = await signUp(app);
  await app.database.rows(`UPDATE users SET role = 'admin' WHERE id = $1`, [account.id]);
  return (knownAdmin = account);
}

describe('an account', () => {
  it('cannot be seen by going back after signing out', async () => {
    const customer = await signUp(scene.app);
    const page = await scene.visit();
    await page.goto('/login');
    await signInAt(page, customer);
    await page.getByRole('heading', { name: `Hello, ${customer.username}` }).waitFor();
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByText('You are signed out.').waitFor();
    await page.goBack();
    await page.waitForURL('**/login?next=**');
    expect(await page.getByText(customer.username).count()).toBe(0);
    await page.context().close();
  });

  it('begins with a short page whose footer ends with the window, however high that is', async () => {
    const page = await scene.visit({ viewport: { width: 2560, height: 2400 } });
    await page.goto('/login');
    const box = await page.getByRole('contentinfo').boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(2400);
    await page.context().close();
  });

  it("shows nobody another customer's order", async () => {
    const [owner, other] = [await signUp(scene.app), await signUp(scene.app)];
    const page = await atCheckout(owner, [await insertProduct(scene.app)]);
    await order(page);
    await page.waitForURL('**/payments/demo/**');
    const [placed] = await ordersOf(owner);
    await page.context().clearCookies();
    await page.goto(`/login?next=/orders/${placed?.id}`);
    await signInAt(page, other);
    await page.getByText('404').waitFor();
    expect((await page.goto('/orders/none'))?.status()).toBe(404);
    await page.context().close();
  });

  it('can be made, changed, taken along and deleted', async () => {
    const username = `shopper${Date.now()}`;
    const page = await scene.visit();
    await page.goto('/register');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('E-mail').fill('not-an-address@x');
    await page.getByLabel('Password').fill('correct horse 7');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Correct what is marked below.').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe(username);
    await page.getByLabel('E-mail').fill(`${username}@example.com`);
    await page.getByLabel('Password').fill('correct horse 7');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor();
    await page.getByLabel(/^First name/).fill('Grace');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Hello, Grace' }).waitFor();
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Set it up' }).click();
    await isSeenWhole(page.getByRole('img', { name: 'Picture with the key' }));
    const key = (await page.locator('code').first().innerText()).replaceAll(' ', '');
    await page.getByLabel('Code that the app shows').fill(wrongCodeOf(key));
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await isSeenWhole(page.getByRole('alert'));
    await page.getByLabel('Code that the app shows').fill(codeOf(key));
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await isSeenWhole(page.getByRole('heading', { name: 'Your recovery codes' }));
    expect(await page.locator('.codes code').count()).toBeGreaterThan(4);
    const recovery = await page.locator('.codes code').first().innerText();
    await page.goto('/account/delete');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('my-data.json');
    await page.getByLabel('Password').fill('correct horse 7');
    await page.getByLabel('Code').fill(recovery);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByText('Your account is deleted.').waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});

describe('the pages of buying', () => {
  /** What axe finds on pages, in both themes, on a phone and on a desk. */
  async function foundOn(page: Page, paths: string[]): Promise<string[]> {
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      found.push(...(await violationsInAllLooks(page)).map((one) => `${path} ${one}`));
    }
    return found;
  }

  it('have nothing that axe finds before a login', async () => {
    const product = await insertProduct(scene.app, { name: 'Plain lamp' });
    const page = await scene.visit();
    await page.context().addCookies([{ name: 'shop_cart', value: `${product}.2`, url: scene.app.baseUrl }]);
    expect(await foundOn(page, ['/cart', '/login', '/register', '/reset'])).toEqual([]);
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('have nothing that axe finds after a login', async () => {
    const customer = await signUp(scene.app);
    const page = await atCheckout(customer, [await insertProduct(scene.app)]);
    await page.getByLabel('Keep this address').check();
    await order(page);
    await page.waitForURL('**/payments/demo/**');
    const [placed] = await ordersOf(customer);
    await addToCart(scene.app, customer, await insertProduct(scene.app), 1);
    const account = ['/account', '/account/orders', '/account/addresses', '/account/security', '/account/delete'];
    expect(await foundOn(page, ['/cart', '/checkout', `/orders/${placed?.id}`, ...account])).toEqual([]);
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
