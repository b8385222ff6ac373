import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { type Account, signUp } from '../support/accounts.js';
import { EventCalls, newEvent } from '../support/events.js';
import { insertMembership } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { type ConsoleScene, goTo, startConsoleScene, violationsInBothThemes } from './console-scene.js';

let scene: ConsoleScene;
/** An admin of the organization, not of the shop. */
let account: Account;
let events: EventCalls;
let scanId = '';
let issueName = '';

beforeAll(async () => {
  scene = await startConsoleScene();
  const { database } = scene.app;
  const [scan] = await database.rows<{ id: string; organization_id: string }>(
    "SELECT id, organization_id FROM scans WHERE status = 'RUNNING' ORDER BY id LIMIT 1",
  );
  scanId = scan?.id ?? '';
  const organizationId = scan?.organization_id ?? '';
  const [issue] = await database.rows<{ name: string }>(
    'SELECT name FROM issues WHERE organization_id = $1 ORDER BY id LIMIT 1',
    [organizationId],
  );
  issueName = issue?.name ?? '';
  account = await signUp(scene.app);
  await insertMembership(scene.app, organizationId, account.id, 'admin');
  events = new EventCalls(scene.app, account.token);
});

afterAll(async () => {
  await scene?.close();
});

/** The requests of a page to the service, as `GET /api/v1/…`. */
function askedBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return asked;
}

const append = (...titles: string[]) => events.appended(scanId, ...titles.map((title) => newEvent({ title })));

/** Begins the title of what arrives in one try of a test. */
let arrival = '';
let tries = 0;
const arrive = (...numbers: number[]) => append(...numbers.map((number) => `${arrival} ${number}`));

/** The numbers of the arrivals on a page. */
async function shown(page: Page): Promise<number[]> {
  const titles = await page.getByRole('gridcell', { name: new RegExp(`^${arrival} `) }).allInnerTexts();
  return titles.map((title) => Number(title.split(' ').at(-1)));
}

const shows = (page: Page, ...numbers: number[]) =>
  until(async () => (await shown(page)).join() === numbers.join(), `the arrivals ${numbers.join()} on the page`);

const stateIs = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

/** Makes the page believe that it is in a background tab, or that it is not. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);
}

/** Goes to a screen that follows nothing, unlike the Overview, which follows its running scans. */
async function leave(page: Page): Promise<void> {
  await goTo(page, 'scanning/integrations');
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
}

async function follow(page: Page): Promise<void> {
  await leave(page);
  await goTo(page, 'scanning/events');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await stateIs(page, 'Following');
}

describe('Events > Follow', () => {
  let proxy: TcpProxy;
  let page: Page;

  beforeAll(async () => {
    proxy = await startTcpProxy(Number(new URL(scene.app.baseUrl).port));
    page = await scene.signIn(account, `http://127.0.0.1:${proxy.port}`);
  });

  beforeEach(() => {
    arrival = `Arrival of ${++tries}:`;
  });

  afterAll(async () => {
    await page?.context().close();
    await proxy?.cut();
  });

  it('shows arrivals through one stream, and misses and repeats nothing when the connection is cut', async () => {
    await leave(page);
    const asked = askedBy(page);
    await follow(page);
    await arrive(1);
    await shows(page, 1);
    expect(asked.filter((one) => one === 'GET /api/v1/events/stream')).toHaveLength(1);
    await proxy.cut();
    try {
      await arrive(2, 3);
      await stateIs(page, 'The service cannot be reached');
    } finally {
      await proxy.mend();
    }
    await shows(page, 3, 2, 1);
    await stateIs(page, 'Following');
    await arrive(4);
    await shows(page, 4, 3, 2, 1);
    expect(asked).not.toContain('GET /api/v1/events/arrivals');
  });

  it('counts arrivals while it is paused, and shows them afterwards; arrivals stay when one stops', async () => {
    await follow(page);
    await arrive(1);
    await shows(page, 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await arrive(2);
    await stateIs(page, 'Paused · 1 new');
    expect(await shown(page)).toEqual([1]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await shows(page, 2, 1);
    await page.getByRole('button', { name: 'Stop following' }).click();
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
    expect(await shown(page)).toEqual([2, 1]);
  });

  it('holds no connection while the page is hidden, and catches up when it is seen again', async () => {
    await follow(page);
    await setHidden(page, true);
    await stateIs(page, 'Connecting');
    await arrive(1);
    await setHidden(page, false);
    await shows(page, 1);
  });

  it('renews the session once if the stream ends with the access, and continues', async () => {
    const asked = askedBy(page);
    const end = 'retry: 30000\nevent: end\ndata: {"reason":"access_ended"}\n\n';
    const answers: Parameters<Route['fulfill']>[0][] = [
      { contentType: 'text/event-stream', body: end },
      { status: 401, json: { detail: 'It has expired' } },
    ];
    await page.route('**/api/v1/events/stream*', (route) => {
      const answer = answers.shift();
      return answer ? route.fulfill(answer) : route.continue();
    });
    await follow(page);
    await arrive(1);
    await shows(page, 1);
    expect(asked.filter((one) => /stream|refresh/.test(one))).toEqual([
      'GET /api/v1/events/stream',
      'GET /api/v1/events/stream',
      'POST /api/v1/auth/refresh',
      'GET /api/v1/events/stream',
    ]);
    await page.unrouteAll();
  });

  it('polls if there is no stream, as does the page of a running scan', async () => {
    const asked = askedBy(page);
    await page.route('**/api/v1/events/stream*', (route) => route.fulfill({ status: 404, json: { detail: 'No' } }));
    await goTo(page, `scanning/scans/${scanId}`);
    await stateIs(page, 'Following');
    await arrive(1);
    await page.getByRole('button', { name: `${arrival} 1` }).waitFor();
    expect(asked).toContain('GET /api/v1/events/arrivals');
    await page.unrouteAll();
  });

  it('polls if something on the way holds the stream back, so that not a byte comes', async () => {
    await page.route('**/api/v1/events/stream*', () => undefined);
    await page.clock.install();
    await goTo(page, 'scanning/integrations');
    await goTo(page, 'scanning/events');
    const asksForStream = page.waitForRequest(/\/events\/stream/);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await asksForStream;
    await stateIs(page, 'Connecting');
    await page.clock.fastForward(10_000);
    await stateIs(page, 'Following');
    await arrive(1);
    await shows(page, 1);
    await page.unrouteAll();
  });

  it('continues where the request that renews the session is lost on its way', async () => {
    await page.clock.install();
    await leave(page);
    await page.route('**/api/v1/events/stream*', (route) =>
      route.fulfill({ status: 401, json: { detail: 'Expired' } }),
    );
    await page.route('**/api/v1/auth/refresh', () => undefined);
    await goTo(page, 'scanning/events');
    const renews = page.waitForRequest(/\/auth\/refresh/);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await renews;
    await page.clock.fastForward(30_000);
    await stateIs(page, 'Following');
    await arrive(1);
    await shows(page, 1);
    await page.unrouteAll();
  });
});

describe('a list of more rows than are drawn', () => {
  const titles = Array.from({ length: 240 }, (_, n) => `Stepped ${n}`);
  let page: Page & { faults: string[] };
  const row = (n: number) => page.getByRole('row', { name: new RegExp(`Stepped ${n}( |$)`) });
  const rowWithFocus = () => page.locator('tr:focus').innerText();
  /** How far below the top of the list a row is. */
  const topOf = async (n: number) => Math.round((await row(n).boundingBox())?.y ?? Number.NaN);

  interface Body {
    getAttribute(name: string): string | null;
    ownerDocument: { getElementById(id: string): { textContent: string | null } | null };
  }
  /** The rows that the grid owns, in its order, all read at one moment. */
  const owned = async () => {
    const body = page.getByRole('grid').locator('tbody');
    const texts = await body.evaluate((element) => {
      const { ownerDocument } = element as unknown as Body;
      const ids = (element as unknown as Body).getAttribute('aria-owns') ?? '';
      return ids.split(' ').map((id) => ownerDocument.getElementById(id)?.textContent ?? '');
    });
    return texts.map((text) => Number(/Stepped (\d+)/.exec(text)?.[1]));
  };
  const isInOrder = (rows: number[], one: number) =>
    rows.includes(one) && rows.every((number, place) => number === (rows[0] ?? 0) - place);

  beforeAll(async () => {
    await append(...titles);
    page = await scene.signIn(account);
    await goTo(page, 'scanning/events?search=Stepped');
    for (const count of ['101', '201', '241']) {
      await page.locator(`table[aria-rowcount="${count}"]`).waitFor();
      if (count !== '241') await page.getByRole('button', { name: 'Show older events' }).click();
    }
  });

  afterAll(async () => {
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('shows each at its place wherever one scrolls to, in the order of the list', async () => {
    await row(239).hover();
    for (const [pixels, first] of [
      [4_000, 110],
      [100, 107],
      [-1_800, 160],
      [9_000, 0],
    ] as const) {
      await page.mouse.wheel(0, pixels);
      await row(first).waitFor();
      await until(async () => isInOrder(await owned(), first), 'the rows in view, in their order');
      await until(async () => (await topOf(first + 1)) === (await topOf(first)) - 32, 'rows below each other');
    }
  });

  it('keeps the focus on its row when that is out of view, and continues from there', async () => {
    await page.keyboard.press('Tab');
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, -20_000);
    await row(237).click({ position: { x: 5, y: 5 } });
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await row(237).focus();
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, 4_000);
    await row(110).waitFor();
    expect(await rowWithFocus()).toContain('Stepped 237');
    await page.keyboard.press('ArrowDown');
    await until(async () => (await rowWithFocus()).includes('Stepped 236'), 'the row below with the focus');
    expect(await row(236).isVisible()).toBe(true);
    await page.keyboard.press('End');
    await until(async () => (await rowWithFocus()).includes('Stepped 0'), 'the last row with the focus');
  });

  it('does not move the rows in view while more arrive above', async () => {
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await stateIs(page, 'Following');
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, -3_000);
    await row(100).waitFor();
    const before = await topOf(100);
    await append('Stepped 240', 'Stepped 241');
    await page.locator('table[aria-rowcount="243"]').waitFor();
    expect(await topOf(100)).toBe(before);
  });
});

describe('the command palette', () => {
  it('leads to a screen and an issue by the keyboard alone, without accessibility violations', async () => {
    const page = await scene.signIn(account);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('testimon');
    // Screens of the shop are not this account's.
    await stateIs(page, 'Nothing found');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.keyboard.type('integr');
    await page.getByRole('option', { name: 'Integrations', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.keyboard.type(issueName);
    const found = page.getByRole('group', { name: 'Issues' }).getByRole('option', { name: issueName }).first();
    await found.waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    while ((await found.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: issueName }).waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
