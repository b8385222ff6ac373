import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signUp } from '../support/accounts.js';
import { enableTwoFactor } from '../support/one-time-codes.js';
import { until } from '../support/receiver.js';
import { admin, type ConsoleScene, goTo, startConsoleScene, violationsInBothThemes } from './console-scene.js';
import { drawers, givesBackFocus, openBy, questions } from './openings.js';
import { addressesIn } from './screens.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let addressOf: (path: string) => string;

beforeAll(async () => {
  scene = await startConsoleScene();
  addressOf = await addressesIn(scene.app);
  page = await scene.signIn(admin);
});

afterAll(async () => {
  await scene?.close();
});

/** Waits until something on a page has the focus; returns its opening tag and its text. */
async function focusedOn(where: Page): Promise<string> {
  const read = () =>
    where.evaluate<string>(
      `(({ activeElement: it }) => (it === document.body ? '' : it.outerHTML.split('>', 1) + '>' + it.textContent.trim()))(document)`,
    );
  await until(async () => (await read()) !== '', 'the focus on the page');
  return read();
}
const focused = () => focusedOn(page);

describe('What opens over a screen', () => {
  it.each([...drawers, ...questions])(
    'has no accessibility violation, and gives the focus back: the %s %s of %s',
    async (...opening) => {
      await goTo(page, addressOf(opening[2]));
      await openBy(page, opening);
      const dialogs = page.getByRole('dialog');
      const opened = await dialogs.count();
      expect(await violationsInBothThemes(page, 'dialog[open]')).toEqual([]);
      for (let left = opened; left > 0; left--) {
        expect(await focused()).toMatch(/^New [pci]/.test(`${opening[1]}`) ? /^<input/ : /./);
        await page.keyboard.press('Escape');
        await dialogs.nth(left - 1).waitFor({ state: 'detached' });
      }
      await givesBackFocus(page);
    },
  );

  it.each(['scanning/issues', 'scanning/workflows/create'])(
    'has no accessibility violation as a menu of %s',
    async (path) => {
      await goTo(page, path);
      const menus = page.locator('main summary');
      await menus.first().waitFor();
      const faults: Record<string, string[]> = {};
      for (const menu of await menus.all()) {
        await menu.focus();
        await page.keyboard.press('Enter');
        const found = await violationsInBothThemes(page, 'details[open]');
        if (found.length > 0) faults[await menu.innerText()] = found;
        await page.keyboard.press('Escape');
        await page.locator('main details[open]').waitFor({ state: 'detached' });
        expect(await focused()).toMatch(/^<summary/);
      }
      expect(faults).toEqual({});
    },
  );

  it('has no accessibility violation when an issue is open beside its list', async () => {
    await goTo(page, 'scanning/issues');
    const row = page.getByRole('grid', { name: 'Issues' }).locator('tbody tr[data-index]').first();
    await row.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Issue' });
    await panel.getByRole('heading', { name: 'Activity' }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Close' }).press('Enter');
    await panel.waitFor({ state: 'detached' });
    expect(await focused()).not.toBe('');
  });

  it('has no accessibility violation when it asks about unsaved input, or about a change made meanwhile', async () => {
    const { database } = scene.app;
    const [product] = await database.rows<{ id: number }>(
      'SELECT id FROM products WHERE deleted_at IS NULL ORDER BY id LIMIT 1',
    );
    await goTo(page, `shop/products?product=${product?.id}`);
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('Mine');
    await page.keyboard.press('Escape');
    const leave = page.getByRole('dialog', { name: 'Leave this?' });
    await leave.waitFor();
    expect(await violationsInBothThemes(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    await leave.waitFor({ state: 'detached' });
    expect(await focused()).toMatch(/^<input/);
    // By the service, which then no longer cached responses with what it was.
    const { status } = await scene.app.api.put(`/api/v1/products/${product?.id}`, { json: { name: 'Theirs' } });
    expect(status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByRole('dialog', { name: /was changed meanwhile$/ }).waitFor();
    expect(await violationsInBothThemes(page, 'dialog[open]')).toEqual([]);
    await page.getByRole('button', { name: 'Take theirs' }).press('Enter');
    await page.getByText('Theirs is as they left it').waitFor();
    expect(await focused()).not.toBe('');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('leaves no error on the page', () => {
    expect(page.faults.filter((fault) => !fault.includes('412'))).toEqual([]);
  });
});

describe('A row that leaves its list', () => {
  it.each([
    ['shop/products?low_stock=true', 'Products', /^Delete /],
    ['shop/reviews', 'Reviews', /^Remove the review of /],
    ['shop/testimonials', 'Testimonials', /^Delete the testimonial of /],
    ['scanning/organization/members', 'Members', /^Remove /],
  ] as const)('of %s leaves the focus to the next one', async (path, name, act) => {
    await goTo(page, path);
    const rows = page.getByRole('grid', { name, exact: true }).locator('tbody tr[data-index]');
    const row = rows.filter({ has: page.getByRole('button', { name: act }) }).first();
    const target = row.getByRole('button', { name: act });
    const [text, index] = [await row.innerText(), await row.getAttribute('data-index')];
    await target.press('Enter');
    await page.getByRole('dialog').locator('.button-danger').press('Enter');
    await until(async () => (await rows.nth(Number(index)).innerText()) !== text, 'another row in its place');
    expect(await focused()).toMatch(/^<tr/);
  });

  it('passes the focus to the next one, even when its container closes with it, or another filter removes it', async () => {
    await goTo(page, 'scanning/integrations');
    const rowOf = (name: string) => page.getByRole('grid', { name }).locator('tbody tr[data-index]').first();
    await openBy(page, ['row', 'Integrations', '', 'Delete']);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    expect(await focused()).toMatch(/^<tr/);
    await goTo(page, 'shop/testimonials?featured=true');
    const box = rowOf('Testimonials').getByLabel(/^Feature the testimonial of /);
    const label = (await box.getAttribute('aria-label')) ?? '';
    await box.press('Space');
    await page.getByLabel(label, { exact: true }).waitFor({ state: 'detached' });
    expect(await focused()).toMatch(/^<tr/);
    await goTo(page, 'scanning/organization/api-keys');
    const revoke = page.getByRole('button', { name: /^Revoke / }).first();
    await revoke.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
    await page.getByRole('grid', { name: 'API keys' }).getByText('Revoked', { exact: true }).waitFor();
    expect(await focused()).toMatch(/^<tr/);
  });
});

describe('The login', () => {
  it('has no accessibility violation in either step, after a forgotten password, or when a session has ended', async () => {
    const account = await signUp(scene.app);
    await enableTwoFactor(scene.app, account.token);
    const context = await page.context().browser()?.newContext();
    const theirs = await context?.newPage();
    if (!theirs) throw new Error('There is no browser');
    await theirs.goto(`${scene.app.baseUrl}/console/`);
    await theirs.getByLabel('Username').waitFor();
    const faults: Record<string, string[]> = {};
    const look = async (step: string) => {
      const found = await violationsInBothThemes(theirs);
      if (found.length > 0) faults[step] = found;
    };
    await look('first step');
    await theirs.getByLabel('Username').fill(account.username);
    await theirs.getByLabel('Password').fill('not the password');
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs
      .getByRole('alert')
      .filter({ hasText: /\(request \S+\)$/ })
      .waitFor();
    await look('refused');
    await theirs.getByLabel('Password').fill(account.password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByLabel('Code').waitFor();
    await look('second step');
    await goTo(theirs, 'login?forgotten=true');
    await theirs.getByRole('button', { name: 'Send the link' }).waitFor();
    await look('forgotten password');
    expect(faults).toEqual({});
    await context?.close();
  });

  it('has none over an ended session, and gives the focus back to the interrupted work', async () => {
    const account = await signUp(scene.app);
    const theirs = await scene.open(account, 'account');
    const profile = theirs.getByRole('region', { name: 'Profile' });
    await profile.getByLabel('First name').fill('Ada');
    await scene.app.api.delete('/api/v1/users/me/sessions', { token: account.token });
    await profile.getByRole('button', { name: 'Save' }).press('Enter');
    const login = theirs.getByRole('dialog', { name: 'Your session has ended' });
    await login.waitFor();
    expect(await violationsInBothThemes(theirs, 'dialog[open]')).toEqual([]);
    await login.getByLabel('Password').fill(account.password);
    await theirs.keyboard.press('Enter');
    await theirs.getByText('Your profile is saved').waitFor();
    const read = () => focusedOn(theirs);
    await until(async () => /^<button.*>Save$/.test(await read()), 'the focus on the button that was pressed');
    await theirs.context().close();
  });
});
