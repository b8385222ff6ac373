import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { Deferred } from '../support/deferred.js';
import { until } from '../support/receiver.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { addressesIn, screens } from './screens.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let addressOf: (path: string) => string;

beforeAll(async () => {
  scene = await startConsoleScene();
  addressOf = await addressesIn(scene.app);
  page = await scene.signIn(admin);
  page.on('request', (request) => {
    if (!request.url().endsWith('/workflows/preview')) return;
    previews++;
    underWay.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    page.on(end as 'requestfinished', (request) => underWay.delete(request));
  }
  await page.clock.install();
  await page.reload();
});

afterAll(async () => {
  await scene?.close();
});

let previews = 0;
/** One that is slow is given up for the next. */
const underWay = new Set<Request>();
/** The builder previews what it was opened with, and a moment later what it has read. */
const previewsOf: Record<string, number> = { 'scanning/workflows/create': 1, 'scanning/workflows/:id': 2 };

const down = { detail: 'The service is away for a moment', code: 'unavailable' };
const notes = () => page.getByRole('status').filter({ hasText: 'What you see may be out of date' });

/** Lets the data become stale, and the user come back to the window. */
async function comeBack(): Promise<void> {
  await page.clock.fastForward(61_000);
  await page.evaluate("globalThis.dispatchEvent(new Event('visibilitychange'))");
}

const contentOf = () =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('main h1, main tbody tr[data-index] td:nth-child(2), main li a, main input')]
       .map((one) => one.value ?? one.textContent)`,
  );

describe('Events over time', () => {
  it('continue up to the moment at which they are counted again', async () => {
    await goTo(page, 'scanning/events');
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/histogram')) asked.push(url.searchParams.get('to') ?? '');
    });
    for (const times of [1, 2]) {
      // Coming back while the first response is in progress triggers no request.
      await until(async () => {
        if (asked.length < times) await comeBack();
        return asked.length >= times;
      });
    }
    expect(Date.parse(asked.at(-1) ?? '')).toBeGreaterThan(Date.parse(asked[0] ?? ''));
  });
});

/** Screens that are forms alone: what they began with stays, and saving says what has changed meanwhile. */
const forms = new Set([
  'scanning/organization/general',
  'scanning/organization/issue-policy',
  'scanning/new',
  'shop/settings',
  'shop/settings/shipping',
]);

describe('A service that is away for a moment', () => {
  it('removes nothing from any screen, and each says that it may be out of date', async () => {
    const lost: Record<string, unknown> = {};
    for (const { path } of screens) {
      previews = 0;
      await goTo(page, addressOf(path));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await until(() => previews >= (previewsOf[path] ?? 0) && underWay.size === 0, `the previews of ${path}`);
      const before = await contentOf();
      // The preview warns of the credentials that it carries.
      const warnings = await page.getByRole('alert').count();
      let asked = 0;
      await page.route(/\/api\/v1\/(?!auth)/, (route) => {
        asked++;
        return route.fulfill({ status: 503, json: down, headers: { 'x-request-id': 'request-of-the-outage' } });
      });
      await comeBack();
      // Retried after a second, and after two more, before it counts as failed.
      if (!forms.has(path)) {
        await until(async () => {
          if (asked === 0) await comeBack();
          await page.clock.fastForward(2_000);
          return (await notes().count()) > 0;
        }, `a note on ${path}, which asked ${asked} times`);
        await notes().first().getByText('request-of-the-outage').waitFor();
      }
      const after = await contentOf();
      const alerts = (await page.getByRole('alert').count()) - warnings;
      if (after.join() !== before.join() || alerts > 0) lost[path] = { before, after, alerts };
      await page.unroute(/\/api\/v1\/(?!auth)/);
    }
    expect(lost).toEqual({});
  });

  it('is retried by a button, after which the note disappears', async () => {
    await goTo(page, 'shop/orders');
    await page.getByRole('grid', { name: 'Orders' }).waitFor();
    let asked = 0;
    await page.route(/\/admin\/orders/, (route) => {
      asked++;
      return route.fulfill({ status: 503, json: down });
    });
    await until(async () => {
      if (asked === 0) await comeBack();
      await page.clock.fastForward(2_000);
      return (await notes().count()) > 0;
    });
    await page.unroute(/\/admin\/orders/);
    await notes().getByRole('button', { name: 'Try again' }).click();
    await notes().waitFor({ state: 'detached' });
  });
});

describe('A machine that loses its network', () => {
  afterAll(() => page.evaluate("globalThis.dispatchEvent(new Event('online'))"));

  it('still reads from a service of its own', async () => {
    await goTo(page, 'shop/orders');
    await page.evaluate("globalThis.dispatchEvent(new Event('offline'))");
    await goTo(page, 'shop/products');
    await page.getByRole('grid', { name: 'Products' }).waitFor();
  });
});

describe('The page of one thing', () => {
  it.each([
    ['scanning/scans/:id', 'Scan'],
    ['scanning/assets/:id', 'Asset'],
    ['scanning/workflows/:id', 'Workflow'],
  ])('%s has one heading before it comes, when it does not, and when it is there', async (path, kind) => {
    const address = addressOf(path);
    const waiting = new Deferred<void>();
    const data = `**/api/v1/${address.replace('scanning/', '')}`;
    await page.route(data, async (route) => {
      await waiting.promise;
      await route.fulfill({ status: 409, json: { detail: 'It is being moved' } });
    });
    const there = goTo(page, address);
    const headings = page.getByRole('main').getByRole('heading', { level: 1 });
    await headings.filter({ hasText: kind }).waitFor();
    waiting.resolve();
    await there;
    const note = page.getByRole('main').getByRole('alert').filter({ hasText: 'It is being moved' });
    await note.waitFor();
    expect(await headings.allInnerTexts()).toEqual([kind]);
    await page.unroute(data);
    await note.getByRole('button', { name: 'Try again' }).click();
    await headings.getByText(kind, { exact: true }).waitFor({ state: 'detached' });
    expect(await headings.count()).toBe(1);
  });
});
