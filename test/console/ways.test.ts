import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { de } from '../../packages/console/src/texts/de.js';
import { en } from '../../packages/console/src/texts/en.js';
import type { Texts } from '../../packages/console/src/texts/texts.js';
import { type Account, insertAdmin, type InsertedUser, insertUser, signUp, signUpAdmin } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../support/goods.js';
import { codeOf } from '../support/one-time-codes.js';
import { insertMembership } from '../support/organizations.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { Way } from './way.js';
import { insertIssues, reportOf } from './ways-data.js';

let scene: ConsoleScene;
let organizationId = '';
/** An admin of the organization, not of the shop. */
let engineer: Account;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  scene = await startConsoleScene({ jobs: true, env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.2' } });
  const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
  organizationId = organization?.id ?? '';
  engineer = await signUp(scene.app);
  await insertMembership(scene.app, organizationId, engineer.id, 'admin');
});

afterAll(async () => {
  await scene?.close();
  await receiver?.close();
});

const row = <Row extends Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  scene.app.database.rows<Row>(sql, values).then(([first]) => first);

const languages: [locale: string, texts: Texts][] = [
  ['en-US', en],
  ['de-DE', de],
];
/** A way that is tried again makes things of other names. */
let tries = 0;

describe.each(languages)('In %s', (locale, texts) => {
  let tag = '';
  beforeEach(() => {
    tag = `${locale.slice(0, 2)}${++tries}`;
  });

  async function asWho(user: InsertedUser, work: (way: Way) => Promise<void>): Promise<Way> {
    const page = await scene.open(user, '', { locale });
    const way = new Way(page);
    await work(way);
    await page.context().close();
    return way;
  }
  /** The name of a value, as it begins. */
  const named = (value: string) => new RegExp(texts.names[value] ?? value, 'i');

  it("a shopper's order is shipped, with its packing slip, in three clicks", async () => {
    const buyer = await insertUser(scene.app);
    await fillCart(scene.app, buyer, [await insertProduct(scene.app, { name: `Birch stool ${tag}` })], 2);
    const { body: order } = await checkout(scene.app.api, buyer);
    const { clicks } = await asWho(await insertAdmin(scene.app), async (way) => {
      await way.click(way.page.getByRole('link', { name: String(order.id), exact: true }));
      await way.reads(`Birch stool ${tag}`);
      await way.reads('12 St James Square');
      await way.button(texts.orders.ship);
      await way.button(texts.orders.shipOrder(order.id), way.page.getByRole('dialog'));
      await way.reads(texts.orders.orderIsShipped(order.id));
    });
    expect(await row('SELECT status FROM orders WHERE id = $1', [order.id])).toEqual({ status: 'shipped' });
    expect(clicks).toBe(3);
  });

  it('a coupon is ended in two clicks, and no checkout accepts it any more', async () => {
    const coupon = `WAYS-${tag.toUpperCase()}`;
    await insertCoupon(scene.app, coupon);
    const { clicks } = await asWho(await insertAdmin(scene.app), async (way) => {
      await way.open(texts.screens.coupons, texts);
      await way.button(texts.coupons.end(coupon));
      await way.reads(texts.coupons.isEnded(coupon));
    });
    const buyer = await insertUser(scene.app);
    await fillCart(scene.app, buyer, [await insertProduct(scene.app)]);
    const { status, body } = await checkout(scene.app.api, buyer, { coupon });
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'coupon_unusable' })]);
    expect(clicks).toBe(2);
  });

  it('somebody is invited, accepts, and leaves', async () => {
    const guest = await insertUser(scene.app);
    const inviting = await asWho(engineer, async (way) => {
      await way.open(texts.screens.organization, texts);
      await way.click(way.page.getByRole('link', { name: texts.organization.members, exact: true }));
      await way.button(texts.organization.invite);
      await way.page.getByLabel(texts.organization.usernameOrEMail).fill(guest.username);
      await way.confirm(texts.organization.invite);
      await way.reads(texts.organization.isInvited(guest.username));
    });
    const accepting = await asWho(guest, async (way) => {
      const organization = await row<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
        organizationId,
      ]);
      const name = organization?.name ?? '';
      await way.open(texts.screens.account, texts);
      await way.button(texts.account.accept);
      await way.reads(texts.account.youBelongToNow(name));
      await way.open(texts.screens.organization, texts);
      await way.click(way.page.getByRole('link', { name: texts.organization.members, exact: true }));
      await way.button(texts.organization.leave2);
      await way.confirm(texts.organization.leave2);
      await way.reads(texts.organization.youHaveLeft(name));
    });
    const members = await row('SELECT count(*)::int AS count FROM organization_members WHERE user_id = $1', [guest.id]);
    expect(members).toEqual({ count: 0 });
    expect([inviting.clicks, accepting.clicks]).toEqual([4, 6]);
  });

  it('a report is imported after a preview of its changes, and its ten issues are triaged with one comment', async () => {
    const found = "issues JOIN assets ON assets.id = asset_id WHERE assets.name LIKE '%/ways-' || $1";
    const { clicks } = await asWho(engineer, async (way) => {
      const { page } = way;
      await way.open(texts.screens.scans, texts);
      await way.button(texts.common.importReport);
      const choosing = page.waitForEvent('filechooser');
      await way.click(page.getByText(texts.scans.dropAReportHereOr));
      const buffer = reportOf(`ways-${tag}`);
      await (await choosing).setFiles({ name: 'ways.sarif', mimeType: 'application/json', buffer });
      await way.button(texts.scans.showWhatWouldChange);
      const trial = page.getByRole('region', { name: texts.common.whatWouldChange });
      await trial.getByText(texts.scans.inTheReportOf(10, 'Ways Scanner')).waitFor();
      expect(await row(`SELECT count(*)::int AS count FROM ${found}`, [tag])).toEqual({ count: 0 });
      await way.button(texts.scans.import);
      await way.reads(texts.scans.imported(`${texts.scans.newIssues(10)}, ${texts.scans.known(0)}`));
      const ofScan = page.getByRole('region', { name: texts.scans.issuesOfTheScan });
      await way.click(ofScan.getByRole('link', { name: texts.common.all }));
      await page.getByRole('grid', { name: texts.screens.issues }).getByRole('row').nth(10).waitFor();
      await way.click(page.getByLabel(texts.parts.selectAll, { exact: true }));
      const bar = page.getByRole('form', { name: texts.issues.changeTheSelectedIssues });
      await way.choose(bar.getByLabel(texts.issues.newStatus), 'IGNORED');
      await bar.getByLabel(texts.issues.comment).fill('Logs of a test');
      await way.button(texts.issues.change, bar);
      const ignored = texts.names['ignored'] ?? 'ignored';
      await way.reads(texts.issues.changedSo(10, texts.issues.now(ignored), ''));
    });
    const triaged = await row(
      `SELECT count(DISTINCT issues.id)::int AS issues, count(DISTINCT comment)::int AS comments
         FROM issue_activities JOIN ${found.replace(' WHERE', ' ON issue_id = issues.id WHERE')}
          AND issues.status = 'IGNORED' AND comment = 'Logs of a test'`,
      [tag],
    );
    expect(triaged).toEqual({ issues: 10, comments: 1 });
    expect(clicks).toBe(9);
  });

  it('three issues are found and triaged by the keyboard alone, in eight keys', async () => {
    const names = ['Third', 'Second', 'First'].map((place) => `${place} by keys ${tag}`);
    await insertIssues(scene.app, organizationId, names);
    const { keys, clicks } = await asWho(engineer, async (way) => {
      await way.press('Control+k');
      await way.page.getByRole('combobox', { name: texts.common.search }).fill(texts.screens.issues);
      await way.page
        .getByRole('option', { name: texts.screens.issues, exact: false, selected: true })
        .first()
        .waitFor();
      await way.press('Enter');
      await way.page.getByRole('row', { name: new RegExp(`First by keys ${tag}`) }).waitFor();
      for (const key of ['ArrowDown', '2', 'ArrowDown', 'Space', 'Shift+ArrowDown', 'f']) await way.press(key);
      const wrong = texts.names['false_positive'] ?? 'false positive';
      await way.reads(texts.issues.changedSo(2, texts.issues.now(wrong), ''));
    });
    const triaged = await row(
      "SELECT array_agg(severity || ' ' || status ORDER BY id DESC) AS are FROM issues WHERE name = ANY($1)",
      [names],
    );
    expect(triaged).toEqual({ are: ['HIGH OPEN', 'CRITICAL FALSE_POSITIVE', 'CRITICAL FALSE_POSITIVE'] });
    expect({ keys, clicks }).toEqual({ keys: 8, clicks: 0 });
  });

  it('a workflow is set up with its credentials in view, and a delivery that its receiver refused is sent again', async () => {
    receiver.answerWith(503, 503);
    const heard = receiver.received.length;
    const name = `To the log keepers ${tag}`;
    const { clicks } = await asWho(engineer, async (way) => {
      const { page } = way;
      await way.open(texts.screens.workflows, texts);
      await way.click(page.getByRole('link', { name: texts.common.create, exact: true }));
      await page.getByRole('region', { name: texts.common.name }).getByLabel(texts.common.name).fill(name);
      const trigger = page.getByRole('region', { name: texts.workflows.trigger });
      await way.choose(trigger.getByLabel(texts.common.when), 'MANUAL');
      const conditions = page.getByRole('region', { name: texts.workflows.conditions });
      await way.click(conditions.getByText(texts.common.severity, { exact: true }));
      await way.click(conditions.getByLabel(named('critical')));
      const actions = page.getByRole('region', { name: texts.workflows.actions });
      const exported = actions.getByRole('group', { name: texts.workflows.export, exact: true });
      await exported.getByLabel(texts.workflows.url).fill(receiver.url);
      await way.button(texts.workflows.generate, exported);
      const preview = page.getByRole('complementary', { name: texts.workflows.preview2 });
      const matches = texts.workflows.matchesNow2('#').replace(/#.*/, '');
      await preview.getByText(new RegExp(`^${matches}[\\d,.]+ `)).waitFor();
      const credentials = preview.getByRole('list', { name: texts.workflows.credentials });
      await credentials.getByRole('listitem').first().waitFor();
      await way.button(texts.common.create);
      await way.reads(texts.workflows.isSaved(name));
      await way.open(texts.screens.workflows, texts);
      const listed = page.getByRole('row', { name: new RegExp(name) });
      await way.button(texts.workflows.runNow, listed);
      await way.reads(texts.workflows.runsItsDeliveriesShowWhat(name));
      await way.click(listed.getByRole('link').nth(1));
      const deliveries = page.getByRole('grid', { name: texts.common.deliveries });
      await way.click(deliveries.getByRole('row', { name: named('exhausted') }));
      const delivery = page.getByRole('dialog', { name: texts.deliveries.delivery });
      await delivery.getByText(texts.deliveries.status(503)).nth(1).waitFor();
      await way.button(texts.deliveries.replay, delivery);
      await delivery.getByText(texts.deliveries.theDeliveryIsOnIts).waitFor();
      await delivery.getByText(named('delivered')).first().waitFor();
      await delivery.getByText(texts.deliveries.status(200)).waitFor();
    });
    const received = await receiver.has(heard + 3);
    const [refused, again] = [received[heard + 1]?.bytes, received[heard + 2]?.bytes];
    expect(again?.equals(refused ?? Buffer.alloc(0))).toBe(true);
    expect(await row('SELECT status FROM webhook_deliveries ORDER BY created_at DESC LIMIT 1')).toEqual({
      status: 'DELIVERED',
    });
    expect(clicks).toBe(12);
  });

  it('two-factor login is turned on, and the next logins take a code and a recovery code', async () => {
    const owner = await signUp(scene.app);
    const { clicks } = await asWho(owner, async (way) => {
      const { page } = way;
      await way.open(texts.screens.account, texts);
      const part = page.getByRole('region', { name: texts.account.twoFactor });
      await way.button(texts.account.setUp, part);
      await part.getByRole('img', { name: texts.account.qrCodeOfTheKey }).waitFor();
      const secret = await part.locator('code').innerText();
      await part.getByLabel(texts.common.code).fill(codeOf(secret));
      await way.button(texts.account.turnOn, part);
      const codes = part.getByRole('list', { name: texts.account.recoveryCodes }).getByRole('listitem');
      await codes.first().waitFor();
      const recoveryCode = await codes.first().innerText();
      const signInWith = async (code: string) => {
        await way.button(texts.common.signOut, page.getByRole('banner'));
        await page.getByRole('heading', { name: texts.account.signIn }).waitFor();
        await page.getByLabel(texts.common.username).fill(owner.username);
        await page.getByLabel(texts.account.password).fill(owner.password);
        await way.button(texts.account.signIn);
        await page.getByLabel(texts.common.code).fill(code);
        await way.button(texts.account.confirm);
        await page.getByRole('navigation', { name: texts.frame.screens }).waitFor();
      };
      await signInWith(codeOf(secret));
      await signInWith(recoveryCode);
    });
    const left = await row('SELECT count(*)::int AS count FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL', [
      owner.id,
    ]);
    expect(left).toEqual({ count: 9 });
    expect(clicks).toBe(9);
  });
});

describe('In an account', () => {
  it('a session that ends in the middle of a form is replaced in place, and the form continues unchanged', async () => {
    const clerk = await signUpAdmin(scene.app);
    const page = await scene.open(clerk, 'shop/products');
    const way = new Way(page);
    await way.button('New product');
    const form = page.getByRole('dialog', { name: 'New product' });
    await form.getByLabel('Name').fill('Half a stool');
    await form.getByLabel('Price').fill('12.5');
    await scene.app.api.delete('/api/v1/users/me/sessions', { token: clerk.token });
    await form.getByLabel('Stock').fill('7');
    await way.button('Add to the catalog', form);
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByLabel('Password').fill('not the password');
    await way.button('Sign in', login);
    await login.getByRole('alert').waitFor();
    await login.getByLabel('Password').fill(clerk.password);
    await way.button('Sign in', login);
    await way.reads('Half a stool is in the catalog');
    await form.waitFor({ state: 'detached' });
    await page.context().close();
    const made = await row("SELECT name, price::float AS price, stock FROM products WHERE name = 'Half a stool'");
    expect(made).toEqual({ name: 'Half a stool', price: 12.5, stock: 7 });
  });
});

describe('What two admins of an organization edit at once', () => {
  it('is never overwritten unseen: a name and a workflow are shown in both versions', async () => {
    const other = await signUp(scene.app);
    await insertMembership(scene.app, organizationId, other.id, 'admin');
    const [mine, theirs] = [new Way(await scene.signIn(engineer)), new Way(await scene.signIn(other))];
    const question = mine.page.getByRole('dialog', { name: /was changed meanwhile$/ });
    const both = async () =>
      (await question.locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    const nameOf = ({ page }: Way) => page.getByRole('main').getByRole('textbox', { name: 'Name', exact: true });

    for (const way of [mine, theirs]) await goTo(way.page, 'scanning/organization/general');
    await nameOf(mine).fill('Ours, mine');
    await nameOf(theirs).fill('Ours, theirs');
    await theirs.button('Save');
    await theirs.reads('The name is saved');
    await mine.button('Save');
    await question.waitFor();
    expect(await both()).toEqual(['Name Ours, mine Ours, theirs']);
    await mine.button('Keep mine', question);
    await mine.reads('The name is saved');
    expect(await row('SELECT name FROM organizations WHERE id = $1', [organizationId])).toEqual({ name: 'Ours, mine' });

    const workflow = await row<{ id: string }>('SELECT id FROM workflows ORDER BY id LIMIT 1');
    const address = `scanning/workflows/${workflow?.id}`;
    for (const way of [mine, theirs]) await goTo(way.page, address);
    await nameOf(mine).fill('Sends, mine');
    await nameOf(theirs).fill('Sends, theirs');
    await theirs.button('Save');
    await theirs.reads('Sends, theirs is saved');
    await mine.button('Save');
    await question.waitFor();
    expect(await both()).toEqual(['Name Sends, mine Sends, theirs']);
    await mine.button('Take theirs', question);
    await mine.reads('Sends, theirs is as they left it');
    expect(await nameOf(mine).inputValue()).toBe('Sends, theirs');
    expect(await row('SELECT name FROM workflows WHERE id = $1', [workflow?.id])).toEqual({ name: 'Sends, theirs' });
    for (const way of [mine, theirs]) await way.page.context().close();
  });
});
