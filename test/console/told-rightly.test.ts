import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page, Request } from 'playwright-core';
import { insertUser } from '../support/accounts.js';
import { plainHost } from '../support/browser.js';
import { insertMembership } from '../support/organizations.js';
import { Deferred } from '../support/deferred.js';
import { until } from '../support/receiver.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let organizationId = '';

beforeAll(async () => {
  scene = await startConsoleScene();
  const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
  organizationId = organization?.id ?? '';
  page = await scene.signIn(admin);
});

afterAll(async () => {
  await scene?.close();
});

const rowsOf = (name: string): Locator => page.getByRole('grid', { name }).locator('tbody tr[data-index]');
/** The screens that show one. */
const lists = {
  Shop: ['Orders', 'Products', 'Coupons', 'Customers', 'Reviews', 'Testimonials'],
  Scanning: ['Events', 'Scans', 'Issues', 'Assets', 'Workflows', 'Integrations'],
};
const gone = (what: Locator) => what.waitFor({ state: 'detached' });

describe('A search', () => {
  it('keeps what is being typed while it searches, and while another filter is chosen', async () => {
    await goTo(page, 'shop/customers');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.pressSequentially('demo ');
    await page.waitForURL((url) => url.searchParams.get('search') === 'demo');
    await search.pressSequentially('x');
    expect(await search.inputValue()).toBe('demo x');
    await search.fill('de');
    await page.getByRole('combobox', { name: 'Role' }).selectOption('user');
    await page.waitForURL((url) => url.searchParams.get('role') === 'user');
    expect(await search.inputValue()).toBe('de');
    await page.goBack();
  });
});

describe('A menu', () => {
  it('stays within a narrow window, and closes by Escape and by a click beside it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['scanning/issues', 'scanning/workflows/create']) {
      await goTo(page, path);
      if (path === 'scanning/issues') await page.getByRole('button', { name: 'Filters', exact: true }).click();
      const menus = page.locator('main summary');
      await menus.first().waitFor();
      for (const menu of await menus.all()) {
        await menu.click();
        // It is moved once the browser has told that it is open.
        await until(
          async () => {
            const box = await menu.locator('xpath=following-sibling::div').boundingBox();
            return box !== null && box.x >= 0 && box.x + box.width <= 390;
          },
          `the menu ${await menu.innerText()} within the window`,
        );
        await page.keyboard.press('Escape');
        await page.locator('main details[open]').waitFor({ state: 'detached' });
        expect(await menu.evaluate((element) => element.matches(':focus'))).toBe(true);
      }
    }
    await page.locator('main summary').first().click();
    await page.getByRole('heading', { level: 1 }).click();
    await gone(page.locator('main details[open]'));
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('A list', () => {
  it('of choices leads to its rest, however long it is', async () => {
    await scene.app.database.rows(
      `INSERT INTO tags (id, organization_id, name)
       SELECT md5('tag ' || n)::uuid, $1, 'tag-' || n FROM generate_series(1, 110) AS n`,
      [organizationId],
    );
    await goTo(page, 'scanning/workflows/create');
    await page.reload(); // the earlier tags were read a moment ago
    const tags = page.locator('details').filter({ has: page.locator('summary', { hasText: 'Tag of the asset' }) });
    await tags.locator('summary').click();
    await tags.getByRole('button', { name: 'Show more tags' }).click();
    await tags.getByRole('checkbox').nth(105).waitFor();
  });

  it('shows at once the effect of a change of an issue that was made elsewhere', async () => {
    const [asset] = await scene.app.database.rows<{ id: string; name: string; open: number }>(
      `SELECT a.id, a.name, count(*)::int AS open FROM assets a JOIN issues i ON i.asset_id = a.id AND i.status = 'OPEN'
        GROUP BY a.id ORDER BY count(*) DESC LIMIT 1`,
    );
    const openOf = async () => {
      const cell = rowsOf('Assets').filter({ has: page.getByRole('link', { name: asset?.name ?? '', exact: true }) });
      const text = await cell.getByRole('link').nth(1).innerText();
      return [...text.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
    };
    await goTo(page, 'scanning/assets');
    expect(await openOf()).toBe(asset?.open);
    await goTo(page, `scanning/issues?assetIds=${asset?.id}&statuses=OPEN`);
    await rowsOf('Issues').first().focus();
    await page.keyboard.press('r');
    await page.getByText('1 issue now resolved').waitFor();
    await goTo(page, 'scanning/assets');
    await until(async () => (await openOf()) === (asset?.open ?? 0) - 1);
  });
});

describe('A user who may only read', () => {
  it('is told why an action that an address opens does not open', async () => {
    const viewer = await insertUser(scene.app);
    await insertMembership(scene.app, organizationId, viewer.id, 'viewer');
    const theirs = await scene.open(viewer);
    for (const [path, act] of [
      ['scans?import=true', 'import reports'],
      ['integrations?new=true', 'add integrations'],
      ['organization/members?invite=true', 'invite people'],
    ]) {
      await goTo(theirs, `scanning/${path}`);
      await theirs.getByRole('alert').getByText(`of the organization may ${act}`).waitFor();
      expect(await theirs.getByRole('dialog').count()).toBe(0);
    }
    await theirs.context().close();
  });
});

describe('A list that is not there yet', () => {
  const title = `of the wing %s shows shapes, then why it does not come, by its request, and comes when it is asked again`;
  it.each(Object.entries(lists))(title, async (wing, names) => {
    await goTo(page, 'account');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await screens.getByRole('link', { name: wing, exact: true }).click();
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1, name: /^(Dashboard|Overview)$/ }).waitFor();
    await main.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    const data = /\/api\/v1\/(?!auth)/;
    for (const name of names) {
      const waiting = new Deferred<void>();
      await page.route(data, async (route) => {
        await waiting.promise;
        await route.fulfill({
          status: 409,
          json: { detail: 'Not now' },
          headers: { 'x-request-id': 'request-of-list' },
        });
      });
      await screens.getByRole('link', { name, exact: true }).click();
      await main.getByRole('heading', { level: 1, name }).waitFor();
      await main.getByRole('status', { name: 'Loading' }).last().waitFor();
      waiting.resolve();
      const notes = main.getByRole('alert').filter({ hasText: 'Not now' }).filter({ hasText: 'request-of-list' });
      await notes.last().waitFor();
      await main.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      // Nothing is counted that is not known.
      expect(await main.getByText(/^0 /).count()).toBe(0);
      await page.unroute(data);
      const again = await notes.getByRole('button', { name: 'Try again' }).all();
      for (const button of again.toReversed()) await button.press('Enter');
      await main.getByRole('grid', { name, exact: true }).waitFor();
    }
  });

  it('stands apart from what is below it', async () => {
    await page.route(/\/admin\/stats/, (route) => route.fulfill({ status: 409, json: { detail: 'Not now' } }));
    await goTo(page, 'shop');
    const note = await page.getByRole('alert').first().boundingBox();
    const below = await page.getByRole('region', { name: 'Revenue' }).boundingBox();
    expect((below?.y ?? 0) - (note?.y ?? 0) - (note?.height ?? 0)).toBeGreaterThan(8);
    await page.unroute(/\/admin\/stats/);
  });
});

describe('A refusal', () => {
  it('restores the actual value of a choice, and names its request', async () => {
    const member = await insertUser(scene.app, { username: 'kept.member' });
    await insertMembership(scene.app, organizationId, member.id, 'member');
    await goTo(page, 'scanning/organization/members');
    // Another screen may have asked for the members some seconds ago.
    await page.reload();
    const role = page.getByLabel('Role of kept.member');
    await page.route('**/members/*', (route) =>
      route.fulfill({ status: 409, json: { detail: 'Not now' }, headers: { 'x-request-id': 'request-refused' } }),
    );
    await role.selectOption('admin');
    await page.getByRole('status').getByText('request-refused').waitFor();
    expect(await role.inputValue()).toBe('member');
    await page.unroute('**/members/*');
  });

  it('names its request on the forms of an account and of an organization', async () => {
    const refuse = { status: 409, json: { detail: 'Not now' }, headers: { 'x-request-id': 'request-of-a-form' } };
    const act = /\/(totp\/setup|users\/me\/profile|organizations\/[^/]+|members)$/;
    const isRead = (one: Request) => one.method() === 'GET' && !one.url().endsWith('/setup');
    await page.route(act, (route) => (isRead(route.request()) ? route.continue() : route.fulfill(refuse)));
    const named = (within: Locator) => within.getByRole('alert').getByText('request-of-a-form').waitFor();
    await goTo(page, 'account');
    await page.getByRole('button', { name: 'Set up' }).click();
    await named(page.getByRole('region', { name: 'Two-factor' }));
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    await named(page.getByRole('region', { name: 'Delete account' }));
    await goTo(page, 'scanning/organization/general');
    const name = page.getByRole('main').getByRole('textbox', { name: 'Name' });
    const before = await name.inputValue();
    await name.fill('Refused');
    await page.getByRole('button', { name: 'Save' }).click();
    await named(page.getByRole('main'));
    await name.fill(before);
    await goTo(page, 'scanning/organization/members?invite=true');
    const invite = page.getByRole('dialog', { name: 'Invite' });
    await invite.getByLabel('Username or e-mail').fill('somebody');
    await invite.getByRole('button', { name: 'Invite' }).click();
    await named(invite);
    await invite.getByLabel('Username or e-mail').fill('');
    await invite.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute(act);
  });
});

describe('The switch of the scoped payload', () => {
  it('has nothing but its name as its label', async () => {
    await goTo(page, 'scanning/organization/general');
    const scoped = page.getByRole('switch', { name: 'Enable scoped webhook export payload', exact: true });
    await scoped.waitFor();
    const note = await scoped.getAttribute('aria-describedby');
    await page.locator(`#${note}`).getByText('What workflows send then').waitFor();
  });
});

describe('An address', () => {
  it('that leads elsewhere after the login, or is malformed, breaks nothing', async () => {
    await page.goto(`${scene.app.baseUrl}/console/login?to=https://elsewhere.example/`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.goto(`${scene.app.baseUrl}/console/%E0%A4%A`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });
});

describe('A page that came without encryption', () => {
  it('imports a report like any other', async () => {
    const origin = new URL(scene.app.baseUrl);
    origin.hostname = plainHost;
    const theirs = await scene.signIn(admin, origin.origin);
    expect(await theirs.evaluate('isSecureContext')).toBe(false);
    await goTo(theirs, 'scanning/scans?import=true');
    const report = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Plain' } }, results: [] }] };
    const file = { name: 'plain.sarif', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(report)) };
    const drawer = theirs.getByRole('dialog', { name: 'Import report' });
    await drawer.getByLabel('Report', { exact: true }).setInputFiles(file);
    await drawer.getByLabel('Asset').fill('https://code.example/acme/plain');
    await drawer.getByRole('button', { name: 'Import at once' }).click();
    await theirs.getByText('Imported: 0 new issues, 0 known').waitFor();
    await theirs.context().close();
  });
});

describe('An upgrade of the service', () => {
  it('is reported when parts of a screen are gone, with an offer to load the new ones', async () => {
    await page.goto(`${scene.app.baseUrl}/console/shop`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.route(/assets\/coupons-/, (route) => route.fulfill({ status: 404 }));
    await goTo(page, 'shop/coupons');
    await page.getByRole('alert').getByText('was renewed since you opened it').waitFor();
    await page.unroute(/assets\/coupons-/);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Coupons' }).waitFor();
  });

  it('is reported in the same way when a piece of a screen is gone: to try again would not help', async () => {
    const [issue] = await scene.app.database.rows<{ id: string }>('SELECT id FROM issues LIMIT 1');
    await page.goto(`${scene.app.baseUrl}/console/scanning/issues`);
    await page.getByRole('heading', { name: 'Issues' }).waitFor();
    await page.route(/assets\/issue-panel-/, (route) => route.fulfill({ status: 404 }));
    await goTo(page, `scanning/issues?issue=${issue?.id}`);
    const note = page.getByRole('alert').filter({ hasText: 'was renewed since you opened it' });
    await note.waitFor();
    expect(await note.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.unroute(/assets\/issue-panel-/);
    await note.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('complementary', { name: 'Issue' }).waitFor();
  });
});

describe('An address of what is not there', () => {
  it.each(['shop/orders/999999', 'scanning/scans/none', 'scanning/assets/0192e505-9000-7e6e-9c4e-000000000000'])(
    'says so at %s, and does not offer to try again',
    async (path) => {
      await page.goto(`${scene.app.baseUrl}/console/${path}`);
      const note = page.getByRole('alert').filter({ hasText: 'There is nothing at this address' }).first();
      await note.waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    },
  );
});

describe('A chart by days', () => {
  it('names each day as the service counts it, even west of Greenwich', async () => {
    const browser = await page.context().newCDPSession(page);
    await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Los_Angeles' });
    await page.goto(`${scene.app.baseUrl}/console/shop`);
    const rows = page.getByRole('region', { name: 'Revenue' }).locator('tbody tr');
    await rows.first().waitFor({ state: 'attached' });
    const [last] = await rows.last().locator('td').allTextContents();
    expect(last).toBe(new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date()));
  });
});

describe('A text that is cut off', () => {
  it('is shown in full when it is pointed at', async () => {
    const [issue] = await scene.app.database.rows<{ id: string; name: string }>(
      `UPDATE issues SET name = 'Cut ' || repeat('off ', 100) WHERE id = (SELECT id FROM issues ORDER BY id DESC LIMIT 1)
       RETURNING id, name`,
    );
    await page.goto(`${scene.app.baseUrl}/console/scanning/issues?search=Cut off off`);
    const cell = rowsOf('Issues').first().locator('td').nth(2);
    await cell.hover();
    await page.getByTitle(issue?.name.trim() ?? '').waitFor();
  });
});
