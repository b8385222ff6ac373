import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { insertAdmin, type InsertedUser, insertUser } from '../support/accounts.js';
import { EventCalls, newEvent } from '../support/events.js';
import { insertProduct, insertProducts } from '../support/goods.js';
import { type InsertedOrganization, insertMembership, insertOrganization } from '../support/organizations.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { WorkflowCalls } from '../support/workflows.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let receiver: Receiver;
let organization: InsertedOrganization;
let shop: InsertedUser;
let owner: InsertedUser;
let things: ScanningRows;
let acts: Acts;

beforeAll(async () => {
  receiver = await startReceiver();
  const env = { DEMO_DATA: 'false', EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.2' };
  scene = await startConsoleScene({ jobs: true, env });
  organization = await insertOrganization(scene.app);
  owner = await insertUser(scene.app, { username: 'owner' });
  await insertMembership(scene.app, organization.id, owner.id, 'admin');
  things = new ScanningRows(scene.app, organization.id);
  shop = await insertAdmin(scene.app, { username: 'shop.owner' });
  acts = new Acts(await scene.open(shop, 'account'), scene.app);
});

afterAll(async () => {
  await scene?.close();
  await receiver?.close();
});

describe('A sample', () => {
  let runs = 0;

  it('that the receiver answered with 500 is shown as that, with its body, and can be sent again', async () => {
    const { id } = await new WorkflowCalls(scene.app, organization).make(receiver.url, { name: 'Sampled' });
    const theirs = new Acts(await scene.open(owner, `scanning/workflows/${id}`), scene.app);
    receiver.answer = (response) => {
      response.statusCode = 500;
      response.end('The mill is broken');
    };
    await theirs.press('Send a sample');
    const sample = theirs.page.getByRole('dialog', { name: 'Sample' });
    await sample.getByText('The sample was not taken.').waitFor();
    await sample.getByText('Status 500').waitFor();
    await sample.getByLabel('What the receiver answered').getByText('The mill is broken').waitFor();
    expect(await theirs.page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0); // no message that it went well
    receiver.answerWith();
    await theirs.press('Try again', sample);
    await sample.getByText('The sample was taken.').waitFor();
    expect(await sample.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await theirs.page.context().close();
  });

  it('and a run have the color of what the receiver answered, and a run leads to its delivery', async () => {
    const name = `Run ${++runs}`;
    const row = (on: Acts) => on.page.getByRole('row', { name: new RegExp(`^${name}\\b`) });
    receiver.answer = (response) => {
      response.statusCode = 503;
      response.end('Closed');
    };
    const { id } = await new WorkflowCalls(scene.app, organization).make(receiver.url, { name });
    const theirs = new Acts(await scene.open(owner, 'scanning/workflows'), scene.app);
    await theirs.press('Run now', row(theirs));
    await theirs.at(`scanning/workflows/${id}/deliveries`);
    const run = theirs.page.getByRole('region', { name: 'Runs' }).getByRole('listitem').first();
    await run.getByText('Exhausted').waitFor();
    expect(await theirs.page.getByText('Sent', { exact: true }).count()).toBe(0);
    await run.getByRole('link', { name: 'Delivery' }).click();
    await theirs.page.getByRole('dialog', { name: 'Delivery' }).getByText('Closed').first().waitFor();
    await theirs.at('scanning/workflows');
    await row(theirs).getByText('Exhausted').waitFor();
    receiver.answerWith();
    await theirs.page.context().close();
  });
});

describe('An organization', () => {
  it('is made by somebody who has none, from the navigation, and leads into the scanning wing', async () => {
    const newcomer = await insertUser(scene.app, { username: 'newcomer' });
    const theirs = new Acts(await scene.open(newcomer, 'scanning/issues'), scene.app);
    await theirs.page.getByRole('main').getByRole('link', { name: 'New organization' }).waitFor();
    const navigation = theirs.page.getByRole('navigation', { name: 'Screens' });
    await navigation.getByRole('link', { name: 'New organization' }).click();
    await theirs.page.getByLabel('Name', { exact: true }).pressSequentially('Mill & Sons');
    await theirs.press('Create the organization');
    await theirs.said('Mill & Sons is there, and you are its admin');
    await theirs.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await navigation.getByRole('link', { name: 'Issues' }).waitFor();
    const made = `SELECT o.name, m.role FROM organizations o JOIN organization_members m ON m.organization_id = o.id WHERE m.user_id = $1`;
    expect(await theirs.rows(made, [newcomer.id])).toEqual([{ name: 'Mill & Sons', role: 'admin' }]);
    const picker = navigation.getByRole('combobox', { name: 'Organization' });
    await picker.selectOption({ label: 'New organization …' });
    await theirs.page.getByLabel('Name', { exact: true }).pressSequentially('Second mill');
    await theirs.press('Create the organization');
    await until(async () => (await picker.locator('option:checked').innerText()) === 'Second mill', 'the second one');
    expect(theirs.faults()).toEqual([]);
    await theirs.page.context().close();
  });
});

describe('A customer', () => {
  it('is found by first and last name in the lists of customers and orders, and by Ctrl-K', async () => {
    await acts.rows("UPDATE users SET first_name = NULL, last_name = NULL WHERE username = 'buyer-17'");
    await acts.rows("DELETE FROM orders WHERE shipping_last_name = 'Weiß'");
    const buyer = await insertUser(scene.app, { username: 'buyer-17' });
    await scene.app.api.put('/api/v1/users/me/profile', {
      token: buyer.token,
      json: { first_name: 'Zoë', last_name: 'Łukasz' },
    });
    await acts.rows(
      "INSERT INTO orders (user_id, total_price, shipping_last_name) VALUES ($1, 1, 'Weiß'), ($2, 1, NULL)",
      [shop.id, buyer.id],
    );
    await acts.at('shop/customers');
    await acts.page.getByRole('searchbox', { name: 'Search' }).pressSequentially('zo');
    expect(await acts.column('Customers', 0, 1)).toEqual(['buyer-17']);
    await acts.at('shop/orders');
    await acts.page.getByRole('searchbox', { name: 'Search' }).pressSequentially('lukasz zoe');
    expect(await acts.column('Orders', 4, 1)).toEqual(['buyer-17']);
    await acts.at('shop/orders');
    await acts.page.getByRole('searchbox', { name: 'Search' }).pressSequentially('weiss');
    expect(await acts.column('Orders', 5, 1)).toEqual(['Weiß']);
    await acts.page.keyboard.press('ControlOrMeta+k');
    await acts.page.getByRole('combobox', { name: 'Search' }).pressSequentially('zoe');
    await acts.page.getByRole('option', { name: /^Zoë Łukasz/ }).waitFor();
    await acts.page.keyboard.press('Escape');
  });
});

/** Takes products out of the catalog: those of the first try of a test that is tried once more. */
const without = (...names: string[]) =>
  acts.rows('UPDATE products SET deleted_at = now() WHERE name LIKE ANY($1)', [names]);

const colorOf = (row: Locator) =>
  row.evaluate(
    (one) =>
      (globalThis as unknown as { getComputedStyle: (of: unknown) => { backgroundColor: string } }).getComputedStyle(
        one,
      ).backgroundColor,
  );

describe('A list', () => {
  it('is entered by ↓ on a page that was just loaded, without a Tab', async () => {
    await insertProducts(scene.app, 3);
    await acts.page.goto(`${scene.app.baseUrl}/console/shop/products`);
    await acts.listOf('Products').nth(2).waitFor();
    await acts.page.keyboard.press('ArrowDown');
    const isOn = (at: number) =>
      acts
        .listOf('Products')
        .nth(at)
        .evaluate((row) => row.matches(':focus'));
    await until(() => isOn(0), 'the focus on the first row');
    await acts.page.keyboard.press('ArrowDown');
    await until(() => isOn(1), 'the focus on the second row');
  });

  it('keeps the color of what is selected while the pointer is over it', async () => {
    await acts.at('shop/orders');
    const row = acts.listOf('Orders').first();
    await row.getByRole('checkbox').check();
    await acts.page.mouse.move(0, 0);
    const selected = await colorOf(row);
    await row.hover();
    expect(await colorOf(row)).toBe(selected);
    await row.getByRole('checkbox').uncheck();
    await row.hover();
    expect(await colorOf(row)).not.toBe(selected);
  });

  it('keeps the widths of its columns when it is sorted, narrowed and edited', async () => {
    await without('Very long %', 'A');
    await insertProduct(scene.app, { name: `Very long ${'name '.repeat(30)}`, price: 9_999_999, stock: 2_000_000_000 });
    await insertProduct(scene.app, { name: 'A', price: 1, stock: 1 });
    await acts.at('shop/products?sort=name');
    const widths = () =>
      acts.page
        .getByRole('columnheader')
        .evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().width)));
    await acts.listOf('Products').first().waitFor();
    const before = await widths();
    await acts.page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click();
    await acts.page.waitForURL(/sort=price/);
    await acts.page.getByRole('button', { name: /^Price of A:/ }).click();
    expect(await widths()).toEqual(before);
    await acts.page.keyboard.press('Escape');
    await acts.page.getByRole('searchbox', { name: 'Search' }).pressSequentially('Very long');
    await acts.column('Products', 1, 1);
    expect(await widths()).toEqual(before);
  });
});

describe('Messages', () => {
  it('are one at a time, which counts', async () => {
    await without('Counted lamp');
    await insertProduct(scene.app, { name: 'Counted lamp' });
    await acts.at('shop/products?search=Counted');
    await acts.page.reload();
    const toasts = acts.page.getByRole('status').getByRole('button', { name: 'Dismiss' });
    const text = acts.page.getByText('Counted lamp is saved');
    for (const price of ['3', '4', '5']) {
      await acts.page.getByRole('button', { name: /^Price of Counted lamp:/ }).click();
      const field = acts.page.getByRole('textbox', { name: 'Price of Counted lamp' });
      await field.fill(price);
      await field.press('Enter');
      await acts.page.getByRole('button', { name: `Price of Counted lamp: $${price}.00. Change` }).waitFor();
      await text.waitFor();
      expect(await toasts.count()).toBe(1);
    }
    await acts.page.getByText('× 3').waitFor();
  });
});

describe('Ctrl-K', () => {
  it('answers with what has the words, and with nothing that is only like them', async () => {
    await insertProduct(scene.app, { name: 'Walnut stool' });
    await acts.at('account');
    await acts.page.keyboard.press('ControlOrMeta+k');
    const search = acts.page.getByRole('combobox', { name: 'Search' });
    await search.pressSequentially('walnut');
    await acts.page.getByRole('option', { name: /^Walnut stool/ }).waitFor();
    await search.fill('');
    await search.pressSequentially('walnit');
    await acts.page.getByText('Nothing found.').waitFor();
    await acts.page.keyboard.press('Escape');
  });
});

describe('Orders without an address', () => {
  it('are shipped with others only after a question that names them', async () => {
    const rows = await acts.rows<{ id: number }>(
      `INSERT INTO orders (user_id, total_price, status, reached, shipping_address) VALUES
         ($1, 77, 'paid', 'paid', '1 Main Street'), ($1, 77, 'paid', 'paid', NULL) RETURNING id`,
      [shop.id],
    );
    const ids = rows.map(({ id }) => id);
    const [, lost] = ids;
    const statuses = async () =>
      (await acts.rows<{ status: string }>('SELECT status FROM orders WHERE id = ANY($1)', [ids])).map(
        ({ status }) => status,
      );
    await acts.at('shop/orders?status=paid');
    await acts.page.getByLabel('Select all').check();
    const bar = acts.page.getByRole('form', { name: 'Change the selected orders' });
    await bar.getByLabel('New status').selectOption('shipped');
    await acts.press('Change status', bar);
    const question = acts.page.getByRole('dialog', { name: 'Make 2 orders shipped without an address?' });
    await question.getByText(`Order ${lost} has no address to go to.`).waitFor();
    await acts.press('Keep', question);
    expect(await statuses()).toEqual(['paid', 'paid']);
    await acts.press('Change status', bar);
    await acts.press('Shipped all the same', question);
    await until(async () => (await statuses()).every((status) => status === 'shipped'), 'both shipped');
  });
});

describe('Events', () => {
  it('move the histogram while they are followed, and show code with the lines of its file', async () => {
    const scanId = await things.scan(await things.profile());
    const theirs = new Acts(await scene.open(owner, 'scanning/events'), scene.app);
    const events = new EventCalls(scene.app, organization.admin.token);
    const told = theirs.page.getByRole('region', { name: 'Events over time' });
    await told.getByText('0 events by hour').waitFor();
    await theirs.press('Follow');
    await theirs.page.getByRole('status').filter({ hasText: 'Following' }).waitFor();
    const snippet = { name: 'src/cart.ts', content: 'first\nsecond', startLine: 28 };
    await events.appended(
      scanId,
      newEvent({ title: 'Arrival 1' }),
      newEvent({ title: 'Arrival 2', attachments: [{ type: 'SNIPPET', snippet }] }),
    );
    await told.getByText('2 events by hour').waitFor();
    await theirs.listOf('Events').filter({ hasText: 'Arrival 2' }).click();
    const code = theirs.page.getByRole('dialog', { name: 'Arrival 2' }).getByRole('region', { name: 'src/cart.ts' });
    expect(await code.getByRole('list').getAttribute('start')).toBe('28');
    expect(theirs.faults()).toEqual([]);
    await theirs.page.context().close();
  });

  it('leave no error on the pages of the shop', () => {
    expect(acts.faults()).toEqual([]);
  });
});
