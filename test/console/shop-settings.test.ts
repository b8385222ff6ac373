import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { insertAdmin, type InsertedUser } from '../support/accounts.js';
import { insertProduct } from '../support/goods.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { makePicture } from '../support/pictures.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { Acts } from './acts.js';
import { type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
let owner: InsertedUser;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  const env = { DEMO_DATA: 'false', EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.2' };
  scene = await startConsoleScene({ jobs: true, env });
  owner = await insertAdmin(scene.app, { username: 'settings.owner' });
  acts = new Acts(await scene.open(owner, 'shop/settings'), scene.app);
});

afterAll(async () => {
  await scene?.close();
  await receiver?.close();
});

const main = () => acts.page.getByRole('main');
const dialog = (name: string) => acts.page.getByRole('dialog', { name, exact: true });
async function type(name: string, text: string, within: Locator = main()): Promise<void> {
  await within.getByLabel(name, { exact: true }).press('ControlOrMeta+a');
  await within.getByLabel(name, { exact: true }).press('Delete');
  await within.getByLabel(name, { exact: true }).pressSequentially(text);
}
const shop = async () => (await scene.app.api.get<Record<string, unknown>>('/api/v1/shop')).body;
const change = (json: object) => scene.app.api.patch('/api/v1/admin/shop', { token: owner.token, json });

describe('What can be set', () => {
  it.each([
    [390, 1],
    [1440, 2],
    [2560, 3],
  ])('takes the width of a window of %i in %i columns, in both languages', async (width, columns) => {
    const { id } = await insertOrganization(scene.app);
    await insertMembership(scene.app, id, owner.id, 'admin');
    for (const locale of ['en', 'de']) {
      const page = await scene.open(owner, 'account', { locale, viewport: { width, height: 900 } });
      for (const path of ['account', 'shop/settings', 'scanning/organization/issue-policy']) {
        await goTo(page, path);
        const groups = page.getByRole('main').locator('.card');
        await groups.nth(2).waitFor();
        const boxes = await groups.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
        const lefts = new Set(boxes.map(({ left }: { left: number }) => Math.round(left)));
        const right = Math.max(...boxes.map((box: { right: number }) => box.right));
        const room = await page.getByRole('heading', { level: 1 }).evaluate((one) => one.getBoundingClientRect().right);
        expect([path, lefts.size, Math.round(room - right)]).toEqual([path, columns, 0]);
        expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      }
      await page.context().close();
    }
  });
});

describe('Settings > General', () => {
  it('names the shop, how it is reached and how it writes amounts, which counts at once', async () => {
    await acts.at('shop/settings');
    await type('Name', 'Hafenladen');
    await type('Contact e-mail', 'laden@example.com');
    await type('Address', 'Am Hafen 1');
    await type('How to pay', 'IBAN DE02');
    await main().getByLabel('Currency').selectOption('EUR');
    await main().getByLabel('Language').selectOption('de-DE');
    await main()
      .getByText(/^Amounts are written as 1\.234,50\s€\.$/)
      .waitFor();
    await main()
      .getByLabel('Logo')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await makePicture('png') });
    await main().getByRole('button', { name: 'Remove the logo' }).waitFor();
    await acts.press('Save');
    await acts.said('The shop is saved');
    expect(await shop()).toMatchObject({
      name: 'Hafenladen',
      contact_email: 'laden@example.com',
      address: 'Am Hafen 1',
      currency: 'EUR',
      locale: 'de-DE',
      logo_url: expect.stringMatching(/^\/uploads\//),
      payment: { instructions: 'IBAN DE02' },
    });
    await insertProduct(scene.app, { name: 'Settings lamp', price: 1234.5 });
    await acts.at('shop/products');
    await acts.page
      .getByRole('button', { name: /^Price of Settings lamp: 1\.234,50\s€/ })
      .first()
      .waitFor();
  });

  it('asks which version to keep when another admin changed the same meanwhile', async () => {
    await acts.at('shop/settings');
    await type('Name', 'Mine');
    await change({ name: 'Theirs' });
    await acts.press('Save');
    const question = acts.page.getByRole('dialog', { name: /was changed meanwhile$/ });
    await question.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    await acts.press('Keep mine', question);
    await acts.said('The shop is saved');
    expect(await shop()).toMatchObject({ name: 'Mine' });
  });

  it('says what is wrong, and asks before what was entered is lost', async () => {
    await acts.at('shop/settings');
    await type('Contact e-mail', 'nobody@nowhere@example.com');
    await main().getByRole('link', { name: 'Keys' }).click();
    await acts.press('Keep', dialog('Leave this?'));
    expect(
      await main()
        .getByLabel('Contact e-mail')
        .evaluate((one) => one.matches(':invalid')),
    ).toBe(true);
    await main().getByRole('link', { name: 'Keys' }).click();
    await acts.press('Leave', dialog('Leave this?'));
    await main().getByRole('button', { name: 'New key' }).first().waitFor();
  });
});

describe('Settings > Shipping', () => {
  let methods: unknown;
  beforeAll(async () => {
    methods = (await shop())['shipping_methods'];
  });

  it('adds, changes, orders and removes methods', async () => {
    await change({ currency: null, locale: null, shipping_methods: methods });
    await acts.page.goto(`${scene.app.baseUrl}/console/shop/settings/shipping`);
    await type('Cost of method 1', '4,50');
    await acts.press('Add a method');
    for (const [name, text] of [
      ['Name of method 3', 'Bike'],
      ['Code of method 3', 'bike'],
      ['Cost of method 3', '9.99'],
      ['Days of method 3', '1'],
      ['Free from of method 3', '1,000.00'],
    ] as const) {
      await type(name, text);
    }
    await acts.press('Move up method 3');
    await acts.press('Remove method 3');
    await acts.press('Save');
    await acts.said('The shipping methods are saved');
    const { shipping_methods } = await shop();
    expect(shipping_methods).toEqual([
      expect.objectContaining({ code: 'standard', cost: 4.5, free_from: null }),
      { code: 'bike', name: 'Bike', cost: 9.99, days: 1, free_from: 1000 },
    ]);
    await acts.page.reload();
    await acts.holds(main().getByLabel('Free from of method 2'), '1000.00');
  });

  it('says which method the service refuses', async () => {
    await acts.at('shop/settings/shipping');
    await type('Code of method 2', 'Not a code');
    expect(await acts.refused(() => acts.press('Save'))).toContain('small letters');
    await main().getByLabel('Code of method 2').press('ControlOrMeta+a');
    await main().getByLabel('Code of method 2').pressSequentially('bike');
  });
});

describe('Settings > Webhooks', () => {
  it('makes one, shows its secret once, tests it, and shows what it got', async () => {
    await acts.at('shop/settings/webhooks');
    await acts.press('New webhook');
    const form = dialog('New webhook');
    await type('URL', receiver.url, form);
    await form.getByLabel('Product added').check();
    await acts.press('Create', form);
    const secret = await dialog('The secret of the webhook').getByTestId('secret').innerText();
    expect(secret).toMatch(/^whsec_/);
    await acts.press('Copy', dialog('The secret of the webhook'));
    await acts.press('Done', dialog('The secret of the webhook'));
    await acts.page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor();
    expect(await main().innerText()).not.toContain(secret);
    await acts.press('Send a sample');
    await main().getByText('The receiver answered 200.').waitFor();
    await insertThroughService('Webhook lamp');
    await acts.listOf('Deliveries').filter({ hasText: 'Product added' }).click();
    const delivery = dialog('Delivery');
    await delivery.getByText('Webhook lamp').waitFor();
    await delivery.getByText('Status 200').waitFor();
    await acts.press('Close', delivery);
  });

  it('replays what failed, replaces its secret, changes its events, and deletes it', async () => {
    const id = await onlyWebhook();
    await acts.at(`shop/settings/webhooks/${id}`);
    const rows = acts.listOf('Deliveries');
    await insertThroughService('Arriving lamp');
    await rows.first().getByText('Delivered').waitFor();
    receiver.answerWith(500, 500);
    await insertThroughService('Failing lamp');
    await rows.first().getByText('Exhausted').waitFor();
    await acts.press('Replay all exhausted');
    await acts.answer('Replay all exhausted deliveries?', 'Replay');
    await acts.said('1 delivery on the way again');
    await until(async () => (await rows.filter({ hasText: 'Delivered' }).count()) === 2, 'both delivered');
    await acts.press('Replace the secret');
    await acts.answer('Replace the secret?', 'Replace the secret');
    await acts.press('Copy', dialog('The secret of the webhook'));
    await acts.press('Done', dialog('The secret of the webhook'));
    await main().getByText('The one before also signs').waitFor();
    await main().getByLabel('Stock is low').check();
    await acts.press('Save');
    await acts.said('The webhook is saved');
    expect(await acts.rows('SELECT events FROM store_webhooks')).toEqual([
      { events: expect.arrayContaining(['product.created', 'stock.low']) },
    ]);
    await acts.press('Delete the webhook');
    await acts.answer('Delete the webhook?', 'Delete');
    await acts.said('The webhook is deleted');
    await main().getByText('No webhook yet').waitFor();
  });
});

/** Makes a webhook, and deletes all others. */
async function onlyWebhook(): Promise<string> {
  const { token } = owner;
  const hooks = '/api/v1/admin/webhooks';
  for (const { id } of await acts.rows('SELECT id FROM store_webhooks')) {
    await scene.app.api.delete(`${hooks}/${String(id)}`, { token });
  }
  const json = { url: receiver.url, events: ['product.created'] };
  return (await scene.app.api.post<{ id: string }>(hooks, { token, json })).body.id;
}

/** A product that the service makes, and tells of. */
async function insertThroughService(name: string): Promise<void> {
  const json = { name, price: 5, stock: 50 };
  const { status } = await scene.app.api.post('/api/v1/admin/products', { token: owner.token, json });
  expect(status).toBeLessThan(300);
}

describe('Settings > Keys', () => {
  let keys = 0;

  it('makes one that works and is shown once, shows its last use, and revokes it', async () => {
    await acts.at('shop/settings/keys');
    await acts.press('New key');
    const form = dialog('New key');
    const name = `ERP ${++keys}`;
    await type('Name', name, form);
    expect(await form.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await form.getByLabel('Read orders').check();
    await acts.press('Create', form);
    const made = dialog('The key is made');
    const key = await made.getByTestId('key').innerText();
    await acts.press('Copy', made);
    await acts.press('Done', made);
    const ask = async (path: string) => (await scene.app.api.get(`/api/v1/admin/${path}`, { token: key })).status;
    expect([await ask('orders'), await ask('users')]).toEqual([200, 403]);
    expect(await main().innerText()).not.toContain(key);
    const row = acts.listOf('Keys').filter({ hasText: name });
    expect(await row.innerText()).toContain('orders:read');
    await acts.press(`Revoke ${name}`);
    await acts.answer(`Revoke ${name}?`, 'Revoke');
    await acts.said(`${name} is revoked`);
    expect(await ask('orders')).toBe(401);
    await row.getByText('Revoked').waitFor();
    await row.getByText('Never').first().waitFor();
  });

  it('leave no error on the page', () => {
    expect(acts.faults()).toEqual([]);
  });
});
