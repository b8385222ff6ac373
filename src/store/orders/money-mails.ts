import { Injectable, type OnModuleInit } from '@nestjs/common';
import { greeting } from '../../platform/mail/header-text.js';
import type { Mail } from '../../platform/mail/mail.js';
import type { MailKind } from '../../platform/mail/mail-kinds.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { MailWriters } from '../../platform/mail/mail-writers.js';
import { formatOf } from '../shop/shop-format.js';
import { ShopService } from '../shop/shop.service.js';
import { buttonOf, orderPage, type ToldOrder, type Words } from './order-mails.js';
import { moneyMails } from './order-mails.statements.js';
import { isFinal } from './order-status.js';
import { OrdersRepository } from './orders.repository.js';

/** Words the mails about an order's money. */
@Injectable()
export class MoneyMails implements OnModuleInit {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly writers: MailWriters,
    private readonly shop: ShopService,
    private readonly links: MailLinks,
  ) {}

  onModuleInit(): void {
    const { paid, refunded, paymentFailed } = moneyMails;
    this.writers.add(paid, (about) => this.about(about, paid, (...of) => this.paid(...of)));
    this.writers.add(refunded, (about) => this.about(about, refunded, (...of) => this.refunded(...of)));
    this.writers.add(paymentFailed, (about) => this.about(about, paymentFailed, (mailed) => this.failed(mailed)));
  }

  /** The mail about an order, whose number `about` begins with, and perhaps what was the case at that moment. */
  private async about<Kind extends MailKind>(
    about: string,
    kind: Kind,
    wordsOf: (mailed: ToldOrder, ...then: string[]) => Words<Kind> | null,
  ): Promise<Mail<Kind> | null> {
    const [id, ...then] = about.split(' ');
    const mailed = await this.repository.forMail(Number(id));
    if (!mailed) return null;
    const shop = await this.shop.current();
    const page = orderPage(this.links, mailed.order);
    const told = { ...mailed, shopName: shop.name, format: formatOf(shop), page };
    const words = wordsOf(told, ...then);
    if (!words) return null;
    const { order, username, email } = mailed;
    return { kind, account: order.user_id, to: { address: email, name: username }, ...words };
  }

  private paid(
    { order, username, shopName, page, format: { money } }: ToldOrder,
    statusThen?: string,
    paidThen?: string,
  ): Words<'order-paid'> {
    const { id, status, paid_total = 0 } = order;
    const paid = money(Number(paidThen ?? paid_total));
    const late = `it was ${statusThen} before your payment arrived. The shop will pay it back to you.`;
    const next = isFinal(statusThen ?? status) ? late : 'You get another mail when it is shipped.';
    return {
      values: { order: String(id), page, paid },
      subject: `Your order ${id} is paid`,
      blocks: [
        { text: greeting(username) },
        { text: `your payment for order ${id} at ${shopName} has arrived:` },
        { rows: [['Paid', paid]] },
        ...(statusThen === undefined && isFinal(status) ? [] : [{ text: next }]),
        ...buttonOf(page),
      ],
    };
  }

  private refunded(
    { order, username, shopName, page, format: { money } }: ToldOrder,
    amount?: string,
    refundedThen?: string,
  ): Words<'order-refunded'> {
    const { id, refunded_total = 0 } = order;
    const refund = money(Number(amount ?? refunded_total));
    const refunded = money(Number(refundedThen ?? refunded_total));
    return {
      values: { order: String(id), page, refund, refunded },
      subject: `A refund of your order ${id}`,
      blocks: [
        { text: greeting(username) },
        { text: `the shop ${shopName} pays back for your order ${id}:` },
        {
          rows: [
            ['Refund', refund],
            ['Refunded in all', refunded],
          ],
        },
        { text: 'It may take some days until it arrives, depending on how you paid.' },
        ...buttonOf(page),
      ],
    };
  }

  /** Null if the order was paid in another way meanwhile, or undone. */
  private failed({
    order,
    username,
    shopName,
    page,
    format: { money },
  }: ToldOrder): Words<'order-payment-failed'> | null {
    const { id, status, total_price } = order;
    if (status !== 'pending') return null;
    return {
      values: { order: String(id), page, total: money(total_price) },
      subject: `The payment of your order ${id} failed`,
      blocks: [
        { text: greeting(username) },
        { text: `your payment for order ${id} at ${shopName} did not go through:` },
        { rows: [['Total', money(total_price)]] },
        { text: 'Nothing was charged. Open the order in the shop to pay again.' },
        ...buttonOf(page),
      ],
    };
  }
}
