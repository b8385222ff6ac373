import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../support/accounts.js';
import { insertProduct, insertProducts } from '../support/goods.js';
import { makePicture } from '../support/pictures.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
/** An external web server. */
let elsewhere: Receiver;
let picture: Buffer;

beforeAll(async () => {
  elsewhere = await startReceiver();
  picture = await makePicture('png');
  scene = await startConsoleScene({ env: { EGRESS_ALLOW: '127.0.0.1' } });
  acts = new Acts(await scene.open(await insertAdmin(scene.app), 'shop'), scene.app);
});

afterAll(async () => {
  await scene?.close();
  await elsewhere?.close();
});

const money = (amount: number) => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount);
const count = (number: number) => new Intl.NumberFormat('en-US').format(number);
const paid = "('paid', 'processing', 'shipped', 'delivered', 'completed')";
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

describe('Dashboard', () => {
  it('begins with what is to do, as in the database, each of which leads to where it is done', async () => {
    const figures = await acts.row<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM orders WHERE status IN ('paid', 'processing')) AS ship,
              (SELECT count(*)::int FROM orders WHERE status = 'pending') AS pending,
              (SELECT count(*)::int FROM products WHERE deleted_at IS NULL AND stock <= 10) AS low,
              (SELECT count(*)::int FROM reviews WHERE created_at >= now() - interval '7 days') AS reviews,
              (SELECT count(*)::int FROM webhook_deliveries
                WHERE webhook_id IS NOT NULL AND status = 'EXHAUSTED' AND created_at >= now() - interval '7 days') AS failing`,
    );
    const { ship = 0, pending = 0, low = 0, reviews = 0, failing = 0 } = figures ?? {};
    const list = acts.page.getByRole('region', { name: 'To do' }).getByRole('link');
    await list.first().waitFor();
    const shown = await Promise.all(
      (await list.all()).map(async (one) => [plain(await one.innerText()), await one.getAttribute('href')]),
    );
    const some = (number: number) => (number > 0 ? count(number) : 'None');
    expect(shown).toEqual([
      [`To ship ${some(ship)}`, '/console/shop/orders?queue=to_ship'],
      [`Unpaid ${some(pending)}`, '/console/shop/orders?queue=unpaid'],
      [expect.stringMatching(/^Problems (None|\d+)$/), '/console/shop/orders?queue=problems'],
      [`Low stock ${some(low)}`, '/console/shop/products?low_stock=true'],
      [`New reviews ${some(reviews)} in 7 days`, '/console/shop/reviews'],
      [`Failing deliveries ${some(failing)}`, expect.stringMatching(/^\/console\/shop\/settings\/webhooks/)],
    ]);
  });

  it('shows orders by status, the newest orders and the best sellers as in the database', async () => {
    const itemsOf = async (name: string) => {
      const items = acts.page.getByRole('region', { name }).getByRole('listitem');
      await items.first().waitFor();
      return (await items.allInnerTexts()).map(plain);
    };
    const statuses = await acts.rows<{ status: string; orders: number }>(
      'SELECT status, count(*)::int AS orders FROM orders GROUP BY status ORDER BY orders DESC, status',
    );
    const wordOf = (status: string) =>
      status === 'cancelled' ? 'Canceled' : `${status[0]?.toUpperCase()}${status.slice(1)}`;
    const words = statuses.map(({ status, orders }) => `${wordOf(status)} ${count(orders)}`);
    expect(await itemsOf('Orders by status')).toEqual(words);
    const newest = await acts.rows<{ id: number; username: string }>(
      `SELECT o.id, username FROM orders o JOIN users u ON u.id = o.user_id ORDER BY o.created_at DESC, o.id DESC LIMIT 8`,
    );
    const shown = await itemsOf('Newest orders');
    expect(shown.map((text) => text.split(' ').slice(0, 2))).toEqual(newest.map((one) => [`${one.id}`, one.username]));
    const best = (days: number) =>
      acts.rows<{ name: string; quantity: number; revenue: number }>(
        `SELECT p.name, sum(i.quantity)::int AS quantity, sum(i.quantity * i.price)::float AS revenue
           FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id
          WHERE o.created_at >= now() - $1 * interval '1 day' AND o.status NOT IN ('cancelled', 'refunded')
          GROUP BY p.id ORDER BY quantity DESC, p.id LIMIT 8`,
        [days],
      );
    for (const days of [30, 7]) {
      await acts.press(`${days} days`);
      const expected = (await best(days)).map((one) => `${one.name} ${count(one.quantity)} ${money(one.revenue)}`);
      const list = acts.page.getByRole('region', { name: 'Best sellers' });
      await list
        .getByRole('listitem')
        .filter({ hasText: money((await best(days))[0]?.revenue ?? 0) })
        .waitFor();
      expect(await itemsOf('Best sellers')).toEqual(expected);
    }
  });

  it('sums revenue and orders of the chosen period, day by day', async () => {
    const [day] = await acts.rows<{ orders: number; revenue: number }>(
      `SELECT count(*)::int AS orders, coalesce(sum(total_price) FILTER (WHERE status IN ${paid}), 0)::float AS revenue
         FROM orders WHERE created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '6 days'`,
    );
    for (const [title, sum] of [
      ['Revenue', money(day?.revenue ?? 0)],
      ['Orders', count(day?.orders ?? 0)],
    ] as const) {
      const trend = acts.page.getByRole('region', { name: title, exact: true });
      await trend.getByText(sum, { exact: true }).first().waitFor();
      expect(await trend.getByRole('table').getByRole('row').count()).toBe(8);
    }
  });
});

describe('Products', () => {
  const drawer = (title: string) => acts.page.getByRole('dialog', { name: title, exact: true });
  const pictureOf = async (name: string) =>
    (await acts.row<{ image_url: string | null }>('SELECT image_url FROM products WHERE name = $1', [name]))?.image_url;

  let lanterns = 0;

  // What a test's first try made, where the test is tried once more.
  beforeEach(async () => {
    await acts.rows(
      `UPDATE products SET deleted_at = now(), name = 'Earlier ' || id, sku = NULL
        WHERE name LIKE 'Acts %' OR name LIKE 'Product %'`,
    );
  });

  it('finds by text, and by low stock, what is in the database', async () => {
    await insertProducts(scene.app, 3, 4);
    await acts.at('shop/products?search=Product');
    const found = "FROM products WHERE name LIKE 'Product %'";
    const names = await acts.rows<{ name: string }>(`SELECT name ${found}`);
    expect((await acts.column('Products', 1, 3)).sort()).toEqual(names.map(({ name }) => name).sort());
    await scene.app.database.rows(`UPDATE products SET stock = 11 WHERE id = (SELECT min(id) ${found})`);
    await acts.page.getByLabel('Low stock').check();
    await acts.column('Products', 1, 2);
    await acts.page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
    await acts.page.getByText('No product matches').waitFor();
    await acts.press('Show all products');
    await acts.listOf('Products').first().waitFor();
  });

  it('takes a new one with a picture file, and refuses in a sentence a file that is not a picture', async () => {
    await acts.at('shop/products');
    await acts.press('New product');
    const form = drawer('New product');
    await form.getByLabel('Name').fill('Acts lamp');
    await form.getByText('USD', { exact: true }).waitFor();
    await form.getByLabel('Price').fill('19.95');
    await form.getByLabel('Stock').fill('6');
    await form.getByLabel('Color').fill('amber');
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
    const chooser = form.getByLabel('Picture', { exact: true });
    expect(await acts.refused(() => chooser.setInputFiles(file('no.png', Buffer.from('plain text'))))).toMatch(
      /picture/i,
    );
    await chooser.setInputFiles(file('lamp.png', picture));
    await form.getByRole('button', { name: 'Remove picture 1' }).waitFor();
    await acts.press('Add to the catalog', form);
    await acts.said('Acts lamp is in the catalog');
    const made = "SELECT price::float AS price, stock, color, image_url FROM products WHERE name = 'Acts lamp'";
    expect(await acts.row(made)).toEqual({
      price: 19.95,
      stock: 6,
      color: 'amber',
      image_url: expect.stringMatching(/^\/.*\.png$/),
    });
  });

  it('replaces the picture with a dropped one, or with one from an address, and removes it', async () => {
    const id = await insertProduct(scene.app, { name: 'Acts clock' });
    const open = async () => {
      await acts.at(`shop/products?product=${id}`);
      const form = drawer('Acts clock');
      await form.getByLabel('Address of a picture').waitFor();
      return form;
    };
    const save = async () => {
      await acts.press('Save', drawer('Acts clock'));
      await acts.said('Acts clock is saved');
    };
    let form = await open();
    const data = await acts.page.evaluateHandle(
      `(() => {
         const data = new DataTransfer();
         const bytes = Uint8Array.from(atob('${picture.toString('base64')}'), (letter) => letter.charCodeAt(0));
         data.items.add(new File([bytes], 'clock.png', { type: 'image/png' }));
         return data;
       })()`,
    );
    await form.getByText('Drop pictures here').dispatchEvent('drop', { dataTransfer: data });
    await form.getByRole('button', { name: 'Remove picture 1' }).waitFor();
    await save();
    const dropped = await pictureOf('Acts clock');

    form = await open();
    elsewhere.answer = (response) => response.setHeader('content-type', 'text/html').end('<p>No picture</p>');
    await form.getByLabel('Address of a picture').fill(elsewhere.url);
    await acts.press('Take it from there', form);
    await form
      .getByRole('alert')
      .filter({ hasText: /picture/ })
      .waitFor();
    elsewhere.answer = (response) => response.setHeader('content-type', 'image/png').end(picture);
    await acts.press('Take it from there', form);
    await form.getByRole('alert').waitFor({ state: 'detached' });
    await acts.holds(form.getByLabel('Address of a picture'), '');
    await acts.press('Show picture 2 first', form);
    await save();
    const taken = await pictureOf('Acts clock');
    expect([dropped, taken]).toEqual([expect.stringMatching(/^\/.*png$/), expect.stringMatching(/^\/.*png$/)]);
    expect(taken).not.toBe(dropped);

    form = await open();
    await acts.press('Remove picture 2', form);
    await acts.press('Remove picture 1', form);
    await save();
    expect(await pictureOf('Acts clock')).toBeNull();
  });

  it('has a gallery, an address, categories, an article number, and stays a draft until it is published', async () => {
    const { token } = await insertAdmin(scene.app);
    const slug = `acts-lantern-${++lanterns}`;
    await scene.app.api.post('/api/v1/admin/categories', { token, json: { name: 'Acts lights' } });
    await acts.at('shop/products');
    await acts.press('New product');
    const form = drawer('New product');
    await form.getByLabel('Name', { exact: true }).fill('Acts lantern');
    await form.getByLabel('Price').fill('30');
    const other = await makePicture('png', 33, 22);
    await form.getByLabel('Picture', { exact: true }).setInputFiles([
      { name: 'front.png', mimeType: 'image/png', buffer: picture },
      { name: 'back.png', mimeType: 'image/png', buffer: other },
    ]);
    await form.getByLabel('Words for picture 2').pressSequentially('From the back');
    await form.getByRole('button', { name: 'Show picture 2 first' }).click();
    await acts.holds(form.getByLabel('Words for picture 1'), 'From the back');
    await form.getByLabel('Status').selectOption('Draft');
    await form.getByLabel('Article number').pressSequentially('AL-1');
    await form.getByLabel('Web address').pressSequentially(slug);
    await form.getByLabel('Acts lights').check();
    await acts.press('Add to the catalog', form);
    await acts.said('Acts lantern is in the catalog');
    const made = await acts.row<{ id: number }>(
      "SELECT id, sku, slug, status FROM products WHERE name = 'Acts lantern'",
    );
    const id = String(made?.id);
    expect(made).toMatchObject({ sku: 'AL-1', slug, status: 'draft' });
    expect((await scene.app.api.get(`/api/v1/products/${id}`)).status).toBe(404);

    await acts.at(`shop/products?product=${id}`);
    const edit = drawer('Acts lantern');
    await edit.getByLabel('Status').selectOption('Published');
    await acts.press('Save', edit);
    await acts.said('Acts lantern is saved');
    const { body } = await scene.app.api.get(`/api/v1/products/${id}`);
    expect(body).toMatchObject({
      categories: ['acts-lights'],
      images: [{ alt: 'From the back' }, { alt: null }],
      slug,
    });
  });

  it('becomes a variant of another one, and leaves it', async () => {
    const [one, other] = [
      await insertProduct(scene.app, { name: 'Acts kettle' }),
      await insertProduct(scene.app, { name: 'Acts kettle in blue' }),
    ];
    await scene.app.database.rows("UPDATE products SET color = 'red' WHERE id = $1", [one]);
    const groupOf = async (id: number) =>
      (await acts.row('SELECT group_id FROM products WHERE id = $1', [id]))?.['group_id'];
    await acts.at(`shop/products?product=${other}`);
    const form = drawer('Acts kettle in blue');
    await form.getByLabel('Find a product to be a variant of').pressSequentially('Acts kettle');
    await form.getByRole('button', { name: 'Acts kettle, red' }).click();
    await form.getByText('It becomes a variant of Acts kettle.').waitFor();
    await acts.press('Save', form);
    await acts.said('Acts kettle in blue is saved');
    expect(await groupOf(other)).toEqual(expect.any(String));
    expect(await groupOf(one)).toBe(await groupOf(other));

    await acts.at(`shop/products?product=${other}`);
    await form.getByRole('region', { name: 'Variants' }).getByRole('link', { name: 'red' }).waitFor();
    await acts.press('Take it out of the group', form);
    await acts.press('Save', form);
    await acts.said('Acts kettle in blue is saved');
    expect(await groupOf(other)).toBeNull();
  });

  it('says above the form why the service refuses it, and changes nothing', async () => {
    const id = await insertProduct(scene.app, { name: 'Acts vase' });
    await acts.at(`shop/products?product=${id}`);
    const form = drawer('Acts vase');
    await form.getByLabel('Name').fill('   ');
    const sentence = await acts.refused(() => acts.press('Save', form));
    await form.getByRole('alert').filter({ hasText: sentence }).waitFor();
    expect(await acts.row('SELECT name FROM products WHERE id = $1', [id])).toEqual({ name: 'Acts vase' });
    await acts.press('Cancel', form);
  });

  it('says why its picture is refused, for which there is no field', async () => {
    const id = await insertProduct(scene.app, { name: 'Acts bowl' });
    await acts.at(`shop/products?product=${id}`);
    const form = drawer('Acts bowl');
    await form.getByLabel('Name').fill('Acts dish');
    const detail = [{ type: 'value_error', loc: ['body', 'image_url'], msg: 'There is no such picture' }];
    await acts.page.route(`**/admin/products/${id}`, (route) => route.fulfill({ status: 422, json: { detail } }));
    await acts.refused(() => acts.press('Save', form));
    await form.getByRole('alert').filter({ hasText: 'image_url: There is no such picture' }).waitFor();
    await acts.page.unroute(`**/admin/products/${id}`);
    await acts.press('Save', form);
    await acts.said('Acts dish is saved');
  });

  it('deletes one after a confirmation, and says if it is already gone', async () => {
    const [id, other] = [
      await insertProduct(scene.app, { name: 'Acts chair' }),
      await insertProduct(scene.app, { name: 'Acts bench' }),
    ];
    await acts.at('shop/products?search=Acts+chair');
    const deleted = 'SELECT deleted_at IS NOT NULL AS gone FROM products WHERE id = $1';
    await acts.press('Delete Acts chair');
    await acts.answer('Delete Acts chair?', 'Keep');
    expect(await acts.row(deleted, [id])).toEqual({ gone: false });
    await acts.press('Delete Acts chair');
    await acts.answer('Delete Acts chair?', 'Delete');
    await acts.said('Acts chair is deleted');
    expect(await acts.row(deleted, [id])).toEqual({ gone: true });
    await acts.at('shop/products?search=Acts+bench');
    await acts.listOf('Products').first().waitFor();
    await scene.app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [other]);
    await acts.press('Delete Acts bench');
    expect(await acts.refused(() => acts.answer('Delete Acts bench?', 'Delete'))).toMatch(/not found/i);
    await acts.page.getByText('No product matches').waitFor();
    expect(acts.faults()).toEqual([]);
  });
});
