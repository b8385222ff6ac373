import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { greeting, inertText } from '../../platform/mail/header-text.js';
import type { Mail, MailBlock } from '../../platform/mail/mail.js';
import { MailWriters } from '../../platform/mail/mail-writers.js';
import { orderMails } from './order-mails.statements.js';
import { isFinal } from './order-status.js';
import { type MailedOrder, OrdersRepository } from './orders.repository.js';
import type { Order } from './orders.dto.js';

const linesShown = 100;
const maxName = 200;
/** The orders in an hour that are confirmed to an unconfirmed address: it may be a stranger's. */
const toldUnconfirmed = 5;

/** Words the mails about orders. */
@Injectable()
export class OrderMails implements OnModuleInit {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly writers: MailWriters,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const { placed, shipped } = orderMails;
    this.writers.add(placed, (id) => this.about(id, placed, (mailed) => this.placed(mailed)));
    this.writers.add(shipped, (id) => this.about(id, shipped, (mailed) => this.shipped(mailed)));
  }

  /** The mail about an order as it is at the time of sending; null if the order was undone meanwhile. */
  private async about(
    id: string,
    kind: string,
    wordsOf: (mailed: MailedOrder) => Pick<Mail, 'subject' | 'blocks'> | null,
  ): Promise<Mail | null> {
    const mailed = await this.repository.forMail(Number(id));
    if (!mailed || isFinal(mailed.order.status)) return null;
    const words = wordsOf(mailed);
    const { order, username, email } = mailed;
    return words && { kind, account: order.user_id, to: { address: email, name: username }, ...words };
  }

  private placed(mailed: MailedOrder): Pick<Mail, 'subject' | 'blocks'> | null {
    if (!mailed.email_verified && mailed.placed_before >= toldUnconfirmed) return null;
    const { order, username } = mailed;
    return {
      subject: `Your order ${order.id}`,
      blocks: [
        { text: greeting(username) },
        { text: `thank you for your order ${order.id} at ${this.settings.mail.shopName}:` },
        { rows: [...linesOf(mailed), ...sumsOf(order)] },
        ...deliveryOf(mailed),
        { text: 'If it was not you, sign in, cancel it and change your password, or write to the shop.' },
      ],
    };
  }

  private shipped(mailed: MailedOrder): Pick<Mail, 'subject' | 'blocks'> {
    const { order, username } = mailed;
    return {
      subject: `Your order ${order.id} was shipped`,
      blocks: [
        { text: greeting(username) },
        { text: `your order ${order.id} at ${this.settings.mail.shopName} is on its way:` },
        { rows: linesOf(mailed) },
        ...deliveryOf(mailed),
        ...trackingOf(order),
      ],
    };
  }
}

const money = (amount: number): string => amount.toFixed(2);

function linesOf({ order: { items }, email_verified }: MailedOrder): [string, string][] {
  // Under the contract policy strangers name products, and so could write to anybody.
  const shown = (name: string) => (email_verified ? name : inertText(name, maxName));
  const lines = items
    .slice(0, linesShown)
    .map(({ quantity, price, name }): [string, string] => [`${quantity} × ${shown(name)}`, `${money(price)} each`]);
  const rest = items.length - lines.length;
  return rest > 0 ? [...lines, ['And', `${rest} more`]] : lines;
}

function sumsOf({ subtotal, discount, coupon_code, shipping_cost, total_price }: Order): [string, string][] {
  return [
    ['Goods', money(subtotal)],
    ...(discount > 0
      ? [[coupon_code === null ? 'Discount' : `Discount (${coupon_code})`, `-${money(discount)}`] as [string, string]]
      : []),
    ...(shipping_cost === null ? [] : [['Shipping', money(shipping_cost)] as [string, string]]),
    ['Total', money(total_price)],
  ];
}

/**
 * The delivery address, only for a confirmed mail address: whoever registers with a stranger's address could write to
 * them through these fields.
 */
function deliveryOf({ order, email_verified }: MailedOrder): MailBlock[] {
  if (!email_verified || order.shipping_address === null) return [];
  const { shipping_first_name, shipping_last_name, shipping_zip, shipping_city, shipping_country } = order;
  const together = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(' ');
  const rows: [string, string][] = [
    ['To', together(shipping_first_name, shipping_last_name)],
    ['Address', order.shipping_address],
    ['Place', [together(shipping_zip, shipping_city), shipping_country].filter(Boolean).join(', ')],
    ...(order.estimated_delivery === null
      ? []
      : [['Expected', order.estimated_delivery.slice(0, 10)] as [string, string]]),
  ];
  return [{ rows }];
}

/** Where the goods are: the shop wrote it, so that it may stand in a mail to any address. */
function trackingOf({ carrier, tracking_number, tracking_url }: Order): MailBlock[] {
  const rows = [
    ['Carrier', carrier],
    ['Number', tracking_number],
  ].filter((row): row is [string, string] => row[1] !== null);
  return [
    ...(rows.length > 0 ? [{ rows }] : []),
    ...(tracking_url === null ? [] : [{ button: { label: 'Follow your order', url: tracking_url } }]),
  ];
}
