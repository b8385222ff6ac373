import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { insertUser } from '../support/accounts.js';
import { EventCalls, newEvent } from '../support/events.js';
import { insertMembership } from '../support/organizations.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { badName, insertLargeEvent, insertManyEvents, insertThousandOrders, nameAllBadly } from './bad-luck-data.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { drawers, openBy } from './openings.js';
import { addressesIn, screens } from './screens.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let addressOf: (path: string) => string;
let scanId = '';
let organizationId = '';

beforeAll(async () => {
  scene = await startConsoleScene();
  const { database } = scene.app;
  const [scan] = await database.rows<{ id: string; organization_id: string }>(
    "SELECT id, organization_id FROM scans WHERE status = 'RUNNING' ORDER BY id LIMIT 1",
  );
  scanId = scan?.id ?? '';
  organizationId = scan?.organization_id ?? '';
  addressOf = await addressesIn(scene.app);
  page = await scene.signIn(admin);
});

afterAll(async () => {
  await scene?.close();
});

const rowsOf = (name: string): Locator => page.getByRole('grid', { name }).locator('tbody tr[data-index]');

async function strike(target: Locator, key: string): Promise<void> {
  await target.focus();
  await page.keyboard.press(key);
}

/** How far the content reaches beyond the window, in pixels: the page, and the open dialog. */
const overflow = () =>
  page.evaluate<number>(
    `Math.max(...[document.documentElement, ...document.querySelectorAll('dialog[open], dialog[open] > *')]
       .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`,
  );

/** How far the rows of a table reach beyond their container, if that should scroll sideways. */
const overflowOfTables = () =>
  page.evaluate<number>(
    `Math.max(0, ...[...document.querySelectorAll('main [role=grid]')]
       .map(({ parentElement }) => parentElement.scrollWidth - parentElement.clientWidth))`,
  );

/** The page has heard of its new size, and drawn itself for it. */
const framesDrawn = () =>
  page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))');

interface Looks {
  getComputedStyle(element: unknown): { outlineStyle: string };
}
const outlineOf = (target: Locator) =>
  target.evaluate((element) => (globalThis as unknown as Looks).getComputedStyle(element).outlineStyle);

describe('In large numbers', () => {
  it('a thousand orders are changed at once, and the one that is refused says why', async () => {
    const { id } = await insertUser(scene.app, { username: 'thousand.buyer' });
    const cancelled = await insertThousandOrders(scene.app, id);
    await goTo(page, 'shop/orders?size=1000&customer=thousand.buyer');
    await page.getByText('1,000').first().waitFor();
    await page.getByLabel('Select all').check();
    const bar = page.getByRole('form', { name: 'Change the selected orders' });
    await bar.getByText('1,000 orders selected').waitFor();
    await bar.getByLabel('New status').selectOption('shipped');
    await bar.getByRole('button', { name: 'Change status' }).click();
    // They have no address.
    await page.getByRole('button', { name: 'Shipped all the same' }).click();
    await page.getByText('Shipped: 999 orders; refused: 1').waitFor();
    const answers = page.getByRole('list', { name: 'Answers' }).getByRole('listitem');
    expect(await answers.count()).toBe(1000);
    expect((await answers.first().innerText()).replace(/\s+/g, ' ')).toMatch(new RegExp(`^${cancelled} .*cancelled`));
    await bar.getByText('1 order selected').waitFor();
    const counts = 'SELECT status, count(*)::int AS count FROM orders WHERE user_id = $1 GROUP BY 1 ORDER BY 1';
    expect(await scene.app.database.rows(counts, [id])).toEqual([
      { status: 'cancelled', count: 1 },
      { status: 'shipped', count: 999 },
    ]);
  });

  it('a hundred thousand events are listed, and the page holds only those that it shows', async () => {
    await insertManyEvents(scene.app, scanId);
    await goTo(page, `scanning/events?scanIds=${scanId}`);
    await rowsOf('Events').filter({ hasText: 'Line 99' }).first().waitFor();
    for (const last of [199, 299, 399]) {
      await page.getByRole('button', { name: 'Show older events' }).click();
      await page.locator(`[aria-rowcount="${last + 2}"]`).waitFor();
    }
    await strike(rowsOf('Events').first(), 'End');
    await rowsOf('Events').filter({ hasText: 'Line 399' }).waitFor();
    expect(await rowsOf('Events').count()).toBeLessThan(100);
  });

  it('ten megabytes of text in one event are shown in part, the rest on demand', async () => {
    const id = await insertLargeEvent(scene.app, scanId);
    await goTo(page, `scanning/events?event=${id}`);
    const drawer = page.getByRole('dialog', { name: 'Ten megabytes' });
    await drawer.getByText('The first 100,000 of 999,999 characters.').waitFor();
    await drawer
      .getByRole('button', { name: /^Show all/ })
      .nth(9)
      .waitFor();
    const shown = await page.evaluate<number>("document.querySelector('dialog').textContent.length");
    expect(shown).toBeLessThan(500_000);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
  });
});

describe('A report beyond what the service accepts', () => {
  const drop = async (bytes: number) => {
    const data = await page.evaluateHandle(
      `(() => {
         const data = new DataTransfer();
         data.items.add(new File([new Uint8Array(${bytes})], 'large.sarif'));
         return data;
       })()`,
    );
    const target = page.getByText(/^Drop reports here|^large\.sarif$/);
    await target.dispatchEvent('dragover', { dataTransfer: data });
    await target.dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('large.sarif', { exact: true }).waitFor();
  };

  it('is refused by its size; one that is accepted but unreadable is refused by its content', async () => {
    await goTo(page, 'scanning/scans?import=true');
    const drawer = page.getByRole('dialog', { name: 'Import report' });
    await drop(51 * 2 ** 20);
    await drawer.getByRole('button', { name: 'Show what would change' }).click();
    await drawer
      .getByRole('alert')
      .filter({ hasText: /larger than 50/ })
      .waitFor();
    await drop(50_000_000);
    await drawer.getByRole('alert').waitFor({ state: 'detached' });
    await drawer.getByRole('button', { name: 'Show what would change' }).click();
    await drawer.getByRole('alert').filter({ hasText: 'not valid JSON' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog', { name: 'Leave this?' }).getByRole('button', { name: 'Leave' }).click();
    await drawer.waitFor({ state: 'detached' });
  });
});

describe('A connection', () => {
  it('is reported as lost, and what was requested comes when it is back', async () => {
    const [low] = await scene.app.database.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM products WHERE deleted_at IS NULL AND stock <= 10',
    );
    const fewer = low?.count ?? 0;
    await goTo(page, 'shop/products');
    await rowsOf('Products').nth(fewer).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/You are offline/).waitFor();
    await page.getByLabel('Low stock').check();
    await page
      .getByRole('status', { name: 'Loading' })
      .or(page.getByRole('grid', { name: 'Products' }))
      .first()
      .waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^You are offline/).waitFor({ state: 'detached' });
    await rowsOf('Products').nth(fewer).waitFor({ state: 'detached' });
    expect(await rowsOf('Products').count()).toBe(fewer);
  });

  it('to a restarted service brings what arrived meanwhile, each once', async () => {
    const viewer = await insertUser(scene.app);
    await insertMembership(scene.app, organizationId, viewer.id, 'member');
    const events = new EventCalls(scene.app, viewer.token);
    const append = (title: string) => events.appended(scanId, newEvent({ title }));
    const portOf = ({ nest }: Awaited<ReturnType<typeof scene.app.anotherNode>>) =>
      (nest.getHttpServer().address() as AddressInfo).port;
    const node = await scene.app.anotherNode();
    const proxy = await startTcpProxy(portOf(node));
    const follower = await scene.signIn(admin, `http://127.0.0.1:${proxy.port}`);
    await goTo(follower, 'scanning/events');
    await follower.getByRole('button', { name: 'Follow', exact: true }).click();
    const state = (text: string) => follower.getByRole('status').filter({ hasText: text }).waitFor();
    const arrivals = follower.getByRole('gridcell', { name: /^Restart/ });
    await state('Following');
    await append('Restart 1');
    await arrivals.first().waitFor();
    await proxy.cut();
    await node.nest.close();
    await append('Restart 2');
    await state('Trying again');
    await proxy.mend(portOf(await scene.app.anotherNode()));
    await append('Restart 3');
    await arrivals.filter({ hasText: 'Restart 3' }).waitFor();
    expect(await arrivals.allInnerTexts()).toEqual(['Restart 3', 'Restart 2', 'Restart 1']);
    await follower.context().close();
    await proxy.cut();
  });
});

describe('With names of 500 characters, tags, two directions and emoji', () => {
  beforeAll(() => nameAllBadly(scene.app));

  it('no screen outgrows the window, on a phone, at 400 and 200 % zoom, on a tablet, a desk and the widest, nor does a table on a phone', async () => {
    const wide: Record<string, number> = {};
    for (const { path } of screens) {
      await goTo(page, addressOf(path));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      for (const [width, height] of [
        [320, 640],
        [360, 780],
        [720, 450],
        [768, 1024],
        [1440, 900],
        [2560, 1440],
      ] as const) {
        await page.setViewportSize({ width, height });
        await framesDrawn();
        const pixels = Math.max(await overflow(), width === 360 ? await overflowOfTables() : 0);
        if (pixels > 0) wide[`${path} ${width}`] = pixels;
      }
    }
    expect(wide).toEqual({});
  });

  it.each(drawers)('back closes what the %s %s of %s opens, and it fits any window', async (...opening) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await goTo(page, addressOf(opening[2]));
    const address = page.url();
    const drawer = await openBy(page, opening);
    const beyond = [page.url() === address, await overflow()];
    await page.setViewportSize({ width: 2560, height: 1440 });
    expect([...beyond, await overflow()]).toEqual([false, 0, 0]);
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
  });

  it('shows them as text', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, 'scanning/issues');
    await strike(rowsOf('Issues').first(), 'Enter');
    const panel = page.getByRole('complementary', { name: 'Issue' });
    await panel.getByRole('heading', { level: 2 }).filter({ hasText: badName }).waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await page.evaluate<string>('typeof isTaken')).toBe('undefined');
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    expect(page.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
  });

  it('chosen options are framed when the system chooses the colors', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await goTo(page, 'scanning/issues');
    await strike(rowsOf('Issues').nth(1), 'Space');
    await strike(rowsOf('Issues').nth(3), 'Enter');
    const chosen = [
      page.getByRole('navigation').getByRole('link', { name: 'Issues' }),
      rowsOf('Issues').nth(1),
      rowsOf('Issues').nth(3),
    ];
    expect(await Promise.all(chosen.map(outlineOf))).toEqual(['solid', 'solid', 'solid']);
    expect(await outlineOf(rowsOf('Issues').nth(2))).toBe('none');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
