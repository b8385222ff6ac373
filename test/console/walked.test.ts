import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { insertAdmin, insertUser, type InsertedUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { runClient } from '../support/client-run.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene, violationsInBothThemes } from './console-scene.js';

/** What stopped or misled people who walked through the console for the first time. */

const front = 'https://shop.example.com';
let scene: ConsoleScene;
let owner: InsertedUser;
let organizationId: string;
let things: ScanningRows;
let acts: Acts;
/** Sets what a second try makes apart from what the first one made. */
let tries = 0;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false', STOREFRONT_URL: front } });
  owner = await insertAdmin(scene.app, { username: 'owner' });
  ({ id: organizationId } = await insertOrganization(scene.app));
  await insertMembership(scene.app, organizationId, owner.id, 'admin');
  things = new ScanningRows(scene.app, organizationId);
});

afterAll(async () => {
  await scene?.close();
});

beforeEach(async () => {
  tries++;
  acts = new Acts(await scene.open(owner, 'account'), scene.app);
});

afterEach(async () => {
  await acts.page.context().close();
});

const dialog = (name: string) => acts.page.getByRole('dialog', { name, exact: true });
const region = (name: string) => acts.page.getByRole('region', { name, exact: true });
const plain = async (target: Locator) => (await target.innerText()).replace(/\s+/g, ' ').trim();

/** A paid order of this many lamps at $50. */
async function paidOrder(username: string, count: number) {
  const buyer = await insertUser(scene.app, { username, email: `${username}@example.com` });
  await fillCart(
    scene.app,
    buyer,
    [await insertProduct(scene.app, { name: 'Brass lamp', price: 50, stock: 10 })],
    count,
  );
  const { body: order } = await checkout(scene.app.api, buyer);
  const json = { amount: order.total_price, method: 'Bank transfer' };
  await scene.app.api.post(`/api/v1/admin/orders/${order.id}/payments`, { token: owner.token, json });
  return { ...order, buyer };
}

describe('A date until which something holds', () => {
  it('is a day, and ends with it: of an issue, whose panel names the day', async () => {
    const id = await things.issue(await things.asset(), { name: 'Script in a review', severity: 'CRITICAL' });
    await acts.at(`scanning/issues?issue=${id}`);
    await acts.press('Assign, accept …');
    const form = dialog('Change 1 issue');
    await form.getByLabel('Due', { exact: true }).focus();
    await acts.page.keyboard.type('01022030');
    await acts.holds(form.getByLabel('Time of day'), '23:59');
    await acts.press('Change', form);
    await form.waitFor({ state: 'detached' });
    await acts.page.getByRole('complementary', { name: 'Issue' }).getByText('Jan 2, 2030').waitFor();
    const local = await acts.page.evaluate<string>("new Date('2030-01-02T23:59').toISOString()");
    const [stored] = await acts.rows<{ due: Date }>('SELECT due_at AS due FROM issues WHERE id = $1', [id]);
    expect(stored?.due.toISOString()).toBe(local);
    expect(acts.faults()).toEqual([]);
  });

  it('has another time where one is typed: of a coupon, whose list names the day', async () => {
    await acts.at('shop/coupons?new=true');
    const form = dialog('New coupon');
    await form.getByLabel('Code', { exact: true }).pressSequentially('WALKED');
    await form.getByLabel('Expires', { exact: true }).focus();
    await acts.page.keyboard.type('12312030');
    await form.getByLabel('Time of day').focus();
    await acts.page.keyboard.type('0600PM');
    await acts.press('Create', form);
    await acts.said('WALKED is saved');
    expect((await acts.column('Coupons', 4, 1))[0]).toBe('Dec 31, 2030');
    const local = await acts.page.evaluate<string>("new Date('2030-12-31T18:00').toISOString()");
    const [stored] = await acts.rows<{ at: Date }>("SELECT expires_at AS at FROM coupons WHERE code = 'WALKED'");
    expect(stored?.at.toISOString()).toBe(local);
  });
});

describe('A refund of one item', () => {
  it('leaves nothing to pay and no payment to record, and says what is kept', async () => {
    const { id, total_price } = await paidOrder('refund.reader', 2);
    await acts.at(`shop/orders/${id}`);
    await region('Payment').getByText('Left to pay').waitFor();
    await acts.press('Refund');
    const form = dialog(`Refund order ${id}`);
    await form.getByLabel('Pieces of Brass lamp').pressSequentially('1');
    await acts.press('Refund $50.00', form);
    await region('Payment').getByText('Kept').waitFor();
    expect(await plain(region('Payment'))).toContain(`Refunded −$50.00 Kept $${(total_price - 50).toFixed(2)}`);
    expect(await region('Payment').getByText('Left to pay').count()).toBe(0);
    expect(await acts.page.getByRole('button', { name: 'Record a payment' }).count()).toBe(0);
  });

  it('is told in the language of the page, with its mail, and the provider of the payment as a name', async () => {
    const { id } = await paidOrder('refund.leser', 2);
    // As a provider tells of it: no act of somebody's.
    await acts.rows(
      "UPDATE payments SET id = gen_random_uuid(), provider = 'demo', method = NULL WHERE order_id = $1",
      [id],
    );
    await scene.app.api.post(`/api/v1/admin/orders/${id}/mails/placed`, { token: owner.token });
    const german = await scene.open(owner, `shop/orders/${id}`, { locale: 'de-DE' });
    const events = german.getByRole('list', { name: 'Verlauf' }).getByRole('listitem');
    await events.filter({ hasText: 'sendete die E-Mail: Bestätigung' }).waitFor();
    await events.filter({ hasText: /^Demo erhielt/ }).waitFor();
    await german.context().close();
  });
});

describe('A product', () => {
  it('comes first in the list, and leads to its page in the shop front, as does the navigation', async () => {
    const [name, slug] = [`Harbour mug ${tries}`, `harbour-mug-${tries}`];
    await acts.at('shop/products');
    const inNavigation = acts.page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Shop front' });
    expect(await inNavigation.getAttribute('href')).toBe(`${front}/`);
    await acts.press('New product');
    const form = dialog('New product');
    await form.getByLabel('Name', { exact: true }).pressSequentially(name);
    await form.getByLabel('Price', { exact: true }).pressSequentially('18.50');
    await acts.press('Add to the catalog', form);
    const toast = acts.page.getByRole('status').getByRole('link', { name: 'See it in the shop' });
    expect(await toast.getAttribute('href')).toBe(`${front}/p/${slug}`);
    await acts.said('is in the catalog');
    await acts.listOf('Products').first().getByText(name).click();
    const drawer = dialog(name);
    const link = drawer.getByRole('link', { name: 'See it in the shop' });
    expect(await link.getAttribute('href')).toBe(`${front}/p/${slug}`);
    await drawer.getByLabel('Status').selectOption('draft');
    await acts.press('Save', drawer);
    await acts.said('is saved');
    await acts.listOf('Products').first().getByText(name).click();
    await drawer.getByLabel('Name', { exact: true }).waitFor();
    expect(await link.count()).toBe(0);
    expect(acts.faults()).toEqual([]);
  });

  it('is put into a category below the one that it belongs to', async () => {
    const add = (name: string, parent?: string) =>
      scene.app.api.post<{ slug: string }>('/api/v1/admin/categories', {
        token: owner.token,
        json: { name: `${name} ${tries}`, parent },
      });
    for (const root of ['Kitchen', 'Clothing', 'Travel']) {
      const { slug } = (await add(root)).body;
      for (const child of ['One', 'Two']) await add(`${root} ${child}`, slug);
    }
    await acts.at('shop/products?new=true');
    const boxOf = async (name: string) => {
      const box = await dialog('New product').getByLabel(`${name} ${tries}`, { exact: true }).boundingBox();
      return box ?? { x: 0, y: 0 };
    };
    await dialog('New product').getByLabel(`Travel Two ${tries}`).waitFor();
    for (const root of ['Kitchen', 'Clothing', 'Travel']) {
      const [above, one, two] = [await boxOf(root), await boxOf(`${root} One`), await boxOf(`${root} Two`)];
      expect([one.x > above.x, one.x - above.x < 60, one.x === two.x]).toEqual([true, true, true]);
      expect([one.y > above.y, two.y > one.y]).toEqual([true, true]);
    }
  });
});

describe('The gate of a pipeline', () => {
  const report = JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Walker' } },
        results: [
          {
            ruleId: 'R1',
            level: 'error',
            message: { text: 'Unbounded copy' },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.c' }, region: { startLine: 4 } } }],
          },
        ],
      },
    ],
  });

  it('is found from the first steps: a key that imports, a policy, and a build that it stops', async () => {
    const { id: own } = await insertOrganization(scene.app);
    await insertMembership(scene.app, own, owner.id, 'admin');
    const overview = `scanning?organization=${own}`;
    // What was signed in before does not know it.
    await acts.page.goto(`${scene.app.baseUrl}/console/${overview}`);
    const steps = region('First steps');
    await steps.getByRole('link', { name: 'Make a key for the pipeline' }).click();
    const form = dialog('New key');
    expect(await form.getByLabel('Role').inputValue()).toBe('importer');
    await form.getByLabel('Name').pressSequentially('Build');
    await acts.press('Create', form);
    const made = dialog('The key is made');
    const key = await made.getByTestId('key').innerText();
    await made
      .getByText(
        `STORE_API_URL=${scene.app.baseUrl} STORE_API_KEY=${key} store scans import results.sarif --fail-on high`,
      )
      .waitFor();
    await acts.press('Copy', made);
    await acts.press('Done', made);
    await acts.at(overview);
    await steps.getByRole('link', { name: 'Let a gate stop builds' }).click();
    await acts.page.getByLabel('Closed by issues of severity').selectOption('MEDIUM');
    const pipeline = region('In the pipeline');
    const call = `STORE_API_URL=${scene.app.baseUrl} STORE_API_KEY=… store scans import results.sarif --policy .store-gate.yml`;
    await pipeline.getByText(call, { exact: true }).waitFor();
    const policy = await pipeline.locator('code').first().innerText();
    expect(policy.trim()).toBe('failOn: medium');
    expect(await violationsInBothThemes(acts.page)).toEqual([]);

    const now = region('As of now');
    await now.getByText('Gate open').waitFor();
    const folder = await mkdtemp(path.join(tmpdir(), 'gate-'));
    const [results, file] = [path.join(folder, 'results.sarif'), path.join(folder, '.store-gate.yml')];
    await writeFile(results, report);
    await writeFile(file, policy);
    const imported = await runClient(
      ['scans', 'import', results, '--asset', 'https://code.example/walked', '--branch', 'main', '--policy', file],
      { url: scene.app.baseUrl, key },
    );
    await rm(folder, { recursive: true });
    expect([imported.code, imported.stderr]).toEqual([6, expect.stringContaining('The gate is closed')]);

    await now.getByText('Gate closed').waitFor();
    const inTheWay = now.getByRole('link', { name: /open issues? in the way/ });
    expect(await inTheWay.getAttribute('href')).toContain('severities=CRITICAL%2CHIGH%2CMEDIUM&statuses=OPEN');
    await acts.page.getByLabel('By what a build brings alone').check();
    await now.getByText('Gate open').waitFor();
    expect((await pipeline.locator('code').first().innerText()).trim()).toBe('failOn: medium\nnewOnly: true');
    const used = 'SELECT 1 FROM api_keys WHERE organization_id = $1 AND last_used_at IS NOT NULL';
    await until(async () => (await acts.rows(used, [own])).length > 0, 'the use of the key');
    const asked = acts.page.waitForResponse(/api-keys/);
    await acts.page.goto(`${scene.app.baseUrl}/console/${overview}`);
    await (await asked).finished();
    await acts.page.getByRole('heading', { name: 'Open issues by severity, by day' }).waitFor();
    expect(await steps.count()).toBe(0);
    expect(acts.faults()).toEqual([]);
  });

  it('is found by its name with Ctrl-K', async () => {
    await acts.at('scanning');
    await acts.page.keyboard.press('ControlOrMeta+k');
    await acts.page.keyboard.type('gate');
    await acts.page.getByRole('option', { name: 'Organization › Gate' }).click();
    await acts.page.waitForURL(/scanning\/organization\/gate/);
  });
});

describe('A notice that the service cannot be reached', () => {
  it('is over as soon as the service has answered', async () => {
    const { id } = await paidOrder('outage.reader', 1);
    await acts.at(`shop/orders/${id}`);
    await acts.page.getByLabel('Note', { exact: true }).fill('Call before ten');
    await acts.page.route('**/notes', (route) => route.abort());
    await acts.press('Add note');
    const notice = acts.page.getByRole('status').getByText('The service cannot be reached');
    await notice.waitFor();
    await acts.page.unroute('**/notes');
    await acts.press('Add note');
    await notice.waitFor({ state: 'detached' });
    await acts.page.getByRole('list', { name: 'Timeline' }).getByText('Call before ten').waitFor();
  });
});

describe('What is told once', () => {
  it('is the name of a shop without one of its own, on the sign-in page', async () => {
    await insertProduct(scene.app);
    const page = await scene.visit(`${scene.app.baseUrl}/console/`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('Console', { exact: true }).waitFor();
    expect(await page.getByText('Store Service', { exact: true }).count()).toBe(1);
    await page.context().close();
  });

  it('is the state of an order in the panel of its customer, clear of its date in German, too', async () => {
    const { id, buyer } = await paidOrder('panel.leser', 1);
    await acts.rows("UPDATE orders SET status = 'completed' WHERE id = $1", [id]);
    const german = await scene.open(owner, `shop/customers?customer=${buyer.id}`, { locale: 'de-DE' });
    const line = german
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: String(id) });
    const state = await line.getByText('Abgeschlossen').boundingBox();
    const time = await line.locator('time').boundingBox();
    expect((state?.x ?? 0) + (state?.width ?? 0)).toBeLessThan(time?.x ?? 0);
    await german.context().close();
  });
});
