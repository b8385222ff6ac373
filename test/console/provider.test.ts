import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SessionsService } from '../../src/store/sessions/sessions.service.js';
import { signUp } from '../support/accounts.js';
import { plainHost } from '../support/browser.js';
import { OidcServer, type ProviderUser } from '../support/oidc-server.js';
import { codeOf, enableTwoFactor } from '../support/one-time-codes.js';
import { beginSession } from '../support/sessions.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let provider: OidcServer;
let scene: ConsoleScene;
/** Of another site than the provider, as in the world outside. */
let origin: string;

beforeAll(async () => {
  provider = await OidcServer.start();
  scene = await startConsoleScene({ env: { ...provider.env, DEMO_DATA: 'false' } });
  origin = `http://${plainHost}:${new URL(scene.app.baseUrl).port}`;
  provider.register(origin, scene.app.baseUrl);
});
afterAll(async () => {
  await scene?.close();
  await provider?.close();
});

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Example Login' });
const screens = (page: Page) => page.getByRole('navigation', { name: 'Screens' });

async function sayWho(page: Page, name: string): Promise<void> {
  await page.getByLabel('Who are you?').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Signs in as a user of the provider in a browser of its own. */
async function signIn(user: ProviderUser, path = ''): Promise<Page> {
  provider.add(user);
  const page = await scene.visit(`${origin}/console/${path}`);
  await button(page).click();
  await sayWho(page, user.sub);
  return page;
}

/** Signs in in the tab that this opens, which goes by itself; with `sub` where the provider asks who one is. */
async function signInInTab(page: Page, opens: () => Promise<void>, sub?: string): Promise<void> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), opens()]);
  const gone = tab.isClosed() ? Promise.resolve() : tab.waitForEvent('close');
  if (sub !== undefined) await sayWho(tab, sub);
  await gone;
}

const staff = { sub: 'anna', preferred_username: 'anna', email: 'anna@company.example', email_verified: true };

describe('Signing in to the console with the provider', () => {
  it('makes an account, goes on at the page that was asked for, and lasts after a reload', async () => {
    const page = await signIn(
      { ...staff, sub: 'otto', preferred_username: 'otto', email: 'o@company.example' },
      'account',
    );
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    expect(page.url()).toBe(`${origin}/console/account`);
    await page.reload();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await page.getByRole('link', { name: 'otto', exact: true }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.context().close();
  });

  it('gives the role of the groups, which changes with them', async () => {
    const admin = await signIn({ ...staff, groups: ['shop-admins'] }, 'shop/customers');
    await admin.getByText('by group').waitFor();
    await admin.context().close();
    const customer = await signIn(staff, 'shop/customers');
    await customer.getByText('Only an admin of the shop may see this page').waitFor();
    await customer.context().close();
  });

  it('says why the provider refused, and why an account that is there has to be linked', async () => {
    const page = await scene.visit(`${origin}/console/`);
    await button(page).click();
    await sayWho(page, 'nobody');
    await page.getByText('The sign-in was refused at the provider').waitFor();
    expect(new URL(page.url()).search).toBe('');
    const { email } = await signUp(scene.app);
    provider.add({ sub: 'taken', preferred_username: 'taken', email });
    await button(page).click();
    await sayWho(page, 'taken');
    await page.getByText('An account with your e-mail address is there already').waitFor();
    await page.context().close();
  });

  it('takes no answer that was begun in another browser', async () => {
    provider.add(staff);
    const page = await scene.visit(`${origin}/console/login?state=console.made-up&code=stolen`);
    await page.getByText('was begun elsewhere').waitFor();
    expect(await screens(page).count()).toBe(0);
    await page.context().close();
  });

  it('says that the provider is away, and takes passwords', async () => {
    const { username, password } = await signUp(scene.app);
    const page = await scene.visit(`${origin}/console/`);
    await button(page).waitFor();
    provider.mood = 'away';
    // What the provider published a while ago is still known: only its page is missing.
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await screens(page).waitFor();
    provider.mood = 'well';
    await page.context().close();
  });
});

describe('An admin who needs a second factor', () => {
  it('is asked for the code after the provider, and goes on at the page that was asked for', async () => {
    const strict = await startConsoleScene({ env: { ...provider.env, DEMO_DATA: 'false', ADMIN_TOTP: 'required' } });
    try {
      provider.register(strict.app.baseUrl, origin, scene.app.baseUrl);
      const user = { sub: 'ruth', preferred_username: 'ruth', email: 'r@company.example', groups: ['shop-admins'] };
      provider.add({ ...user, email_verified: true });
      const first = await strict.visit(`${strict.app.baseUrl}/console/shop/customers`);
      await button(first).click();
      await sayWho(first, 'ruth');
      await screens(first).waitFor();
      await first.context().close();
      const [account] = await strict.app.database.rows<{ id: string }>(`SELECT id FROM users WHERE username = 'ruth'`);
      const ruth = { ...user, id: account?.id ?? '', username: 'ruth', token: '' };
      const { secret } = await enableTwoFactor(strict.app, (await beginSession(strict.app, ruth, 'Telephone')).access);
      await strict.app.database.rows('UPDATE users SET totp_last_step = 0');
      const page = await strict.visit(`${strict.app.baseUrl}/console/shop/customers`);
      await button(page).click();
      await sayWho(page, 'ruth');
      await page.getByLabel('Code').fill(codeOf(secret));
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('grid', { name: 'Customers' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/shop/customers');
    } finally {
      await strict.close();
    }
  });
});

describe('A session that ends while something is typed', () => {
  let benches = 0;

  it('leaves it there, while the user signs in with the provider in another tab', async () => {
    const groups = ['shop-admins'];
    const name = `Half a bench ${++benches}`;
    const page = await signIn(
      { ...staff, sub: 'typing', preferred_username: 'typing', email: 't@company.example', groups },
      'shop/products?new=true',
    );
    const form = page.getByRole('dialog', { name: 'New product' });
    await form.getByLabel('Name').pressSequentially(name);
    await form.getByLabel('Price').pressSequentially('12.5');
    const [account] = await scene.app.database.rows<{ id: string }>(`SELECT id FROM users WHERE username = 'typing'`);
    await scene.app.nest.get(SessionsService, { strict: false }).signOutEverywhere(account?.id ?? '');
    await form.getByRole('button', { name: 'Add to the catalog' }).click();
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByText('What you entered here stays').waitFor();
    // The provider still knows the user.
    await signInInTab(page, () => button(page).click());
    await login.waitFor({ state: 'detached' });
    // The act itself goes on with what was typed.
    await page.getByText(`${name} is in the catalog`).waitFor();
    const made = 'SELECT price::text FROM products WHERE name = $1';
    expect(await scene.app.database.rows(made, [name])).toEqual([{ price: '12.50' }]);
    await page.context().close();
  });
});

describe('The page of the account', () => {
  it('links the account with the provider, and removes the link', async () => {
    const owner = await signUp(scene.app);
    provider.add({ sub: 'linked', preferred_username: 'linked.user', email: owner.email });
    const page = await scene.open(owner, 'account');
    const part = page.getByRole('region', { name: 'Sign-in with Example Login' });
    await part.getByRole('button', { name: 'Link', exact: true }).click();
    await sayWho(page, 'linked');
    await part.getByText('linked.user').waitFor();
    await part.getByRole('button', { name: 'Remove the link with linked.user' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await part.getByText('Your account is not linked').waitFor();
    await page.context().close();
  });

  it('lets a user without a password prove once more who they are', async () => {
    const page = await signIn(
      { ...staff, sub: 'again', preferred_username: 'again', email: 'g@company.example' },
      'account',
    );
    await page.getByRole('button', { name: 'Sign out all' }).waitFor();
    await scene.app.database.rows(
      `UPDATE sessions SET authenticated_at = now() - interval '1 hour'
        WHERE user_id = (SELECT id FROM users WHERE username = 'again')`,
    );
    await page.reload();
    await page.getByRole('button', { name: 'Sign out all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await signInInTab(page, () => dialog.getByRole('button', { name: 'Sign in with Example Login' }).click(), 'again');
    // What was asked for goes on by itself.
    await button(page).waitFor();
    await page.context().close();
  });
});
