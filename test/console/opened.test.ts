import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { signUp } from '../support/accounts.js';
import { enableTwoFactor } from '../support/one-time-codes.js';
import { until } from '../support/receiver.js';
import { admin, type ConsoleScene, goTo, startConsoleScene, violationsInBothThemes } from './console-scene.js';
import { drawers, openBy, questions } from './openings.js';
import { addressesIn } from './screens.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let addressOf: (path: string) => string;

beforeAll(async () => {
  scene = await startConsoleScene();
  addressOf = await addressesIn(scene.app);
  page = await scene.signIn(admin);
  await page.evaluate(axe.source);
});

afterAll(async () => {
  await scene?.close();
});

/** Waits until something on a page has the focus; returns its first tag and its text. */
async function focusedOn(where: Page): Promise<string> {
  const read = () =>
    where.evaluate<string>(
      `(({ activeElement: it }) => (it === document.body ? '' : it.outerHTML.split('>', 1) + '>' + it.textContent.trim()))(document)`,
    );
  await until(async () => (await read()) !== '', 60_000, 'the focus on the page');
  return read();
}
const focused = () => focusedOn(page);

describe('What opens over a screen', () => {
  it.each([...drawers, ...questions])(
    'has no fault of accessibility, and gives the focus back: the %s %s of %s',
    async (...opening) => {
      await goTo(page, addressOf(opening[2]));
      const dialog = await openBy(page, opening);
      const dialogs = page.getByRole('dialog');
      const opened = await dialogs.count();
      // Questions differ by their words alone.
      const looks = (await dialog.locator('form, h3, section').count()) > 0 || opening[1] === 'Leave';
      if (looks) expect(await violationsInBothThemes(page, 'dialog[open]')).toEqual([]);
      for (let left = opened; left > 0; left--) {
        expect(await focused()).not.toBe('');
        await page.keyboard.press('Escape');
        await dialogs.nth(left - 1).waitFor({ state: 'detached' });
      }
      expect(await focused()).toMatch(/^<(tr|button|input)/);
    },
  );

  it.each(['scanning/issues', 'scanning/workflows/create'])(
    'has no fault of accessibility where it is a menu of %s',
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

  it('has no fault of accessibility where an issue stands beside its list', async () => {
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

  it('leaves no fault on the page', () => {
    expect(page.faults.filter((fault) => !fault.includes('412'))).toEqual([]);
  });
});

describe('The login', () => {
  it('has no fault of accessibility in either step, where a password was forgotten, and where a session ended', async () => {
    const account = await signUp(scene.app);
    await enableTwoFactor(scene.app, account.token);
    const context = await page.context().browser()?.newContext();
    const theirs = await context?.newPage();
    if (!theirs) throw new Error('There is no browser');
    await theirs.goto(`${scene.app.baseUrl}/console/`);
    await theirs.getByLabel('Username').waitFor();
    await theirs.evaluate(axe.source);
    const faults: Record<string, string[]> = {};
    const look = async (step: string) => {
      const found = await violationsInBothThemes(theirs);
      if (found.length > 0) faults[step] = found;
    };
    await look('first step');
    await theirs.getByLabel('Username').fill(account.username);
    await theirs.getByLabel('Password').fill('not the password');
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('alert').waitFor();
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
});
