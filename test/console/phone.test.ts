import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { insertAdmin } from '../support/accounts.js';
import { insertCoupon } from '../support/goods.js';
import { insertMembership } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };

beforeAll(async () => {
  scene = await startConsoleScene();
  const user = await insertAdmin(scene.app);
  const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
  await insertMembership(scene.app, organization?.id ?? '', user.id, 'admin');
  page = await scene.open(user, 'account', { locale: 'de-DE', viewport: { width: 390, height: 844 } });
});

afterAll(async () => {
  await scene?.close();
});

const opened = () => page.getByRole('status', { name: 'Wird geladen' }).first().waitFor({ state: 'detached' });
const filters = () => page.getByRole('main').getByRole('button', { name: 'Filter', exact: true });

describe('A list on a phone', () => {
  it.each([
    ['shop/coupons', 'SELECT code AS name FROM coupons'],
    ['scanning/workflows', 'SELECT name FROM workflows'],
    ['scanning/integrations', 'SELECT name FROM integrations'],
  ])('shows whole names at %s, within the window', async (path, names) => {
    await insertCoupon(scene.app, `PHONE-${path.length}`);
    await goTo(page, path);
    await opened();
    const rows = page.getByRole('grid').locator('tbody tr[data-index]');
    await rows.first().waitFor();
    const cells = await page.getByRole('grid').locator('td.flexible').elementHandles();
    const fits = await Promise.all(
      cells.map((cell) =>
        cell.evaluate((one: { scrollWidth: number; clientWidth: number }) => one.scrollWidth <= one.clientWidth),
      ),
    );
    expect(fits).not.toContain(false);
    const [one] = await scene.app.database.rows<{ name: string }>(`${names} ORDER BY 1 LIMIT 1`);
    await rows
      .getByText(one?.name ?? '', { exact: true })
      .first()
      .waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('shows all columns of the issues, where each has its place on a line of its own', async () => {
    await goTo(page, 'scanning/issues');
    await opened();
    const grid = page.getByRole('grid', { name: 'Befunde' });
    await grid.locator('tbody tr[data-index]').first().waitFor();
    const status = grid.getByRole('columnheader', { name: 'Status' });
    await until(async () => {
      const box = await status.boundingBox();
      return box !== null && box.x + box.width <= 390;
    }, 'the status in view');
  });

  it('folds its filters, and keeps what is chosen in view', async () => {
    await goTo(page, 'scanning/issues');
    await opened();
    const severity = page.getByRole('main').locator('summary').filter({ hasText: 'Schweregrad' });
    const status = page.getByRole('main').locator('summary').filter({ hasText: 'Status' });
    await page.getByRole('searchbox', { name: 'Suchen' }).waitFor();
    expect([await severity.isVisible(), await filters().getAttribute('aria-expanded')]).toEqual([false, 'false']);
    await filters().click();
    await severity.click();
    await page.getByLabel('Hoch', { exact: true }).check();
    await page.keyboard.press('Escape');
    await filters().click();
    await status.waitFor({ state: 'hidden' });
    await severity.getByText('Schweregrad: Hoch').waitFor();
    await page.getByRole('button', { name: 'Filter löschen' }).click();
    await severity.waitFor({ state: 'hidden' });
  });

  it('shows the open one of several tabs', async () => {
    await goTo(page, 'scanning/organization/api-keys');
    const tab = page.getByRole('main').getByRole('link', { name: 'API-Schlüssel' });
    await until(async () => {
      const box = await tab.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 390;
    }, 'the tab in view');
    expect(page.faults).toEqual([]);
  });
});
