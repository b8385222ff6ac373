import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, insertUser, type InsertedUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { sarifLog, sarifResult } from '../support/report-imports.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
let engineer: InsertedUser;
let things: ScanningRows;
let assets: string[];

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  const { id } = await insertOrganization(scene.app);
  engineer = await insertAdmin(scene.app, { username: 'at.hand' });
  await insertMembership(scene.app, id, engineer.id, 'admin');
  things = new ScanningRows(scene.app, id);
  assets = [await things.asset({ name: 'first.example' }), await things.asset({ name: 'second.example' })];
  for (const line of [8, 3]) {
    const issueId = await things.issue(assets[0] ?? '', { name: 'Eval of input' });
    await things.target(issueId, { codeFile: { id: issueId, language: 'ts', path: 'src/deep/within/a.ts', line } });
  }
  await things.issue(assets[1] ?? '', { name: 'Of the second' });
  for (const apiKey of ['one', 'two']) await things.integration({ apiKey });
  acts = new Acts(await scene.open(engineer, 'account'), scene.app);
});

afterAll(async () => {
  await scene?.close();
});

describe('In the list of issues', () => {
  it('issues of one rule are distinguished by their places', async () => {
    await acts.at('scanning/issues');
    const column = async (title: string) => {
      const heads = await acts.page.getByRole('columnheader').allInnerTexts();
      return acts.column('Issues', heads.indexOf(title), 3);
    };
    expect(await column('Name')).toEqual(['Of the second', 'Eval of input', 'Eval of input']);
    expect(await column('Where')).toEqual(['–', 'src/deep/within/a.ts:3', 'src/deep/within/a.ts:8']);
    await acts.listOf('Issues').nth(2).click();
    const panel = acts.page.getByRole('complementary', { name: 'Issue' });
    await panel.getByRole('listitem').filter({ hasText: 'src/deep/within/a.ts:8' }).waitFor();
  });

  it('nothing reaches beyond its edge while an issue is open beside it, however long names and places are', async () => {
    const long = await things.issue(assets[0] ?? '', { name: 'Customers can read each other’s orders '.repeat(4) });
    const path = `src/${'deep/within/'.repeat(8)}orders.ts`;
    await things.target(long, { codeFile: { id: long, language: 'ts', path, line: 17 } });
    const size = acts.page.viewportSize() ?? { width: 1_440, height: 900 };
    await acts.page.setViewportSize({ width: 1_280, height: 800 }); // the narrowest window in which the issue is shown beside the list
    await acts.at('scanning/issues');
    await acts.page.reload();
    await acts.listOf('Issues').first().click();
    const panel = acts.page.getByRole('complementary', { name: 'Issue' });
    await panel.getByText('Found', { exact: true }).waitFor();
    const beyond = await acts.page
      .getByRole('grid', { name: 'Issues' })
      .evaluate((grid) => grid.clientWidth - (grid.parentElement?.clientWidth ?? 0));
    expect(beyond).toBe(0);
    await acts.press('Close', panel);
    await scene.app.database.rows('DELETE FROM issues WHERE id = $1', [long]);
    await acts.page.setViewportSize(size);
    await acts.page.reload();
  });

  it('a filter that no control shows is named, and can be removed by itself', async () => {
    await acts.at(`scanning/issues?assetIds=${assets.join(',')}&severities=HIGH`);
    await acts.column('Issues', 1, 3);
    const chip = (name: string) =>
      acts.page.getByRole('button', { name: 'Remove the filter by asset', description: name });
    await chip('first.example').click();
    await acts.column('Issues', 1, 1);
    await chip('second.example').waitFor();
    expect(new URL(acts.page.url()).searchParams.get('severities')).toBe('HIGH');
  });
});

describe('In a long list of issues', () => {
  it('the open issue and the bar that changes the selected ones are in view, and no row moves under the pointer', async () => {
    const { page } = acts;
    for (let index = 0; index < 60; index++) await things.issue(assets[0] ?? '', { name: `Further ${index}` });
    const last = acts.listOf('Issues').nth(55);
    const panel = page.getByRole('complementary', { name: 'Issue' });
    const bar = page.getByRole('form', { name: 'Change the selected issues' });
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await acts.at('scanning/issues?categories=INJECTION');
      await last.scrollIntoViewIfNeeded();
      const before = await last.boundingBox();
      await last.getByRole('checkbox').check();
      await bar.waitFor();
      expect((await last.boundingBox())?.y).toBe(before?.y);
      const barBox = await bar.boundingBox();
      expect(barBox && barBox.y + barBox.height <= height).toBe(true);
      await acts.press('Clear', bar);
      await acts
        .listOf('Issues')
        .nth(50)
        .click({ position: { x: 120, y: 10 } });
      await panel.getByText('Found at').waitFor();
      const panelBox = await panel.boundingBox();
      expect(panelBox && panelBox.y >= 0 && panelBox.y + panelBox.height <= height).toBe(true);
      await acts.press('Close', panel);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await scene.app.database.rows("DELETE FROM issues WHERE name LIKE 'Further %'");
  });
});

describe('A report that does not name its asset', () => {
  it('is refused at the field for it, and is imported once that is filled, as its dry run says', async () => {
    const { page } = acts;
    const findings = [sarifResult('R1'), sarifResult('R2', 'src/b.ts', { suppressions: [{ kind: 'inSource' }] })];
    await acts.at('scanning/scans?import=true');
    const form = page.getByRole('dialog', { name: 'Import report' });
    await form.getByLabel('Report', { exact: true }).setInputFiles({
      name: 'unplaced.sarif',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(sarifLog(findings, { versionControlProvenance: [] }))),
    });
    await acts.press('Show what would change', form);
    await form.getByText('The report does not say what its findings are of').waitFor();
    const field = form.getByLabel('Asset');
    await until(async () => field.evaluate((input) => input.matches(':focus')), 'the focus on the field');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('Command line tools');
    await page.keyboard.press('Enter');
    const trial = form.getByRole('region', { name: 'What would change' });
    await trial.getByText('2 findings in').waitFor();
    expect(await trial.getByRole('row', { name: /^High/i }).getByRole('cell').allInnerTexts()).toEqual([
      '1',
      '0',
      '0',
      '1',
      '0',
    ]);
    await acts.press('Import', form);
    await acts.said('Imported: 1 new issue, 0 known, 1 set aside');
    await page.getByRole('heading', { level: 1, name: 'Lint' }).waitFor();
  });
});

describe('The page of an asset', () => {
  it('lists its issues in the same columns throughout, the name in the remaining width', async () => {
    await acts.at(`scanning/assets/${assets[0]}`);
    const lines = acts.page.getByRole('region', { name: 'Issues of the asset' }).getByRole('listitem');
    await lines.nth(1).waitFor();
    const leftOf = (at: number) =>
      lines.nth(at).evaluate((line) => [...line.children].map((cell) => cell.getBoundingClientRect().left));
    expect(await leftOf(1)).toEqual(await leftOf(0));
    const isCut = await lines
      .getByRole('link')
      .first()
      .evaluate((link) => link.scrollWidth > link.clientWidth);
    expect(isCut).toBe(false);
  });
});

describe('The search of the console', () => {
  it('leads to a product, an order by its number, an asset, a scan, and whatever an id begins', async () => {
    const { app } = scene;
    const product = await insertProduct(app, { name: 'Palette stool' });
    const buyer = await insertUser(app);
    await fillCart(app, buyer, [product]);
    const { body: order } = await checkout(app.api, buyer);
    const scan = await things.scan(await things.profile({ name: 'Palette scanner' }));
    for (const [text, group, address] of [
      ['palette stool', 'Products', `shop/products?search=palette+stool&product=${product}`],
      [`#${order.id}`, 'Orders', `shop/orders/${order.id}`],
      ['first.exam', 'Assets', `scanning/assets/${assets[0]}`],
      ['palette scan', 'Scans', `scanning/scans/${scan}`],
      [assets[1]?.slice(0, 13) ?? '', 'Assets', `scanning/assets/${assets[1]}`],
    ] as const) {
      await acts.page.keyboard.press('Control+k');
      await acts.page.getByRole('combobox', { name: 'Search' }).fill(text);
      await acts.page.getByRole('group', { name: group }).getByRole('option').first().click();
      await acts.page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(`/console/${address}`));
      await acts.at('account');
    }
  });
});

describe('On a phone', () => {
  it('the head is one bar, whose menu has what has no room in it', async () => {
    const { page } = acts;
    await page.setViewportSize({ width: 390, height: 844 });
    await acts.at('shop/orders');
    const bar = await page.getByRole('banner').boundingBox();
    const content = await page.getByRole('main').boundingBox();
    expect([bar?.y, content?.y]).toEqual([0, bar?.height]);
    const hidden = ['Sign out', 'Products'].map((name) =>
      page.getByText(name, { exact: true }).filter({ visible: true }),
    );
    for (const one of hidden) expect(await one.count()).toBe(0);
    await page.getByRole('button', { name: 'Menu' }).click();
    for (const one of hidden) await one.waitFor();
    await page.getByLabel('Theme').filter({ visible: true }).selectOption('dark');
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await page.getByLabel('Theme').filter({ visible: true }).selectOption('system');
    await hidden[1]?.click();
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
    expect(await hidden[0]?.count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('The navigation of somebody who has both wings', () => {
  const navigation = () => acts.page.getByRole('navigation', { name: 'Screens' });
  const wing = (name: string) =>
    navigation().getByRole('list', { name: 'Parts of the service' }).getByRole('link', { name });
  const leadsTo = (name: string) => navigation().getByRole('link', { name, exact: true }).count();

  it('shows one wing at a time, and switches with the keyboard or the pointer', async () => {
    await acts.at('scanning/issues');
    expect([await leadsTo('Issues'), await leadsTo('Orders')]).toEqual([1, 0]);
    await wing('Shop').focus();
    await acts.page.keyboard.press('Enter');
    await acts.page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect([await leadsTo('Issues'), await leadsTo('Orders'), await leadsTo('Account')]).toEqual([0, 1, 1]);
    expect(await wing('Shop').getAttribute('aria-current')).toBe('true');
    await wing('Scanning').click();
    await acts.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect([await leadsTo('Issues'), await leadsTo('Orders')]).toEqual([1, 0]);
  });

  it('stays with the wing that one came from on the account', async () => {
    await acts.at('scanning/assets');
    await navigation().getByRole('link', { name: 'Account', exact: true }).click();
    await acts.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    expect([await leadsTo('Assets'), await leadsTo('Orders')]).toEqual([1, 0]);
  });
});

describe('The page of one thing', () => {
  it('names it in the line above and in the title, and leads back to its list', async () => {
    const { page } = acts;
    await acts.at(`scanning/assets/${assets[0]}`);
    await page.getByRole('heading', { level: 1, name: 'first.example' }).waitFor();
    const line = page.getByRole('banner');
    await line.getByText('Scanning / Assets / first.example').waitFor();
    expect(await page.title()).toBe('first.example – Store Service');
    await line.getByRole('link', { name: 'Assets' }).click();
    await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor();
    expect(await page.title()).toBe('Assets – Store Service');
  });
});

describe('A file that is dropped in the wrong place', () => {
  it('does not replace the console', async () => {
    await acts.at('scanning/scans?import=true');
    await acts.page.getByRole('dialog', { name: 'Import report' }).waitFor();
    const isHeld = await acts.page.evaluate<boolean>(
      `(() => {
         const dataTransfer = new DataTransfer();
         dataTransfer.items.add(new File(['{}'], 'report.sarif'));
         return !document.querySelector('main').dispatchEvent(
           new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
       })()`,
    );
    expect(isHeld).toBe(true);
    await acts.page.keyboard.press('Escape');
  });
});

describe('A message about what was done', () => {
  it('is shown beside the buttons of a drawer, not over them', async () => {
    const customer = await insertUser(scene.app, { username: 'at.hand.customer' });
    await acts.at(`shop/customers?customer=${customer.id}`);
    const drawer = acts.page.getByRole('dialog', { name: 'at.hand.customer' });
    await drawer.getByLabel('Role').selectOption('admin');
    await acts.answer('Make at.hand.customer an admin?', 'Change role');
    const toasts = drawer.getByRole('status').filter({ hasText: 'at.hand.customer is an admin now' });
    await toasts.waitFor();
    const told = await toasts.boundingBox();
    const buttons = await drawer.locator('footer button').all();
    expect([told !== null, buttons.length > 0]).toEqual([true, true]);
    for (const button of buttons) {
      const box = await button.boundingBox();
      expect(told && box && told.y + told.height <= box.y).toBe(true);
    }
  });
});

describe('When the preview of a workflow is below its form', () => {
  it('a line that stays in view sums it up, and leads to it', async () => {
    const { page } = acts;
    await page.setViewportSize({ width: 390, height: 844 });
    await acts.at('scanning/workflows/create');
    await page.getByLabel('When').selectOption('MANUAL');
    const line = page.getByRole('button', { name: /^Matches now: \d issues.*Carries 2 credentials/ });
    await line.waitFor();
    const preview = page.getByRole('complementary', { name: 'Preview' });
    const isInView = (top: number | undefined) => top !== undefined && top >= 0 && top < 844;
    expect([isInView((await line.boundingBox())?.y), isInView((await preview.boundingBox())?.y)]).toEqual([
      true,
      false,
    ]);
    await line.click();
    await until(async () => isInView((await preview.boundingBox())?.y), 'the preview in view');
    const named = preview.getByRole('list', { name: 'Credentials' }).getByRole('listitem');
    expect(await named.allInnerTexts()).toEqual(['integrations[…].parameters.apiKey × 2']);
    await page.getByRole('group', { name: 'Export' }).getByLabel('Integrations').uncheck();
    await page.getByRole('button', { name: /^Matches now: \d issues.*No credentials/ }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await page.getByRole('button', { name: /^Matches now/ }).isVisible()).toBe(false);
    expect(acts.faults()).toEqual([]);
  });
});
