import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OrderMoneyService } from '../../../src/store/orders/order-money.service.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { MoneyCalls, type PaidGoods, pendingOrder } from '../../support/payments.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let money: MoneyCalls;
beforeAll(async () => {
  app = await startTestApp();
  money = new MoneyCalls(app, await insertAdmin(app));
});
afterAll(() => app.close());

/** An order that was placed so many minutes ago. */
async function orderOf(minutes: number, goods?: PaidGoods): Promise<number> {
  const { order } = await pendingOrder(app, await insertUser(app), goods);
  const age = `UPDATE orders SET created_at = date_trunc('minute', now()) - $2 * interval '1 minute' WHERE id = $1`;
  await app.database.rows(age, [order.id, minutes]);
  return order.id;
}

it('Unpaid orders are those of which no money is held, the oldest first, each once', async () => {
  const unpaid = [await orderOf(50), await orderOf(40), await orderOf(40)];
  await orderOf(20);
  await orderOf(60, { price: 0 });
  await money.setStatus(await orderOf(60), 'processing');
  await money.record(await orderOf(60), { amount: 1 });
  const paidBack = await orderOf(45);
  await money.record(paidBack, { amount: 5 });
  await money.refund(paidBack, { amount: 5 });
  const [first, ...rest] = unpaid;
  const expected = [first, paidBack, ...rest];
  const service = app.nest.get(OrderMoneyService, { strict: false });
  const all = await service.unpaid(30, null);
  expect(all.map(({ id }) => id)).toEqual(expected);
  for (const [at, order] of all.entries()) {
    expect((await service.unpaid(30, order)).map(({ id }) => id)).toEqual(expected.slice(at + 1));
  }
});
