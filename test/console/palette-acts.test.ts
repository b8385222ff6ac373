import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, insertUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../support/goods.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  acts = new Acts(await scene.open(await insertAdmin(scene.app), 'account'), scene.app);
});

afterAll(async () => {
  await scene?.close();
});

/** Types into the search, waits for the first find to be this one, and presses Enter. */
async function say(text: string, first: string): Promise<void> {
  await acts.at('account');
  await acts.page.keyboard.press('Control+k');
  await acts.page.getByRole('combobox', { name: 'Search' }).pressSequentially(text);
  await acts.page.locator('[role=option][aria-selected=true]').filter({ hasText: first }).waitFor();
  await acts.page.keyboard.press('Enter');
}

async function buy(address = {}): Promise<number> {
  const buyer = await insertUser(scene.app);
  await fillCart(scene.app, buyer, [await insertProduct(scene.app)]);
  return (await checkout(scene.app.api, buyer, address)).body.id;
}

describe('Ctrl-K', () => {
  it('opens the forms that make something', async () => {
    await say('new prod', 'New product');
    await acts.page.getByRole('dialog', { name: 'New product' }).waitFor();
    await acts.page.keyboard.press('Escape');
    await say('new coupon', 'New coupon');
    await acts.page.getByRole('dialog', { name: 'New coupon' }).waitFor();
    await acts.page.keyboard.press('Escape');
  });

  it('changes the theme', async () => {
    await say('dark', 'Dark');
    await acts.page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await say('light', 'Light');
    await acts.page.locator('html[data-theme=light]').waitFor({ state: 'attached' });
  });

  it('ships an order by its number, only if it can be shipped', async () => {
    const id = await buy();
    await scene.app.database.rows("UPDATE orders SET status = 'paid' WHERE id = $1", [id]);
    await say(`ship order ${id}`, `Ship order ${id}`);
    const form = acts.page.getByRole('dialog', { name: new RegExp(`Ship order ${id}`) });
    await form.waitFor();
    await acts.page.keyboard.press('Escape');
    await scene.app.database.rows("UPDATE orders SET status = 'delivered' WHERE id = $1", [id]);
    await say(`ship ${id}`, `Order ${id}`);
    await acts.page.getByRole('heading', { level: 1, name: `Order ${id}` }).waitFor();
    expect(await acts.page.getByRole('dialog').count()).toBe(0);
  });

  it('finds customers and coupons, those of exactly this name first', async () => {
    await insertUser(scene.app, { username: 'lena.longer' });
    const lena = await insertUser(scene.app, { username: 'lena' });
    await insertUser(scene.app, { username: 'lena.longest' });
    await insertCoupon(scene.app, 'LENA-2');
    await insertCoupon(scene.app, 'SPRING-AGAIN');
    await insertCoupon(scene.app, 'SPRING');
    await say('lena', 'lena');
    await acts.page.waitForURL((url) => url.searchParams.get('customer') === lena.id);
    await acts.page.keyboard.press('Escape');
    await say('spring', 'SPRING');
    await acts.page.getByRole('dialog', { name: 'SPRING', exact: true }).waitFor();
    await acts.page.keyboard.press('Escape');
  });

  it('never offers products that are only alike', async () => {
    await insertProduct(scene.app, { name: 'Linen shirt' });
    await acts.at('account');
    await acts.page.keyboard.press('Control+k');
    await acts.page.getByRole('combobox', { name: 'Search' }).pressSequentially('linnen shrit');
    await acts.page.getByText('Nothing found.').waitFor();
    await acts.page.keyboard.press('Escape');
  });

  it('offers nothing that somebody may not do', async () => {
    const { id } = await insertOrganization(scene.app);
    const viewer = await insertUser(scene.app);
    await insertMembership(scene.app, id, viewer.id, 'viewer');
    const page = await scene.open(viewer, 'account');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).pressSequentially('new');
    const found = page.getByRole('dialog', { name: 'Search' });
    await found.getByRole('option', { name: 'New organization' }).waitFor();
    for (const name of ['New product', 'New workflow', 'New API key', 'Import report']) {
      expect(await found.getByRole('option', { name }).count()).toBe(0);
    }
    expect([...page.faults, ...acts.faults()]).toEqual([]);
    await page.context().close();
  });
});
