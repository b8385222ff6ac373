import { Injectable, type OnModuleInit } from '@nestjs/common';
import { greeting, inertText } from '../../platform/mail/header-text.js';
import type { Mail, MailBlock } from '../../platform/mail/mail.js';
import type { MailKind } from '../../platform/mail/mail-kinds.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { MailWriters } from '../../platform/mail/mail-writers.js';
import { formatOf, type ShopFormat } from '../shop/shop-format.js';
import { ShopService } from '../shop/shop.service.js';
import { orderMails } from './order-mails.statements.js';
import { isFinal } from './order-status.js';
import type { Order } from './orders.dto.js';
import { type MailedOrder, OrdersRepository } from './orders.repository.js';

/** An order in a mail, as the shop writes it. */
export interface ToldOrder extends MailedOrder {
  shopName: string;
  format: ShopFormat;
  /** Its page in the shop front. */
  page: OrderPage;
}

type OrderPage = { label: string; url: string } | null;

export type Words<Kind extends MailKind> = Pick<Mail<Kind>, 'values' | 'subject' | 'blocks'>;

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
    private readonly shop: ShopService,
    private readonly links: MailLinks,
  ) {}

  onModuleInit(): void {
    const { placed, shipped } = orderMails;
    this.writers.add(placed, (id) => this.about(id, placed, (mailed) => this.placed(mailed)));
    this.writers.add(shipped, (id) => this.about(id, shipped, (mailed) => this.shipped(mailed)));
  }

  /** The mail about an order as it is at the time of sending; null if the order was undone meanwhile. */
  private async about<Kind extends MailKind>(
    id: string,
    kind: Kind,
    wordsOf: (mailed: ToldOrder) => Words<Kind> | null,
  ): Promise<Mail<Kind> | null> {
    const mailed = await this.repository.forMail(Number(id));
    if (!mailed || isFinal(mailed.order.status)) return null;
    const shop = await this.shop.current();
    const words = wordsOf({
      ...mailed,
      shopName: shop.name,
      format: formatOf(shop),
      page: orderPage(this.links, mailed.order),
    });
    const { order, username, email } = mailed;
    return words && { kind, account: order.user_id, to: { address: email, name: username }, ...words };
  }

  private placed(mailed: ToldOrder): Words<'order-placed'> | null {
    if (!mailed.email_verified && mailed.placed_before >= toldUnconfirmed) return null;
    const { order, username, shopName, format, page } = mailed;
    const [lines, sums, delivery] = [linesOf(mailed), sumsOf(mailed), deliveryOf(mailed)];
    return {
      values: { order: String(order.id), page, total: format.money(order.total_price), lines, sums, delivery },
      subject: `Your order ${order.id}`,
      blocks: [
        { text: greeting(username) },
        { text: `thank you for your order ${order.id} at ${shopName}:` },
        { rows: [...lines, ...sums] },
        ...blockOf(delivery),
        ...buttonOf(page),
        { text: 'If it was not you, sign in, cancel it and change your password, or write to the shop.' },
      ],
    };
  }

  private shipped(mailed: ToldOrder): Words<'order-shipped'> {
    const { order, username, shopName, page } = mailed;
    const [lines, delivery, tracking] = [linesOf(mailed), deliveryOf(mailed), trackingOf(order)];
    return {
      values: { order: String(order.id), page, lines, delivery, tracking },
      subject: `Your order ${order.id} was shipped`,
      blocks: [
        { text: greeting(username) },
        { text: `your order ${order.id} at ${shopName} is on its way:` },
        { rows: lines },
        ...blockOf(delivery),
        ...blockOf(tracking),
        ...linkTo(order.tracking_url),
        ...buttonOf(page),
      ],
    };
  }
}

function linesOf({ order: { items }, email_verified, format: { money } }: ToldOrder): [string, string][] {
  // Under the contract policy strangers name products, and so could write to anybody.
  const shown = (name: string) => (email_verified ? name : inertText(name, maxName));
  const lines = items
    .slice(0, linesShown)
    .map(({ quantity, price, name }): [string, string] => [`${quantity} × ${shown(name)}`, `${money(price)} each`]);
  const rest = items.length - lines.length;
  return rest > 0 ? [...lines, ['And', `${rest} more`]] : lines;
}

function sumsOf({ order, format: { money } }: ToldOrder): [string, string][] {
  const { subtotal, discount, coupon_code, shipping_cost, total_price } = order;
  return [
    ['Goods', money(subtotal)],
    ...(discount > 0
      ? [[coupon_code === null ? 'Discount' : `Discount (${coupon_code})`, money(-discount)] as [string, string]]
      : []),
    ...(shipping_cost === null ? [] : [['Shipping', money(shipping_cost)] as [string, string]]),
    ['Total', money(total_price)],
  ];
}

/**
 * The delivery address, only for a confirmed mail address: whoever registers with a stranger's address could write to
 * them through these fields.
 */
function deliveryOf({ order, email_verified, format: { day } }: ToldOrder): [string, string][] {
  if (!email_verified || order.shipping_address === null) return [];
  const { shipping_first_name, shipping_last_name, shipping_zip, shipping_city, shipping_country } = order;
  const together = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(' ');
  return [
    ['To', together(shipping_first_name, shipping_last_name)],
    ['Address', order.shipping_address],
    ['Place', [together(shipping_zip, shipping_city), shipping_country].filter(Boolean).join(', ')],
    ...(order.estimated_delivery === null ? [] : [['Expected', day(order.estimated_delivery)] as [string, string]]),
  ];
}

function blockOf(rows: [string, string][]): MailBlock[] {
  return rows.length > 0 ? [{ rows }] : [];
}

/** Who delivers the goods: the shop wrote it, so that it may stand in a mail to any address. */
function trackingOf({ carrier, tracking_number }: Order): [string, string][] {
  const rows: [string, string | null][] = [
    ['Carrier', carrier],
    ['Number', tracking_number],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}

function linkTo(url: string | null): MailBlock[] {
  return url === null ? [] : [{ button: { label: 'Follow your order', url } }];
}

/** The page of an order in the shop front, for a mail; null where there is no shop front. */
export function orderPage(links: MailLinks, { id }: Pick<Order, 'id'>): OrderPage {
  const url = links.order(id);
  return url === null ? null : { label: 'See your order', url };
}

export function buttonOf(page: OrderPage): MailBlock[] {
  return page === null ? [] : [{ button: page }];
}
