import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminOrder, Order } from '@store-service/sdk';
import { insertAdmin, type InsertedUser, insertUser } from '../support/accounts.js';
import { checkout, placeOrder } from '../support/checkout.js';
import { runClient } from '../support/client-run.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let buyer: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  buyer = await insertUser(app, { username: 'client.buyer' });
});
afterAll(() => app.close());

const run = (line: string, token = admin.token) =>
  runClient(['shop', 'orders', ...line.split(' ')], { url: app.baseUrl, env: { STORE_SHOP_KEY: token } });
const print = async <T>(line: string): Promise<T> => JSON.parse((await run(`${line} -o json`)).stdout) as T;

async function order(place: typeof checkout | typeof placeOrder = checkout): Promise<{ id: number }> {
  await fillCart(app, buyer, [await insertProduct(app, { name: 'Linen apron' })]);
  return (await place(app.api, buyer)).body;
}

describe('store shop orders', () => {
  it('lists orders by words, queue and status, page by page', async () => {
    const [one, two] = [await order(), await order()];
    const ids = async (line: string) => (await print<AdminOrder[]>(line)).map(({ id }) => id);
    expect(await ids('list --search apron')).toEqual([two.id, one.id]);
    expect(await ids('list --queue unpaid --limit 1')).toEqual([two.id]);
    expect(await ids('list --status paid,shipped')).toEqual([]);
    const { stdout, stderr, code } = await run('list -s client --limit 1');
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^ORDER .*SHIP TO\\n${two.id} .*pending .*client\\.buyer .*Ada Lovelace\\n$`)),
      expect.stringContaining('1 of 2 shown'),
    ]);
  });

  it('ships one with its tracking, and only with --confirm where a person would stop', async () => {
    const sent = await order();
    const shipped = await print<Order>(`ship ${sent.id} --carrier DHL --number 0034 --url https://dhl.example/0034`);
    expect(shipped).toMatchObject({
      id: sent.id,
      status: 'shipped',
      carrier: 'DHL',
      tracking_number: '0034',
      tracking_url: 'https://dhl.example/0034',
    });
    const lost = await order(placeOrder);
    expect(await run(`ship ${lost.id}`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('it has no address to go to'),
    });
    const { code, stdout } = await run(`ship ${lost.id} --confirm`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/STATUS +shipped/)]);
  });

  it('says what is wrong with its key', async () => {
    expect(await runClient(['shop', 'orders', 'list'], { url: app.baseUrl })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Set STORE_SHOP_KEY'),
    });
    expect(await run('list', 'nonsense')).toMatchObject({ code: 3, stderr: expect.stringContaining('STORE_SHOP_KEY') });
    expect(await run('list', buyer.token)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('STORE_SHOP_KEY'),
    });
    expect(await run('ship 2147483647')).toMatchObject({ code: 4 });
  });
});
