import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { insertAdmin } from '../support/accounts.js';
import { startBrowser } from '../support/browser.js';
import { insertMembership } from '../support/organizations.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { addressesIn, screens } from './screens.js';

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await startConsoleScene();
});

afterAll(async () => {
  await scene?.close();
});

const languageOf = (page: Page) => page.locator('html').getAttribute('lang');

describe('The language of the console', () => {
  it('is that of the browser: one signs in in German by the keyboard alone', async () => {
    const browser = await startBrowser();
    const page = await browser.newPage({ locale: 'de-AT', reducedMotion: 'reduce' });
    page.setDefaultTimeout(90_000);
    await page.goto(`${scene.app.baseUrl}/console/`);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await languageOf(page)).toBe('de');
    const reach = async (name: string, text: string) => {
      const isThere = () => page.getByLabel(name, { exact: true }).evaluate((one) => one.matches(':focus'));
      for (let presses = 0; presses < 10 && !(await isThere()); presses++) await page.keyboard.press('Tab');
      expect(await isThere()).toBe(true);
      await page.keyboard.type(text);
    };
    await reach('Benutzername', admin.username);
    await reach('Passwort', 'not the password');
    await page.keyboard.press('Enter');
    // What the service says stays as it came.
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(admin.password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name: 'Bestellungen' }).waitFor();
    await browser.close();
  });

  it('is changed in the account menu, remembered after a reload, and changed back', async () => {
    const page = await scene.open(await insertAdmin(scene.app), 'account');
    expect(await languageOf(page)).toBe('en');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Passwort ändern' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor();
    expect(await languageOf(page)).toBe('de');
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    expect([await languageOf(page), page.faults]).toEqual(['en', []]);
    await page.context().close();
  });

  it.each([390, 1440])('is German at the order desk, which fits a window of %i', async (width) => {
    const page = await scene.open(await insertAdmin(scene.app), 'shop/orders', {
      locale: 'de-DE',
      viewport: { width, height: 900 },
    });
    const fits = async () => {
      await page.getByRole('status', { name: 'Wird geladen' }).first().waitFor({ state: 'detached' });
      return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
    };
    await page.getByRole('heading', { name: 'Bestellungen', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Wartende Bestellungen' }).getByText('Zu versenden').waitFor();
    const row = page.getByRole('grid', { name: 'Bestellungen' }).locator('tbody tr[data-index]').first();
    await row.waitFor();
    expect(await fits()).toBe(true);
    await row.getByRole('link').first().click();
    await page.getByRole('region', { name: 'Verlauf' }).getByText('hat bestellt').waitFor();
    expect(await fits()).toBe(true);
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['scanning/issues?by=rule', 'Nach Regel'],
    ['scanning/events', /\d Ereignisse? je (Stunde|Tag)/],
    ['scanning/issues/metrics', 'Zeit bis zur Behebung'],
    ['scanning/organization/issue-policy', 'Tage bis zur Behebung'],
  ])('is German at %s, which fits a phone', async (path, words) => {
    const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
    const engineer = await insertAdmin(scene.app);
    await insertMembership(scene.app, organization?.id ?? '', engineer.id, 'admin');
    const page = await scene.open(engineer, path, { locale: 'de-DE', viewport: { width: 390, height: 844 } });
    await page.getByText(words, { exact: true }).first().waitFor();
    await page.getByRole('status', { name: 'Wird geladen' }).first().waitFor({ state: 'detached' });
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('has German tables that fit the window of a laptop on every screen', async () => {
    const addressOf = await addressesIn(scene.app);
    const page = await scene.signIn(admin);
    await goTo(page, 'account');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    const loading = page.getByRole('status', { name: 'Wird geladen' });
    const beyond = `[...document.querySelectorAll('main [role=grid]')]
      .map((grid) => grid.clientWidth - grid.parentElement.clientWidth).filter((pixels) => pixels > 0)`;
    const wide: Record<string, number[]> = {};
    let tables = 0;
    for (const { path } of screens) {
      for (const width of [1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await goTo(page, addressOf(path));
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await loading.first().waitFor({ state: 'detached' });
        tables += await page.getByRole('grid').count();
        const pixels = await page.evaluate<number[]>(beyond);
        if (pixels.length > 0) wide[`${path} ${width}`] = pixels;
      }
    }
    expect(wide).toEqual({});
    expect(tables).toBeGreaterThan(30);
    await page.context().close();
  });

  it('has German names for the kinds of scans and the types of assets', async () => {
    const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
    const engineer = await insertAdmin(scene.app);
    await insertMembership(scene.app, organization?.id ?? '', engineer.id, 'admin');
    const page = await scene.open(engineer, 'scanning/assets', { locale: 'de-DE' });
    await page.getByRole('status', { name: 'Wird geladen' }).first().waitFor({ state: 'detached' });
    const menu = page
      .getByRole('main')
      .locator('details')
      .filter({ has: page.locator('summary', { hasText: /^\s*Typ\s*$/ }) });
    await menu.locator('summary').click();
    for (const name of ['Codeprojekt', 'IPv4-Bereich', 'Repository bei Codehost A']) {
      await menu.getByLabel(name, { exact: true }).waitFor();
    }
    await page.context().close();
  });

  it('is changed by Ctrl-K, in the words of either language', async () => {
    const page = await scene.open(await insertAdmin(scene.app), 'account');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).pressSequentially('deutsch');
    await page.getByRole('dialog').getByRole('option', { name: 'Deutsch' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Suchen' }).pressSequentially('language');
    await page.getByRole('dialog').getByRole('option', { name: 'English' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
