import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn } from '../support/accounts.js';
import { Deferred } from '../support/deferred.js';
import { EventCalls, newEvent } from '../support/events.js';
import { until } from '../support/receiver.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let token: string;
beforeAll(async () => {
  scene = await startConsoleScene();
  token = await signIn(scene.app, admin.username, admin.password);
  page = await scene.signIn(admin);
});
afterAll(async () => {
  await scene?.close();
});

const address = () => new URL(page.url());
const column = async (name: string, at: number) =>
  (await page.getByRole('grid', { name }).locator(`tbody tr td:nth-child(${at})`).allInnerTexts()).map((text) =>
    text.trim(),
  );

describe('the heads of columns', () => {
  it('sort orders by a click and by the keyboard, show the order, and keep it in the address', async () => {
    await goTo(page, 'shop/orders');
    const head = page.getByRole('columnheader', { name: 'Total' });
    const totals = async () =>
      (await scene.app.api.get<{ id: number }[]>('/api/v1/admin/orders?limit=50&sort=total', { token })).body.map(
        ({ id }) => String(id),
      );
    await head.getByRole('button').click();
    await page.locator('th[aria-sort=ascending]').filter({ hasText: 'Total' }).waitFor();
    const expected = await totals();
    await until(async () => (await column('Orders', 2)).join() === expected.join(), 'orders by their total');
    expect(address().searchParams.get('sort')).toBe('total');
    await head.getByRole('button').press('Enter');
    await page.locator('th[aria-sort=descending]').filter({ hasText: 'Total' }).waitFor();
    expect(address().searchParams.get('sort')).toBe('-total');
    await page.reload();
    await page.locator('th[aria-sort=descending]').filter({ hasText: 'Total' }).waitFor();
  });

  it('sort products by name, and keep a search in its own order', async () => {
    await goTo(page, 'shop/products?sort=-name');
    await page.locator('th[aria-sort=descending]').filter({ hasText: 'Name' }).waitFor();
    const { body } = await scene.app.api.get<{ id: number }[]>('/api/v1/admin/products?limit=50&sort=-name', { token });
    const expected = body.map(({ id }) => String(id)).join();
    await until(async () => (await column('Products', 1)).join() === expected, 'products by name');
    await goTo(page, 'shop/products?sort=-name&low_stock=true');
    await page.getByText('Fewest first').waitFor();
    expect(await page.locator('th[aria-sort]').count()).toBe(0);
  });

  it('say when lists by time are newest first', async () => {
    await goTo(page, 'scanning/scans');
    await page.getByText('Newest first').waitFor();
  });
});

describe('A list of another filter', () => {
  it.each([
    ['Orders', 'shop/orders', 'status=paid'],
    ['Products', 'shop/products', 'search=lamp'],
    ['Customers', 'shop/customers', 'role=user'],
    ['Reviews', 'shop/reviews', 'rating=5'],
    ['Testimonials', 'shop/testimonials', 'featured=true'],
    ['Events', 'scanning/events', 'levels=ERROR'],
    ['Scans', 'scanning/scans', 'statuses=RUNNING'],
    ['Issues', 'scanning/issues', 'severities=HIGH'],
    ['Assets', 'scanning/assets', 'search=shop'],
    ['Integrations', 'scanning/integrations', 'kinds=DNS'],
  ])('leaves that of %s on display, with its filters, until it is there', async (name, path, filter) => {
    const grid = page.getByRole('grid', { name, exact: true });
    await goTo(page, path);
    await grid.waitFor();
    const free = new Deferred<void>();
    const data = /\/api\/v1\/(?!auth)/;
    await page.route(data, (route) => void free.promise.then(() => route.continue()).catch(() => undefined));
    const asked = page.waitForRequest(data);
    const there = goTo(page, `${path}?${address().search.slice(1)}&${filter}`);
    await asked;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const count = await grid.count();
    free.resolve();
    await there;
    await page.unroute(data);
    expect(count).toBe(1);
  });
});

describe('A search that another one replaces', () => {
  it.each(['scanning/issues', 'scanning/events', 'scanning/assets', 'shop/products', 'shop/customers'])(
    'is stopped on %s',
    async (path) => {
      await goTo(page, path);
      await page.route(/search=replaced/, () => undefined); // no answer
      const asked = page.waitForRequest(/search=replaced/);
      const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('search=replaced'));
      const search = page.getByRole('searchbox', { name: 'Search' });
      await search.fill('replaced');
      await asked;
      await search.fill('by this');
      expect((await stopped).failure()?.errorText).toBe('net::ERR_ABORTED');
      await page.waitForURL((url) => url.searchParams.get('search') === 'by this');
      await page.unroute(/search=replaced/);
    },
  );

  it('is stopped in the palette, in every list that it asks', async () => {
    await goTo(page, 'scanning/issues');
    await page.route(/search=replaced/, () => undefined);
    const stopped: string[] = [];
    page.on('requestfailed', (request) => stopped.push(new URL(request.url()).pathname));
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog').getByRole('combobox');
    const lists = ['admin/products', 'admin/users', 'admin/coupons', 'issues', 'assets', 'profiles'];
    const asked = lists.map((list) =>
      page.waitForRequest((request) => request.url().includes(`/${list}`) && request.url().includes('replaced')),
    );
    await search.fill('replaced');
    await Promise.all(asked);
    await search.fill('by this');
    await until(() => Promise.resolve(stopped.length === lists.length), 'the end of what nobody waits for');
    await page.unroute(/search=replaced/);
    await page.keyboard.press('Escape');
  });
});

describe('Export CSV', () => {
  it('holds all matching rows, including those that are not loaded', async () => {
    const [{ count } = { count: 0 }] = await scene.app.database.rows<{ count: number }>(
      'SELECT count(*)::integer AS count FROM scan_events',
    );
    expect(count).toBeGreaterThan(100);
    await goTo(page, 'scanning/events');
    await page.getByRole('grid', { name: 'Events' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('Time,Level,Stage,Title,Attachments,Issues');
    expect(lines.filter((line) => /^\d{4}-\d\d-\d\dT/.test(line))).toHaveLength(count);
  });
});

describe('Events', () => {
  it('lead from one to its own asset and issue, and show all of a long description', async () => {
    const [issue] = await scene.app.database.rows<{ id: string; name: string; asset_id: string; asset: string }>(
      'SELECT i.id, i.name, i.asset_id, a.name AS asset FROM issues i JOIN assets a ON a.id = i.asset_id ORDER BY i.id LIMIT 1',
    );
    const [scan] = await scene.app.database.rows<{ id: string }>('SELECT id FROM scans ORDER BY id LIMIT 1');
    const description = `${'x'.repeat(100_000)}the end of it`;
    const event = newEvent({ title: 'Long', description, assetIds: [issue?.asset_id], issueIds: [issue?.id] });
    await new EventCalls(scene.app, token).appended(scan?.id ?? '', event);
    await goTo(page, 'scanning/events?search=Long');
    await page.getByRole('gridcell', { name: 'Long', exact: true }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer
      .getByRole('region', { name: 'Assets' })
      .getByRole('link', { name: issue?.asset ?? '' })
      .waitFor();
    await drawer
      .getByRole('region', { name: 'Issues' })
      .getByRole('link', { name: issue?.name ?? '' })
      .waitFor();
    await drawer.getByText('The first 100,000 of 100,013 characters.').waitFor();
    await drawer.getByRole('button', { name: 'Show more' }).click();
    await drawer.getByText(/the end of it$/).waitFor();
    await drawer.getByRole('region', { name: 'Assets' }).getByRole('link').click();
    await page.waitForURL((url) => url.pathname.endsWith(`/scanning/assets/${issue?.asset_id}`));
  });

  it('name the filters in the address, so that they can be removed', async () => {
    const [scan] = await scene.app.database.rows<{ id: string; name: string }>(
      'SELECT s.id, p.name FROM scans s JOIN profiles p ON p.id = s.application_id ORDER BY s.id LIMIT 1',
    );
    await goTo(page, `scanning/events?scanIds=${scan?.id}&hasAttachments=true`);
    const remove = page.getByRole('button', { name: 'Remove the filter by scan' });
    await remove.waitFor();
    await page
      .locator(`#chip-${scan?.id}`)
      .getByText(scan?.name ?? '')
      .waitFor();
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    expect(['scanIds', 'hasAttachments'].map((name) => address().searchParams.has(name))).toEqual([false, true]);
    expect(await page.getByLabel('With or without attachments').inputValue()).toBe('true');
  });

  it('take a period by typing, and by the arrow keys over the histogram', async () => {
    await goTo(page, 'scanning/events');
    await page.getByLabel('Since', { exact: true }).fill('2026-01-02T03:04');
    await page.getByLabel('Since', { exact: true }).blur();
    await page.waitForURL((url) => url.searchParams.has('since'));
    await goTo(page, 'scanning/events');
    const slider = page.getByRole('slider', { name: 'Period, by the arrow keys' });
    await slider.focus();
    await slider.press('End');
    for (let n = 0; n < 3; n++) await slider.press('Shift+ArrowLeft');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/ to .*event/);
    await slider.press('Enter');
    await page.waitForURL((url) => url.searchParams.has('since') && url.searchParams.has('until'));
    const period = ['since', 'until'].map((name) => Date.parse(address().searchParams.get(name) ?? ''));
    expect((period[1] ?? 0) - (period[0] ?? 0)).toBe(4 * 3_600_000);
  });
});

describe('Integrations', () => {
  it('are filtered by kind, and show both versions if one was changed meanwhile', async () => {
    await scene.app.database.rows("DELETE FROM integrations WHERE name IN ('Edited by two', 'Mine')");
    const { body } = await scene.app.api.post<{ id: string }>('/api/v1/integrations', {
      token,
      json: { name: 'Edited by two', kind: 'CUSTOM', parameters: {} },
    });
    await goTo(page, 'scanning/integrations?kinds=CUSTOM');
    const grid = page.getByRole('grid', { name: 'Integrations' });
    await grid.getByRole('row', { name: /Edited by two/ }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Mine');
    await scene.app.api.send('PATCH', `/api/v1/integrations/${body.id}`, { token, json: { name: 'Theirs' } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog').filter({ hasText: 'was changed meanwhile' });
    await question.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    await question.getByRole('button', { name: 'Keep mine' }).click();
    await grid.getByRole('row', { name: /Mine/ }).waitFor();
    await goTo(page, 'scanning/integrations?kinds=DNS');
    await grid.getByRole('row', { name: /Mine/ }).waitFor({ state: 'detached' });
    expect(page.faults.filter((fault) => !fault.includes('412'))).toEqual([]);
  });
});
