import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { greeting } from '../../platform/mail/header-text.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailWriters } from '../../platform/mail/mail-writers.js';
import { money } from './order-mails.js';
import { moneyMails } from './order-mails.statements.js';
import { isFinal } from './order-status.js';
import { type MailedOrder, OrdersRepository } from './orders.repository.js';

type Words = Pick<Mail, 'subject' | 'blocks'>;

/** Words the mails about an order's money. */
@Injectable()
export class MoneyMails implements OnModuleInit {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly writers: MailWriters,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const { paid, refunded, paymentFailed } = moneyMails;
    this.writers.add(paid, (about) => this.about(about, paid, (mailed) => this.paid(mailed)));
    this.writers.add(refunded, (about) => this.about(about, refunded, (...of) => this.refunded(...of)));
    this.writers.add(paymentFailed, (about) => this.about(about, paymentFailed, (mailed) => this.failed(mailed)));
  }

  /** The mail about an order, whose number `about` begins with, and perhaps an amount. */
  private async about(
    about: string,
    kind: string,
    wordsOf: (mailed: MailedOrder, amount: number | null) => Words | null,
  ): Promise<Mail | null> {
    const [id, amount] = about.split(' ');
    const mailed = await this.repository.forMail(Number(id));
    const words = mailed && wordsOf(mailed, amount === undefined ? null : Number(amount));
    if (!mailed || !words) return null;
    const { order, username, email } = mailed;
    return { kind, account: order.user_id, to: { address: email, name: username }, ...words };
  }

  private paid({ order, username }: MailedOrder): Words {
    const { id, status, paid_total = 0 } = order;
    const late = `it was ${status} before your payment arrived. The shop will pay it back to you.`;
    return {
      subject: `Your order ${id} is paid`,
      blocks: [
        { text: greeting(username) },
        { text: `your payment for order ${id} at ${this.settings.mail.shopName} has arrived:` },
        { rows: [['Paid', money(paid_total)]] },
        { text: isFinal(status) ? late : 'You get another mail when it is shipped.' },
      ],
    };
  }

  private refunded({ order, username }: MailedOrder, amount: number | null): Words {
    const { id, refunded_total = 0 } = order;
    return {
      subject: `A refund of your order ${id}`,
      blocks: [
        { text: greeting(username) },
        { text: `the shop ${this.settings.mail.shopName} pays back for your order ${id}:` },
        {
          rows: [
            ['Refund', money(amount ?? refunded_total)],
            ['Refunded in all', money(refunded_total)],
          ],
        },
        { text: 'It may take some days until it arrives, depending on how you paid.' },
      ],
    };
  }

  /** Null if the order was paid in another way meanwhile, or undone. */
  private failed({ order: { id, status, total_price }, username }: MailedOrder): Words | null {
    if (status !== 'pending') return null;
    return {
      subject: `The payment of your order ${id} failed`,
      blocks: [
        { text: greeting(username) },
        { text: `your payment for order ${id} at ${this.settings.mail.shopName} did not go through:` },
        { rows: [['Total', money(total_price)]] },
        { text: 'Nothing was charged. Open the order in the shop to pay again.' },
      ],
    };
  }
}
