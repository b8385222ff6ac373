import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { de } from '../../packages/console/src/texts/de.js';
import { en } from '../../packages/console/src/texts/en.js';
import type { Texts } from '../../packages/console/src/texts/texts.js';
import { insertAdmin, insertUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { insertMembership } from '../support/organizations.js';
import { makePicture } from '../support/pictures.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { ScanningRows } from '../support/scanning-rows.js';
import { WorkflowCalls } from '../support/workflows.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';
import { Way } from './way.js';
import { reportOf } from './ways-data.js';

let scene: ConsoleScene;
let organizationId = '';
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  scene = await startConsoleScene({ jobs: true, env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.2' } });
  const [organization] = await scene.app.database.rows<{ id: string }>('SELECT id FROM organizations');
  organizationId = organization?.id ?? '';
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

/** The clicks of each part of a day. */
class Day extends Way {
  readonly taken: Record<string, number> = {};

  async part(name: string, work: () => Promise<void>): Promise<void> {
    const before = this.clicks;
    await work();
    this.taken[name] = this.clicks - before;
  }
}

let days = 0;

describe.each(languages)('In %s', (locale, texts) => {
  /** What a day makes has names of its own, also where it is lived again. */
  let tag = '';
  beforeEach(() => {
    tag = `${locale.slice(0, 2)}${++days}`;
  });

  async function beginAt(path: string) {
    const user = await insertAdmin(scene.app);
    await insertMembership(scene.app, organizationId, user.id, 'admin');
    const page = await scene.open(user, path, { locale });
    return { day: new Day(page), page, user };
  }

  it('a shop owner ships the orders of the night, refunds a piece, adds a product, a coupon and a colleague, and removes a bad review', async () => {
    const { day, page, user } = await beginAt('shop');
    const goods = await insertProduct(scene.app, { name: `Night lamp ${tag}`, price: 40 });
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c']) {
      const buyer = await insertUser(scene.app, { username: `night.${tag}.${name}` });
      await fillCart(scene.app, buyer, [goods], 2);
      const { body: order } = await checkout(scene.app.api, buyer);
      const json = { amount: order.total_price };
      await scene.app.api.post(`/api/v1/admin/orders/${order.id}/payments`, { token: user.token, json });
      ids.push(order.id);
    }
    const [first = 0] = ids;
    const colleague = await insertUser(scene.app);
    const critic = await insertUser(scene.app);
    const json = { rating: 1, title: `Bad ${tag}`, content: 'It says bad words.' };
    await scene.app.api.post(`/api/v1/reviews/product/${goods}`, { token: critic.token, json });
    await page.reload();

    await day.part('orders', async () => {
      const list = page.getByRole('region', { name: texts.dashboard.toDo, exact: true });
      await day.click(list.getByRole('link', { name: texts.dashboard.toShip }));
      for (const id of ids) {
        const one = page.getByRole('row', { name: new RegExp(`\\b${id}\\b`) });
        await day.click(one.getByRole('checkbox'));
      }
      await day.button(texts.orders.ship, page.getByRole('form', { name: texts.orders.changeTheSelectedOrders }));
      await day.confirm(texts.orders.ship2(3));
      await until(async () => {
        const shipped = "SELECT count(*)::int AS count FROM orders WHERE id = ANY($1) AND status = 'shipped'";
        return (await row<{ count: number }>(shipped, [ids]))?.count === 3;
      }, 'the orders shipped');
    });

    await day.part('refund', async () => {
      const tabs = page.getByRole('navigation', { name: texts.orders.ordersThatWait });
      await day.click(tabs.getByRole('link', { name: texts.common.all }));
      await day.click(page.getByRole('grid').getByRole('link', { name: String(first), exact: true }));
      await day.button(texts.orders.refund);
      const dialog = page.getByRole('dialog', { name: texts.orders.refundOrder(first) });
      await dialog.getByLabel(texts.orders.piecesOf(`Night lamp ${tag}`)).pressSequentially('1');
      await day.click(dialog.getByRole('button', { name: /40[.,]00/ }));
      await until(async () => {
        const refunded = 'SELECT refunded_total::float8 AS refunded FROM orders WHERE id = $1';
        return (await row<{ refunded: number }>(refunded, [first]))?.refunded === 40;
      }, 'the piece refunded');
    });

    await day.part('product', async () => {
      await day.open(texts.screens.products, texts);
      await day.button(texts.common.newProduct);
      const form = page.getByRole('dialog', { name: texts.common.newProduct });
      await form.getByLabel(texts.common.name, { exact: true }).pressSequentially(`Stool ${tag}`);
      await form
        .getByLabel(texts.products.price, { exact: true })
        .pressSequentially(locale === 'de-DE' ? '19,99' : '19.99');
      const choosing = page.waitForEvent('filechooser');
      await day.click(form.getByText(texts.products.dropPicturesHereOrChoose));
      const pictures = await Promise.all(
        (['png', 'webp'] as const).map(async (format) => ({
          name: `stool.${format}`,
          mimeType: `image/${format}`,
          buffer: await makePicture(format),
        })),
      );
      await (await choosing).setFiles(pictures);
      await form.getByLabel(texts.products.wordsForPicture(2)).waitFor();
      await day.button(texts.products.addToTheCatalogue, form);
      await day.reads(texts.products.isInTheCatalogue(`Stool ${tag}`));
      const made = `SELECT price::float8 AS price, (SELECT count(*)::int FROM product_images WHERE product_id = p.id) AS pictures
                      FROM products p WHERE name = $1`;
      expect(await row(made, [`Stool ${tag}`])).toEqual({ price: 19.99, pictures: 2 });
    });

    await day.part('coupon', async () => {
      await day.open(texts.screens.coupons, texts);
      await day.button(texts.common.newCoupon);
      const form = page.getByRole('dialog', { name: texts.common.newCoupon });
      await form.getByLabel(texts.common.code, { exact: true }).pressSequentially(`DAY-${tag}`);
      await day.button(texts.common.create, form);
      await day.reads(`DAY-${tag.toUpperCase()}`);
    });

    await day.part('colleague', async () => {
      await day.open(texts.screens.customers, texts);
      await day.button(texts.customers.addAColleague);
      const form = page.getByRole('dialog', { name: texts.customers.addAColleague });
      await form.getByLabel(texts.customers.usernameOrEMail).pressSequentially(colleague.username);
      await day.button(texts.customers.makeAnAdmin, form);
      await form.waitFor({ state: 'detached' });
      expect(await row('SELECT role FROM users WHERE id = $1', [colleague.id])).toEqual({ role: 'admin' });
    });

    await day.part('review', async () => {
      await day.open(texts.screens.reviews, texts);
      const bad = page.getByRole('row', { name: new RegExp(`Bad ${tag}`) });
      await day.button(texts.reviews.removeTheReviewOf(`Night lamp ${tag}`), bad);
      await day.confirm(texts.common.remove);
      await bad.waitFor({ state: 'detached' });
    });

    expect(day.taken).toEqual({ orders: 6, refund: 4, product: 4, coupon: 3, colleague: 3, review: 3 });
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('a security engineer imports two reports, gives a critical to somebody, tells Slack, replays a delivery and makes a key', async () => {
    const { day, page, user } = await beginAt('scanning');
    const things = new ScanningRows(scene.app, organizationId);
    await things.issue(await things.asset(), { name: `Critical of the day ${tag}`, severity: 'CRITICAL' });
    const calls = new WorkflowCalls(scene.app, { admin: user });
    const workflowName = `To the log keepers ${tag}`;
    const { id } = await calls.make(receiver.url, { name: workflowName });
    receiver.answerWith(503, 503);
    const heard = receiver.received.length;
    await calls.run(id);
    await receiver.has(heard + 2);

    await day.part('import', async () => {
      await day.open(texts.screens.scans, texts);
      await day.button(texts.common.importReport);
      const choosing = page.waitForEvent('filechooser');
      await day.click(page.getByText(texts.scans.dropAReportHereOr));
      const files = ['one', 'two'].map((name) => ({
        name: `${name}.sarif`,
        mimeType: 'application/json',
        buffer: reportOf(`${name}-${tag}`),
      }));
      await (await choosing).setFiles(files);
      await day.button(texts.scans.importAtOnce);
      await day.reads(texts.scans.imported(`${texts.scans.newIssues(20)}, ${texts.scans.known(0)}`));
      await page.waitForURL(/scanning\/scans(\?organization=|$)/);
    });

    await day.part('critical', async () => {
      await day.open(texts.screens.issues, texts);
      await day.click(page.getByRole('row', { name: new RegExp(`Critical of the day ${tag}`) }));
      const panel = page.getByRole('complementary', { name: texts.issues.issue });
      await day.button(texts.issues.assignAccept, panel);
      const dialog = page.getByRole('dialog').last();
      await day.choose(dialog.getByLabel(texts.issues.assignedTo), user.id);
      await dialog.getByLabel(texts.issues.due).fill('2030-01-31');
      await day.button(texts.issues.change, dialog);
      await dialog.waitFor({ state: 'detached' });
      const given = 'SELECT assignee_id AS who, due_at IS NOT NULL AS dated FROM issues WHERE name = $1';
      expect(await row(given, [`Critical of the day ${tag}`])).toEqual({ who: user.id, dated: true });
    });

    await day.part('slack', async () => {
      await day.open(texts.screens.workflows, texts);
      await day.click(page.getByRole('link', { name: texts.common.create, exact: true }));
      await page.getByRole('region', { name: texts.common.name }).getByLabel(texts.common.name).fill(`Slack ${tag}`);
      const actions = page.getByRole('region', { name: texts.workflows.actions });
      await day.choose(actions.getByLabel(texts.common.kind), 'SLACK');
      await actions.getByLabel(texts.workflows.url).fill(receiver.url);
      await day.button(texts.common.create);
      await day.reads(texts.workflows.isSaved(`Slack ${tag}`));
    });

    await day.part('delivery', async () => {
      await day.open(texts.screens.workflows, texts);
      const listed = page.getByRole('row', { name: new RegExp(workflowName) });
      await day.click(listed.getByRole('link', { name: '1', exact: true }));
      await day.click(page.getByRole('grid', { name: texts.common.deliveries }).locator('tbody tr').first());
      const delivery = page.getByRole('dialog', { name: texts.deliveries.delivery });
      await day.button(texts.deliveries.replay, delivery);
      await delivery.getByText(texts.deliveries.status(200)).waitFor();
      await day.press('Escape');
      await delivery.waitFor({ state: 'detached' });
    });

    await day.part('key', async () => {
      await day.open(texts.screens.organization, texts);
      await day.click(page.getByRole('link', { name: texts.organization.apiKeys, exact: true }));
      await day.button(texts.organization.newKey);
      const form = page.getByRole('dialog', { name: texts.organization.newKey });
      await form.getByLabel(texts.common.name, { exact: true }).pressSequentially(`Gate ${tag}`);
      await day.choose(form.getByLabel(texts.organization.role), 'importer');
      await day.button(texts.common.create, form);
      const made = page.getByRole('dialog', { name: texts.organization.theKeyIsMade });
      expect(await made.getByTestId('key').innerText()).toMatch(/^ssk_/);
      await day.button(texts.common.copy, made);
      await day.button(texts.organization.done, made);
      await made.waitFor({ state: 'detached' });
    });

    expect(day.taken).toEqual({ import: 4, critical: 5, slack: 4, delivery: 4, key: 7 });
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});
