import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, insertUser, signUp } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../support/goods.js';
import { insertMembership } from '../support/organizations.js';
import { admin, type ConsoleScene, goTo, startConsoleScene } from './console-scene.js';
import { Way } from './way.js';

let scene: ConsoleScene;
let organizationId = '';
/** An admin of the organization, not of the shop. */
let engineer: Account;

beforeAll(async () => {
  scene = await startConsoleScene();
  const [organization] = await scene.shop.database.rows<{ id: string }>('SELECT id FROM organizations');
  organizationId = organization?.id ?? '';
  engineer = await signUp(scene.shop);
  await insertMembership(scene.shop, organizationId, engineer.id, 'admin');
});

afterAll(async () => {
  await scene?.close();
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
  scene.shop.database.rows<Row>(sql, values).then(([first]) => first);

describe('In the shop', () => {
  it('an order that a shopper placed is shipped, with its packing slip, in three clicks', async () => {
    const buyer = await insertUser(scene.shop, { username: 'ways.buyer' });
    await fillCart(scene.shop, buyer, [await insertProduct(scene.shop, { name: 'Birch stool' })], 2);
    const { body: order } = await checkout(scene.shop.api, buyer);
    const clicks = await asWho(admin, async (way) => {
      await way.click(way.page.getByRole('link', { name: String(order.id), exact: true }));
      await way.reads('Birch stool');
      await way.reads('12 St James Square');
      await way.choose(way.page.getByRole('dialog').getByLabel('New status'), 'shipped');
      await way.button('Change status', way.page.getByRole('dialog'));
      await way.reads(`Order ${order.id} is shipped`);
    });
    expect(await row('SELECT status FROM orders WHERE id = $1', [order.id])).toEqual({ status: 'shipped' });
    expect(clicks).toBe(3);
  });

  it('a coupon is ended in three clicks, and no checkout takes it any more', async () => {
    await insertCoupon(scene.shop, 'WAYS-END');
    const clicks = await asWho(admin, async (way) => {
      await way.open('Coupons');
      await way.button('End WAYS-END');
      await way.confirm('End');
      await way.reads('WAYS-END is ended');
    });
    const buyer = await insertUser(scene.shop);
    await fillCart(scene.shop, buyer, [await insertProduct(scene.shop)]);
    const { status, body } = await checkout(scene.shop.api, buyer, { coupon: 'WAYS-END' });
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'coupon_unusable' })]);
    expect(clicks).toBe(3);
  });
});

describe('In the organization', () => {
  it('somebody is invited, accepts, and leaves', async () => {
    const guest = await signUp(scene.shop);
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
