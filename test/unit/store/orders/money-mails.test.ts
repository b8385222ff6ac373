import { expect, it } from '@jest/globals';
import type { MailWriters } from '../../../../src/platform/mail/mail-writers.js';
import type { MailLinks } from '../../../../src/platform/mail/mail-links.js';
import { MoneyMails } from '../../../../src/store/orders/money-mails.js';
import type { OrdersRepository } from '../../../../src/store/orders/orders.repository.js';
import type { ShopService } from '../../../../src/store/shop/shop.service.js';

type Write = (about: string) => Promise<{ blocks: unknown[] } | null>;

/** The mail that a payment arrived, as worded while the order has a status. */
async function paidMail(about: string, status: string): Promise<string> {
  const writers = new Map<string, Write>();
  const order = { id: 7, user_id: 'u', status, paid_total: 110.62 };
  const mails = new MoneyMails(
    {
      forMail: () => Promise.resolve({ order, username: 'ada', email: 'ada@example.com' }),
    } as unknown as OrdersRepository,
    { add: (kind: string, write: Write) => writers.set(kind, write) } as unknown as MailWriters,
    { current: () => Promise.resolve({ name: 'Shop', currency: 'USD', locale: 'en-US' }) } as unknown as ShopService,
    { order: () => null } as unknown as MailLinks,
  );
  mails.onModuleInit();
  return JSON.stringify((await writers.get('order-paid')?.(about))?.blocks);
}

it('The mail about a payment says the same whenever it is sent: what was the case when the payment arrived', async () => {
  const inTime = await paidMail('7 pending', 'paid');
  expect(inTime).toContain('You get another mail when it is shipped.');
  expect(await paidMail('7 pending', 'refunded')).toBe(inTime);
  expect(await paidMail('7 cancelled', 'cancelled')).toContain('it was cancelled before your payment arrived');
  // As an admin sends it once more, and nodes of the release before queue it.
  expect(await paidMail('7', 'paid')).toBe(inTime);
  expect(await paidMail('7', 'refunded')).not.toMatch(/shipped|before your payment/);
});
