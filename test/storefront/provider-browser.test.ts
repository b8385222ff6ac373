import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newProviderUser } from '../api/oidc/oidc-scene.js';
import { signUp } from '../support/accounts.js';
import { insertProduct } from '../support/goods.js';
import { OidcServer } from '../support/oidc-server.js';
import { startPlainWayScene, type WayScene } from './way-scene.js';

let provider: OidcServer;
let scene: WayScene;
beforeAll(async () => {
  provider = await OidcServer.start();
  scene = await startPlainWayScene({ env: { ...provider.env, DEMO_DATA: 'false' } });
  provider.register(scene.app.baseUrl);
});
afterAll(async () => {
  await scene?.close();
  await provider?.close();
});

async function sayWho(page: Page, sub: string): Promise<void> {
  await page.getByLabel('Who are you?').fill(sub);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const link = (page: Page) => page.getByRole('link', { name: 'Sign in with Example Login' });

describe.each([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
])('The shop front in a browser, %s', (_, settings) => {
  it('signs in with the provider by a link under the password, with the cart of before, and out again', async () => {
    const id = await insertProduct(scene.app, { name: 'Blue kettle' });
    const page = await scene.visit(settings);
    await page.goto(
      `/p/${(await scene.app.database.rows<{ slug: string }>('SELECT slug FROM products WHERE id = $1', [id]))[0]?.slug}`,
    );
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.goto('/login?next=%2Fcart');
    await link(page).click();
    const user = newProviderUser(provider);
    await sayWho(page, user.sub);
    await page.waitForURL('**/cart');
    await page.getByRole('main').getByText('Blue kettle').first().waitFor();
    await page.goto('/account');
    await page
      .getByText(user.preferred_username ?? '')
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('says why it was refused, and leaves the password to sign in with', async () => {
    const owner = await signUp(scene.app);
    const user = newProviderUser(provider, { email: owner.email });
    const page = await scene.visit(settings);
    await page.goto('/login');
    await link(page).click();
    await sayWho(page, 'nobody');
    await page.getByText('The sign-in was refused').waitFor();
    await link(page).click();
    await sayWho(page, user.sub);
    await page.getByText('An account with your e-mail address is there already').waitFor();
    await page.getByLabel(/^Username/).fill(owner.username);
    await page.getByLabel(/^Password/).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/account');
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
