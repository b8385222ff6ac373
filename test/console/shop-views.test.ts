import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../support/accounts.js';
import { insertProduct } from '../support/goods.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let ada: Acts;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  ada = new Acts(await scene.open(await insertAdmin(scene.app), 'account'), scene.app);
});

afterAll(async () => {
  await scene?.close();
});

const paramOf = (acts: Acts, name: string) => new URL(acts.page.url()).searchParams.get(name);

describe('A saved view of the shop', () => {
  it('keeps the filters and the order of Orders under a name, and is forgotten', async () => {
    await ada.at('shop/orders?queue=unpaid&status=pending&sort=-total&skip=50');
    const menu = await ada.menu('Views');
    await menu.getByLabel('Name of the view').pressSequentially('Large and unpaid');
    await ada.page.keyboard.press('Enter');
    await menu.getByRole('button', { name: 'Large and unpaid', exact: true }).waitFor();
    await ada.at('shop/orders');
    await (await ada.menu('Views')).getByRole('button', { name: 'Large and unpaid', exact: true }).click();
    expect(['queue', 'status', 'sort', 'skip'].map((name) => paramOf(ada, name))).toEqual([
      'unpaid',
      'pending',
      '-total',
      null,
    ]);
    await ada.page
      .getByRole('link', { name: 'Unpaid', exact: false })
      .and(ada.page.locator('[aria-current]'))
      .waitFor();
    await ada.press('Forget Large and unpaid');
    await ada.said('Large and unpaid is forgotten');
    expect(await ada.rows('SELECT FROM shop_views')).toEqual([]);
    expect(ada.faults()).toEqual([]);
  });

  it('of Products is shared with other admins, and a second one of the name is refused', async () => {
    await insertProduct(scene.app, { name: 'Few left', stock: 2 });
    await ada.at('shop/products?low_stock=true');
    const menu = await ada.menu('Views');
    await menu.getByLabel('Name of the view').fill('To order');
    await menu.getByLabel('For everybody').check();
    await ada.press('Keep', menu);
    await menu.getByText('shared', { exact: true }).waitFor();
    await menu.getByLabel('Name of the view').fill('to order');
    expect(await ada.refused(() => ada.press('Keep', menu))).toMatch(/already a view/);
    expect(await menu.getByLabel('Name of the view').inputValue()).toBe('to order');
    const bob = new Acts(await scene.open(await insertAdmin(scene.app), 'shop/products'), scene.app);
    await (await bob.menu('Views')).getByRole('button', { name: 'To order', exact: true }).click();
    await bob.column('Products', 1, 1);
    expect(paramOf(bob, 'low_stock')).toBe('true');
    await bob.at('shop/orders');
    await (await bob.menu('Views')).getByLabel('Name of the view').waitFor();
    expect(await bob.page.getByRole('button', { name: 'To order', exact: true }).count()).toBe(0);
    expect([...ada.faults(), ...bob.faults()]).toEqual([]);
    await bob.page.context().close();
  });
});
