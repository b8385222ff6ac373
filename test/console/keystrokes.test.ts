import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { insertAdmin } from '../support/accounts.js';
import { insertProduct } from '../support/goods.js';
import { insertMembership } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { drawers, openBy } from './openings.js';
import { addressesIn, screens } from './screens.js';
import { entryOf, fields, fieldsOn, namesInSources, typeInto } from './typed-fields.js';

let scene: ConsoleScene;
let page: Page & { faults: string[] };
let addressOf: (path: string) => string;
let product = 0;

beforeAll(async () => {
  scene = await startConsoleScene();
  addressOf = await addressesIn(scene.app);
  const admin = await insertAdmin(scene.app, { username: 'typist' });
  const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
  await insertMembership(scene.app, organization?.id ?? '', admin.id, 'admin');
  product = await insertProduct(scene.app, { name: 'Typed lamp', price: 5, stock: 3 });
  page = await scene.open(admin, 'account');
  page.setDefaultTimeout(30_000);
});

afterAll(async () => {
  await scene?.close();
});

const press = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).first().click();
/** Waits for the field that an act brings. */
const brings = (field: string | RegExp, act: Promise<unknown>) =>
  act.then(() => page.getByLabel(field).and(page.locator('input, textarea')).first().waitFor());
const inMain = (selector: string, hasText: string) => page.getByRole('main').locator(selector).filter({ hasText });
const inIssues = () => page.getByRole('grid', { name: 'Issues' });
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

/** Where there are fields, beyond the screens themselves: how one gets to them. */
const places: [path: string, reach: () => Promise<unknown>][] = [
  ...screens.map(({ path }): [string, () => Promise<unknown>] => [path, async () => undefined]),
  ...drawers.map((opening): [string, () => Promise<unknown>] => [opening[2], () => openBy(page, opening)]),
  ['shop/products?search=Typed', () => brings(/^Price of Typed lamp/, press(/^Price of Typed lamp/))],
  ['shop/products?search=Typed', () => brings(/^Stock of Typed lamp/, press(/^Stock of Typed lamp/))],
  ['shop/settings/shipping', () => brings('Name of method 3', press('Add a method'))],
  [
    'shop/orders/:paid',
    () =>
      brings(
        'Amount',
        press('Refund').then(() => page.getByLabel('An amount').check()),
      ),
  ],
  ['shop/orders/:paid', () => brings('Link to follow it', press(/tracking$/))],
  [
    'shop/orders?queue=to_ship',
    async () => {
      await page.getByRole('grid', { name: 'Orders' }).getByLabel('Select row 1', { exact: true }).click();
      await brings(/^Tracking number of/, press('Ship'));
    },
  ],
  [
    'shop/coupons?new=true',
    () => brings('Time of day', page.getByRole('dialog').getByLabel('Expires').fill('2027-06-15')),
  ],
  ['scanning/integrations?new=true', () => brings('Name of parameter 1', inDialog('Add a parameter'))],
  ['scanning/workflows/create', () => brings('Name of header 1', press('Add a header'))],
  ['scanning/workflows/create', () => brings('Cron expression', page.getByLabel('When').selectOption('SCHEDULE'))],
  ['scanning/issues', () => brings('Due before', inMain('summary', 'More').click())],
  ['scanning/issues', () => brings('Name of the view', inMain('summary', 'Views').click())],
  ['scanning/issues', () => brings('Comment', inIssues().getByLabel('Select row 1', { exact: true }).click())],
  ['scanning/issues', () => brings('Add a comment', inIssues().locator('tbody tr').first().click())],
  [
    'scanning/issues?statuses=OPEN',
    async () => {
      await press('Change all that match …');
      const dialog = page.getByRole('dialog');
      await brings('Why it is accepted', dialog.getByLabel('Status').selectOption('IGNORED'));
    },
  ],
  [
    'scanning/workflows/create',
    () => brings('Body', page.getByLabel('Kind', { exact: true }).first().selectOption('TEMPLATE')),
  ],
  ['scanning/workflows/create', () => brings('Name of a branch', inMain('summary', 'Branch').click())],
  ['account', () => brings('Code', press('Set up'))],
  ['account', () => brings('Search', page.keyboard.press('ControlOrMeta+k'))],
];

/**
 * Types into every field that a page shows, the last one first, since filters change what is below; remembers which there
 * were. What shows a screen once more shows its fields, too: each is typed into once.
 */
async function typeIntoAll(on: Page, path: string, typed: Set<string>, seen: Set<string>): Promise<string[]> {
  const faults: string[] = [];
  const [screen] = path.split('?');
  for (const { name, type, dialog, at } of (await fieldsOn(on)).reverse()) {
    const one = [screen, dialog, name].join('\n');
    if (typed.has(one)) continue;
    typed.add(one);
    const entry = entryOf(name);
    const kind = fields[entry];
    seen.add(entry);
    const found = kind
      ? await typeInto(on, at, kind, type).catch((error: Error) => [error.message])
      : ['it has no entry among the fields'];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

/** Opens a place in its initial state: by a link if another screen is shown, which leaves what was typed. */
async function arriveAt(address: string): Promise<void> {
  const { pathname } = new URL(`/console/${address}`, scene.app.baseUrl);
  if (new URL(page.url()).pathname === pathname) await page.goto(`${scene.app.baseUrl}/console/${address}`);
  else await goTo(page, address);
  const leave = page.getByRole('dialog', { name: 'Leave this?' }).getByRole('button', { name: 'Leave' });
  await until(async () => {
    if (await leave.isVisible()) await leave.click();
    return new URL(page.url()).pathname === pathname && !(await leave.isVisible());
  }, address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

describe('What is typed by single keys', () => {
  it('is what every field of the console holds, and the same when it is pasted', async () => {
    const [typed, seen] = [new Set<string>(), new Set<string>()];
    const faults: Record<string, string[]> = {};
    const note = (place: string, found: string[]) => {
      if (found.length > 0) faults[place] = found;
    };
    await page.reload();
    for (const [at, [path, reach]] of places.entries()) {
      await arriveAt(addressOf(path));
      await reach();
      await until(async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0, 'all of the page');
      note(`${path} (${at})`, await typeIntoAll(page, path, typed, seen));
    }
    const context = await page.context().browser()?.newContext({ locale: 'en-US' });
    const stranger = await context?.newPage();
    for (const path of ['login', 'login?forgotten=true']) {
      await stranger?.goto(`${scene.app.baseUrl}/console/${path}`);
      await stranger?.getByRole('textbox').first().waitFor();
      if (stranger) note(path, await typeIntoAll(stranger, path, typed, seen));
    }
    await context?.close();
    expect(faults).toEqual({});
    expect([...seen].sort()).toEqual(Object.keys(fields).sort());
    // A preview refuses drafts that are only half typed.
    expect(page.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
  }, 900_000);

  it('has an entry for every field in the sources of the console', () => {
    const names = namesInSources();
    expect(Object.keys(names).length).toBeGreaterThan(40);
    expect(Object.entries(names).filter(([, name]) => !(name in fields))).toEqual([]);
  });
});

type Stored = { price: number; stock: number };
const stored = async () =>
  (
    await scene.app.database.rows<Stored>('SELECT price::float8 AS price, stock FROM products WHERE id = $1', [product])
  )[0];

/** The list with the product, each time afresh, on the page of someone with this language. */
const inLanguage: Record<string, typeof page> = {};
async function listIn(locale: string): Promise<typeof page> {
  const on = (inLanguage[locale] ??= await scene.open(await insertAdmin(scene.app), 'account', { locale }));
  await on.goto(`${scene.app.baseUrl}/console/shop/products?search=Typed%20lamp`);
  return on;
}

/** Edits a figure in the list of products by single keys. */
async function edit(on: Page, what: 'Price' | 'Stock' | 'Preis' | 'Bestand', text: string): Promise<void> {
  const name = new RegExp(`^${what} (of|von) Typed lamp`);
  await on.getByRole('button', { name }).click();
  const field = on.getByRole('textbox', { name });
  await field.press('ControlOrMeta+a');
  await field.press('Delete');
  await field.pressSequentially(text);
  await field.press('Enter');
}

/** What was made by the form so far: a second try makes something of another name. */
let forms = 0;

describe('A figure', () => {
  it.each([
    ['en-US', 'Price', '19.99', { price: 19.99 }],
    ['en-US', 'Price', '24,50', { price: 24.5 }],
    ['en-US', 'Price', '1,234.05', { price: 1234.05 }],
    ['en-US', 'Stock', '1,200', { stock: 1200 }],
    ['de-DE', 'Preis', '19,99', { price: 19.99 }],
    ['de-DE', 'Preis', '1.234,50', { price: 1234.5 }],
    ['de-DE', 'Preis', '7.25', { price: 7.25 }],
    ['de-DE', 'Bestand', '3', { stock: 3 }],
  ] as const)('typed in %s as %s %s in the list is stored as it is meant', async (locale, what, text, changed) => {
    const on = await listIn(locale);
    const expected = { ...(await stored()), ...changed };
    await edit(on, what, text);
    await until(async () => JSON.stringify(await stored()) === JSON.stringify(expected), JSON.stringify(expected));
    expect(on.faults.splice(0)).toEqual([]);
  });

  it('that gives its row another place in the list takes the focus along', async () => {
    const tag = `Focus ${++forms}`;
    for (const price of [0.01, 0.02, 0.03]) await insertProduct(scene.app, { name: `${tag} for ${price}`, price });
    const on = await listIn('en-US');
    await on.goto(`${scene.app.baseUrl}/console/shop/products?sort=price`);
    await on.getByRole('button', { name: `Price of ${tag} for 0.01` }).click();
    await on.keyboard.press('ControlOrMeta+a');
    await on.keyboard.type('0.05');
    await on.keyboard.press('Enter');
    const row = (index: number) => on.locator(`tr[data-index="${index}"]`);
    await row(0)
      .filter({ hasNotText: `${tag} for 0.01` })
      .waitFor();
    await on
      .locator('tr:focus-within')
      .filter({ hasText: `${tag} for 0.01` })
      .waitFor();
    await on.keyboard.press('Home');
    await row(0).and(on.locator(':focus')).waitFor();
  });

  it('that is negative, too fine or no number is refused, stays to be mended, and is not stored', async () => {
    const on = await listIn('en-US');
    const before = await stored();
    for (const text of ['-5', '1.999', '1e3', 'abc', '']) {
      await edit(on, 'Price', text);
      const field = on.getByRole('textbox', { name: 'Price of Typed lamp' });
      expect([await field.inputValue(), await field.evaluate((one) => one.matches(':invalid'))]).toEqual([text, true]);
      await field.press('Escape');
    }
    expect(await stored()).toEqual(before);
  });

  it('in a form is stored as it was typed', async () => {
    const word = `typed${++forms}`;
    await page.goto(`${scene.app.baseUrl}/console/shop/products?new=true`);
    const form = page.getByRole('dialog', { name: 'New product' });
    const type = async (name: string, text: string) => {
      await form.getByLabel(name, { exact: true }).press('ControlOrMeta+a');
      await form.getByLabel(name, { exact: true }).pressSequentially(text);
    };
    await type('Name', word);
    await type('Price', '129,95');
    await type('Stock', '12');
    await form.getByRole('button', { name: 'Add to the catalog' }).click();
    await form.waitFor({ state: 'detached' });
    const chair = 'SELECT price::float8 AS price, stock FROM products WHERE name = $1';
    expect(await scene.app.database.rows(chair, [word])).toEqual([{ price: 129.95, stock: 12 }]);
    await page.goto(`${scene.app.baseUrl}/console/shop/coupons?new=true`);
    const coupon = page.getByRole('dialog', { name: 'New coupon' });
    for (const [name, text] of [
      ['Code', word],
      ['Discount in percent', '12.5'],
      ['Uses at most', '1,000'],
    ] as const) {
      await coupon.getByLabel(name, { exact: true }).press('ControlOrMeta+a');
      await coupon.getByLabel(name, { exact: true }).pressSequentially(text);
    }
    await coupon.getByRole('button', { name: 'Create' }).click();
    await coupon.waitFor({ state: 'detached' });
    const uses = `SELECT discount_percent::float8 AS discount, max_uses AS uses FROM coupons WHERE lower(code) = $1`;
    expect(await scene.app.database.rows(uses, [word])).toEqual([{ discount: 12.5, uses: 1000 }]);
  });
});
