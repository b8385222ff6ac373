import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Account, signUp } from '../support/accounts.js';
import { insertProduct } from '../support/goods.js';
import { orderIn, startPlainWayScene, type WayScene } from './way-scene.js';

let scene: WayScene;
let customer: Account;

beforeAll(async () => {
  scene = await startPlainWayScene({ env: { DEMO_DATA: 'true' } });
  customer = await signUp(scene.app);
  await insertProduct(scene.app, { name: 'Leselampe' });
});
afterAll(async () => {
  await scene?.close();
});

const mostPresses = 80;

/** Whether the focus is on the element, and can be seen there: shown as such, within the window, and covered by nothing. */
const isSeen = (one: Locator) =>
  one.evaluate((element) => {
    const { activeElement, documentElement } = element.ownerDocument;
    if (element !== activeElement) return null;
    const { left, top, width, height } = element.getBoundingClientRect();
    const above = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    const isWithin = top >= 0 && top + height <= documentElement.clientHeight + 1;
    return { isWithin, isOnTop: element.contains(above), isShown: element.matches(':focus-visible') };
  });

/** Presses Tab until the focus is on what is looked for, and asserts that it is seen there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < mostPresses; presses++) {
    await page.keyboard.press('Tab');
    const seen = await isSeen(target);
    if (!seen) continue;
    expect(seen).toEqual({ isWithin: true, isOnTop: true, isShown: true });
    return;
  }
  throw new Error(`${mostPresses} presses of Tab do not lead to ${String(target)}`);
}

async function follow(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

/** What has the focus: after a form it is the sentence that says what became of it. */
const focused = (page: Page) => page.locator(':focus');

describe.each([390, 1_440])('Somebody with a keyboard alone, in German, at %d px', (width) => {
  it('buys something, from the first page to the payment', async () => {
    const page = await scene.visit({ locale: 'de-DE', viewport: { width, height: 844 } });
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    await page.goto('/');
    await follow(page, page.getByRole('link', { name: 'Zum Inhalt springen' }));
    await follow(page, page.locator('main').getByRole('link', { name: 'Leselampe' }).first());
    await page.getByRole('heading', { level: 1, name: 'Leselampe' }).waitFor();
    await button('Eins mehr').and(page.locator(':enabled')).waitFor();
    await follow(page, button('Eins mehr'));
    await page.getByRole('status').filter({ hasText: 'Menge: 2' }).waitFor({ state: 'attached' });
    await follow(page, button('In den Warenkorb').filter({ visible: true }));
    await page.waitForURL('**/cart?added=yes');
    expect(await focused(page).innerText()).toBe('Der Artikel liegt in Ihrem Warenkorb.');
    await follow(page, page.getByRole('link', { name: 'Zur Kasse' }));
    await page.waitForURL('**/login?**');
    await type(page, 'Benutzername', customer.username);
    await type(page, 'Passwort', 'not this one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await focused(page).innerText()).toBe('Der Benutzername oder das Passwort ist falsch.');
    expect(await page.getByLabel('Benutzername').inputValue()).toBe(customer.username);
    await type(page, 'Passwort', customer.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/^[^?]*\/checkout$/);
    const fields = { Vorname: 'Ada', Nachname: 'Lovelace', 'Straße und Hausnummer': 'Kai 1', Postleitzahl: '20457' };
    for (const [label, text] of Object.entries(fields)) await type(page, label, text);
    await type(page, 'Ort', 'Hamburg');
    const methods = page.getByRole('radio');
    await tabTo(page, methods.first());
    await page.keyboard.press('ArrowDown');
    expect(await methods.nth(1).isChecked()).toBe(true);
    await follow(page, button('Kostenpflichtig bestellen'));
    await page.waitForURL('**/payments/demo/**');
    await follow(page, button('Bezahlen'));
    await page.waitForURL(/\/orders\/\d+\?/);
    await page.getByText('Ihre Zahlung ist da. Danke!').waitFor();
    expect(await focused(page).innerText()).toBe('Ihre Zahlung ist da. Danke!');
    const { token } = customer;
    const { body } = await scene.app.api.get(`/api/v1/orders/${orderIn(page)}`, { token });
    expect(body).toMatchObject({ status: 'paid', items: [{ name: 'Leselampe', quantity: 2 }] });
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
