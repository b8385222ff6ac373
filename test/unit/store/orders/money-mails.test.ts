import { expect, it } from '@jest/globals';
import type { MailWriters } from '../../../../src/platform/mail/mail-writers.js';
import type { MailLinks } from '../../../../src/platform/mail/mail-links.js';
import { MoneyMails } from '../../../../src/store/orders/money-mails.js';
import type { OrdersRepository } from '../../../../src/store/orders/orders.repository.js';
import type { ShopService } from '../../../../src/store/shop/shop.service.js';

type Write = (about: string) => Promise<{ blocks: unknown[] } | null>;

/** A mail about an order's money, as worded while the order is in a state. */
async function mailOf(
  kind: string,
  about: string,
  state: { status?: string; paid_total?: number; refunded_total?: number },
) {
  const writers = new Map<string, Write>();
  const order = { id: 7, user_id: 'u', paid_total: 110.62, ...state };
  const mails = new MoneyMails(
    {
      forMail: () => Promise.resolve({ order, username: 'ada', email: 'ada@example.com' }),
    } as unknown as OrdersRepository,
    { add: (name: string, write: Write) => writers.set(name, write) } as unknown as MailWriters,
    { current: () => Promise.resolve({ name: 'Shop', currency: 'USD', locale: 'en-US' }) } as unknown as ShopService,
    { order: () => null } as unknown as MailLinks,
  );
  mails.onModuleInit();
  return JSON.stringify((await writers.get(kind)?.(about))?.blocks);
}

const paidMail = (about: string, status: string, paid_total = 110.62) =>
  mailOf('order-paid', about, { status, paid_total });

it('The mail about a payment says the same whenever it is sent: what was the case when the payment arrived', async () => {
  const inTime = await paidMail('7 pending', 'paid');
  expect(inTime).toContain('You get another mail when it is shipped.');
  expect(await paidMail('7 pending', 'refunded')).toBe(inTime);
  expect(await paidMail('7 pending 110.62', 'refunded', 200)).toBe(inTime);
  expect(await paidMail('7 cancelled', 'cancelled')).toContain('it was cancelled before your payment arrived');
  // As an admin sends it once more, and nodes of the release before queue it.
  expect(await paidMail('7', 'paid')).toBe(inTime);
  expect(await paidMail('7', 'refunded')).not.toMatch(/shipped|before your payment/);
});

it('The mail about a refund says the same whenever it is sent: what had gone back by then', async () => {
  const refundMail = (about: string, refunded_total: number) => mailOf('order-refunded', about, { refunded_total });
  const inTime = await refundMail('7 5 15', 15);
  expect(inTime).toMatch(/\$5\.00.*\$15\.00/);
  expect(await refundMail('7 5 15', 110.62)).toBe(inTime);
  // As nodes of the release before queue it, and an admin sends it once more.
  expect(await refundMail('7 5', 15)).toBe(inTime);
  expect(await refundMail('7', 15)).toMatch(/\$15\.00.*\$15\.00/);
});
