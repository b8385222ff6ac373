import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, insertUser, signUp, signUpAdmin } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../support/goods.js';
import { codeOf } from '../support/one-time-codes.js';
import { insertMembership } from '../support/organizations.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { Way } from './way.js';
import { insertIssues, report } from './ways-data.js';

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

async function asWho(
  account: { username: string; password: string },
  work: (way: Way) => Promise<void>,
): Promise<number> {
  const page = await scene.signIn(account);
  const way = new Way(page);
  await work(way);
  await page.context().close();
  return way.clicks;
}

const row = <Row extends Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  scene.app.database.rows<Row>(sql, values).then(([first]) => first);

describe('In the shop', () => {
  it("a shopper's order is shipped, with its packing slip, in three clicks", async () => {
    const buyer = await insertUser(scene.app, { username: 'ways.buyer' });
    await fillCart(scene.app, buyer, [await insertProduct(scene.app, { name: 'Birch stool' })], 2);
    const { body: order } = await checkout(scene.app.api, buyer);
    const clicks = await asWho(admin, async (way) => {
      await way.click(way.page.getByRole('link', { name: String(order.id), exact: true }));
      await way.reads('Birch stool');
      await way.reads('12 St James Square');
      await way.button('Ship');
      await way.button(`Ship order ${order.id}`, way.page.getByRole('dialog'));
      await way.reads(`Order ${order.id} is shipped`);
    });
    expect(await row('SELECT status FROM orders WHERE id = $1', [order.id])).toEqual({ status: 'shipped' });
    expect(clicks).toBe(3);
  });

  it('a coupon is ended in two clicks, and no checkout accepts it any more', async () => {
    await insertCoupon(scene.app, 'WAYS-END');
    const clicks = await asWho(admin, async (way) => {
      await way.open('Coupons');
      await way.button('End WAYS-END');
      await way.reads('WAYS-END is ended');
    });
    const buyer = await insertUser(scene.app);
    await fillCart(scene.app, buyer, [await insertProduct(scene.app)]);
    const { status, body } = await checkout(scene.app.api, buyer, { coupon: 'WAYS-END' });
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'coupon_unusable' })]);
    expect(clicks).toBe(2);
  });
});

describe('In the organization', () => {
  it('somebody is invited, accepts, and leaves', async () => {
    const guest = await signUp(scene.app);
    const inviting = await asWho(engineer, async (way) => {
      await goTo(way.page, 'scanning/organization/members');
      await way.button('Invite');
      await way.page.getByLabel('Username or e-mail').fill(guest.username);
      await way.confirm('Invite');
      await way.reads(`${guest.username} is invited`);
    });
    const accepting = await asWho(guest, async (way) => {
      await way.open('Account');
      await way.button('Accept');
      await way.reads(/^You belong to/);
      await way.open('Organization');
      await way.click(way.page.getByRole('link', { name: 'Members' }));
      await way.button('Leave');
      await way.confirm('Leave');
      await way.reads(/^You have left/);
    });
    const members = await row('SELECT count(*)::int AS count FROM organization_members WHERE user_id = $1', [guest.id]);
    expect(members).toEqual({ count: 0 });
    expect([inviting, accepting]).toEqual([2, 6]);
  });
});

describe('From a report to its receiver', () => {
  it('a report is imported after a preview of its changes, and its ten issues are triaged with one comment', async () => {
    await scene.app.database.rows("DELETE FROM issues WHERE context LIKE 'A token is written%'");
    const clicks = await asWho(engineer, async (way) => {
      const { page } = way;
      await way.open('Scans');
      await way.button('Import report');
      const choosing = page.waitForEvent('filechooser');
      await way.click(page.getByText('Drop reports here, or choose some'));
      await (await choosing).setFiles({ name: 'ways.sarif', mimeType: 'application/json', buffer: report });
      await way.button('Show what would change');
      await page.getByRole('region', { name: 'What would change' }).getByText('10 findings').waitFor();
      expect(await row("SELECT count(*)::int AS count FROM issues WHERE context LIKE 'A token is written%'")).toEqual({
        count: 0,
      });
      await way.button('Import');
      await way.reads('Imported: 10 new issues, 0 known');
      await way.click(page.getByRole('region', { name: 'Issues of the scan' }).getByRole('link', { name: 'All' }));
      await page.getByRole('grid', { name: 'Issues' }).getByRole('row').nth(10).waitFor();
      await way.click(page.getByLabel('Select all'));
      const bar = page.getByRole('form', { name: 'Change the selected issues' });
      await way.choose(bar.getByLabel('New status'), 'IGNORED');
      await bar.getByLabel('Comment').fill('Logs of a test');
      await way.button('Change', bar);
      await way.reads('10 issues now ignored');
    });
    const triaged = await row(
      `SELECT count(DISTINCT issues.id)::int AS issues, count(DISTINCT comment)::int AS comments
         FROM issues JOIN issue_activities ON issue_id = issues.id
        WHERE context LIKE 'A token is written%' AND status = 'IGNORED' AND comment = 'Logs of a test'`,
    );
    expect(triaged).toEqual({ issues: 10, comments: 1 });
    expect(clicks).toBe(9);
  });

  it('three issues are found and triaged by the keyboard alone, in eight keys', async () => {
    await scene.app.database.rows("DELETE FROM issues WHERE name LIKE '% by keys'");
    await insertIssues(scene.app, organizationId, ['Third by keys', 'Second by keys', 'First by keys']);
    let keys = 0;
    const clicks = await asWho(engineer, async (way) => {
      await way.press('Control+k');
      await way.page.getByRole('combobox', { name: 'Search' }).fill('issues');
      await way.page.getByRole('option', { name: 'Issues', selected: true }).waitFor();
      await way.press('Enter');
      await way.page.getByRole('row', { name: /First by keys/ }).waitFor();
      for (const key of ['ArrowDown', '1', 'ArrowDown', 'Space', 'Shift+ArrowDown', 'f']) await way.press(key);
      await way.reads('2 issues now false positive');
      ({ keys } = way);
    });
    const triaged = await row(`SELECT array_agg(severity || ' ' || status ORDER BY id DESC) AS are FROM issues
                                WHERE name LIKE '% by keys'`);
    expect(triaged).toEqual({ are: ['CRITICAL OPEN', 'HIGH FALSE_POSITIVE', 'HIGH FALSE_POSITIVE'] });
    expect({ keys, clicks }).toEqual({ keys: 8, clicks: 0 });
  });

  it('a workflow is set up with its credentials in view, and a delivery that its receiver refused is sent again', async () => {
    await scene.app.database.rows("DELETE FROM workflows WHERE name = 'To the log keepers'");
    receiver.answerWith(503, 503);
    const clicks = await asWho(engineer, async (way) => {
      const { page } = way;
      await way.open('Workflows');
      await way.click(page.getByRole('link', { name: 'Create', exact: true }));
      await page.getByRole('region', { name: 'Name' }).getByLabel('Name').fill('To the log keepers');
      await way.choose(page.getByRole('region', { name: 'Trigger' }).getByLabel('When'), 'MANUAL');
      const conditions = page.getByRole('region', { name: 'Conditions' });
      await way.click(conditions.getByText('Severity', { exact: true }));
      await way.click(conditions.getByLabel('Critical'));
      const exported = page.getByRole('region', { name: 'Actions' }).getByRole('group', { name: 'Export' });
      await exported.getByLabel('URL').fill(receiver.url);
      await way.button('Generate', exported);
      const preview = page.getByRole('complementary', { name: 'Preview' });
      await preview.getByText(/^Matches now: [\d,]+ issues?/).waitFor();
      await preview.getByRole('list', { name: 'Credentials' }).getByRole('listitem').first().waitFor();
      await way.button('Create');
      await way.reads('To the log keepers is saved');
      await way.open('Workflows');
      const listed = page.getByRole('row', { name: /To the log keepers/ });
      await way.button('Run now', listed);
      await way.reads(/^To the log keepers runs/);
      await way.click(listed.getByRole('link').nth(1));
      await way.click(page.getByRole('grid', { name: 'Deliveries' }).getByRole('row', { name: /Exhausted/ }));
      const delivery = page.getByRole('dialog', { name: 'Delivery' });
      await delivery.getByText('Status 503').nth(1).waitFor();
      await way.button('Replay', delivery);
      await delivery.getByText('The delivery is on its way again').waitFor();
      await delivery.getByText('Delivered').waitFor();
      await delivery.getByText('Status 200').waitFor();
    });
    const received = await receiver.has(3);
    const [refused, again] = [received[1]?.bytes, received[2]?.bytes];
    expect(again?.equals(refused ?? Buffer.alloc(0))).toBe(true);
    expect(await row('SELECT status FROM webhook_deliveries ORDER BY created_at DESC LIMIT 1')).toEqual({
      status: 'DELIVERED',
    });
    expect(clicks).toBe(12);
  });
});

describe('In an account', () => {
  it('two-factor login is turned on, and the next logins take a code and a recovery code', async () => {
    const owner = await signUp(scene.app);
    const clicks = await asWho(owner, async (way) => {
      const { page } = way;
      await way.open('Account');
      const part = page.getByRole('region', { name: 'Two-factor' });
      await way.button('Set up', part);
      await part.getByRole('img', { name: 'QR code of the key' }).waitFor();
      const secret = await part.locator('code').innerText();
      await part.getByLabel('Code').fill(codeOf(secret));
      await way.button('Turn on', part);
      const codes = part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      const recoveryCode = await codes.first().innerText();
      const signInWith = async (code: string) => {
        await way.button('Sign out', page.getByRole('banner'));
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await page.getByLabel('Username').fill(owner.username);
        await page.getByLabel('Password').fill(owner.password);
        await way.button('Sign in');
        await page.getByLabel('Code').fill(code);
        await way.button('Confirm');
        await page.getByRole('navigation', { name: 'Screens' }).waitFor();
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

  it('a session that ends in the middle of a form is replaced in place, and the form continues unchanged', async () => {
    const clerk = await signUpAdmin(scene.app);
    await asWho(clerk, async (way) => {
      const { page } = way;
      await way.open('Products');
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
    });
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
