import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { addMailSql } from '../../platform/mail/mail.statements.js';
import { Mailer } from '../../platform/mail/mailer.js';
import type { Given } from '../../database/filtered-statement.js';
import { storedOrderJson } from './order-json.statements.js';
import { paymentFailed, statusEvents } from './order-events.statements.js';
import { mailedOrder, orderMails } from './order-mails.statements.js';
import { type conditions, ordersCount, ordersPages } from './order-pages.statements.js';
import { isSettled, type OrderState } from './order-status.js';
import { OrderEntity } from './order.entity.js';
import type { AdminOrder, Order, OrderSort } from './orders.dto.js';

/** An order, and the furthest step that it ever reached. */
export interface StoredOrder extends Pick<OrderState, 'reached'> {
  order: Order;
}

interface ListedOrderRow extends StoredOrder {
  username: string;
  asked: number;
}

/** A page of orders, with the names of their customers. */
export interface OrderPage {
  orders: (StoredOrder & { order: AdminOrder })[];
  /** Whether it ends before its limit, since its orders are large. */
  endsEarly: boolean;
}

/** The filters of the list of all orders. */
export type OrderConditions = Given<keyof typeof conditions>;

/** The contents and the recipient of a mail about an order. */
export interface MailedOrder {
  order: Order;
  username: string;
  email: string;
  email_verified: boolean;
  /** The orders that the account placed within the hour before. */
  placed_before: number;
}

/** A payment that its provider refused. */
export interface FailedPayment {
  provider: string;
  amount: number;
  reason: string | null;
}

const byId = statement('orders.by-id', `SELECT ${storedOrderJson} AS "order", o.reached FROM orders o WHERE o.id = $1`);

const mailShipped = statement('orders.mail-shipped', `SELECT ${addMailSql(orderMails.shipped, '$1::integer')}`);

/** The address of an order; its country stays, as that of many. */
const noAddress = {
  shippingFirstName: null,
  shippingLastName: null,
  shippingAddress: null,
  shippingCity: null,
  shippingZip: null,
  shippingPhone: null,
};

/** Locks in the same order as the checkout: products by id, then the coupon. */
const lockProducts = `
  SELECT p.id
    FROM order_items line JOIN products p ON p.id = line.product_id
   WHERE line.order_id = $1
   ORDER BY p.id
     FOR NO KEY UPDATE OF p`;

/** Deleted products get their stock back too. The stock never exceeds the largest integer. */
const giveBack = `
  WITH returned AS (
    UPDATE products SET stock = least(2147483647, products.stock::bigint + line.quantity)
      FROM order_items line
     WHERE line.order_id = $1 AND products.id = line.product_id)
  UPDATE coupons SET current_uses = greatest(current_uses - 1, 0) WHERE id = $2`;

@Injectable()
export class OrdersRepository {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    @InjectRepository(OrderEntity) private readonly orders: Repository<OrderEntity>,
  ) {}

  byId(id: number): Promise<StoredOrder | null> {
    return this.database.row<StoredOrder>(byId, [id]);
  }

  /** When an order was placed, and by whom. */
  placing(id: number): Promise<OrderEntity | null> {
    const select = { id: true, createdAt: true, user: { id: true, username: true } };
    return this.orders.findOne({ select, where: { id }, relations: { user: true } });
  }

  /** The newest orders, with the names of their owners. */
  async newest(limit: number): Promise<OrderEntity[]> {
    if (limit === 0) return []; // which TypeORM takes for no limit
    return this.orders
      .createQueryBuilder('o')
      .innerJoin('o.user', 'owner')
      .select(['o.id', 'o.totalPrice', 'o.status', 'o.createdAt', 'owner.id', 'owner.username'])
      .orderBy({ 'o.createdAt': 'DESC', 'o.id': 'DESC' })
      .limit(limit)
      .getMany();
  }

  async count(given: OrderConditions): Promise<number> {
    const { statement: text, values } = ordersCount.of([], given);
    return (await this.database.one<{ count: number }>(text, values)).count;
  }

  async page(skip: number, limit: number, given: OrderConditions, sort: OrderSort): Promise<OrderPage> {
    const { statement: text, values } = ordersPages[sort].of([skip, limit], given);
    // Any order but the usual one is planned for its page: a generic plan may sort all orders.
    const sql = sort === '-created_at' ? text : text.text;
    const rows = await this.database.rows<ListedOrderRow & Record<string, unknown>>(sql, values);
    const orders = rows.map(({ order, username, reached }) => ({ order: Object.assign(order, { username }), reached }));
    return { orders, endsEarly: orders.length < (rows[0]?.asked ?? 0) };
  }

  /**
   * Locks an order until the unit of work ends; null if there is none. Its owner's row comes first, as with the
   * deletion of an account: of a deletion and a change of status, the later one then sees what the earlier one did to
   * the address.
   */
  async lock(id: number): Promise<OrderEntity | null> {
    const owned = await this.orders
      .createQueryBuilder('o')
      .innerJoin('o.user', 'owner')
      .where({ id })
      .setLock('for_key_share', undefined, ['owner'])
      .getOne();
    if (!owned) return null;
    return this.orders.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Writes the state of a locked order; a settled one keeps no address of a deleted account. */
  async setState(id: number, { status, reached }: OrderState): Promise<void> {
    const needsNone =
      isSettled({ status, reached }) && (await this.orders.existsBy({ id, user: { deletedAt: Not(IsNull()) } }));
    await this.orders.update({ id }, { status, reached, ...(needsNone && noAddress) });
  }

  /** Queues the mail to the owner that an order was shipped. */
  async mailShipped(id: number): Promise<void> {
    if (this.mailer.isOn) await this.database.execute(mailShipped, [id]);
  }

  /** Writes the event of a status that an order has just taken, where that is one. */
  async tellStatus(id: number, status: string): Promise<void> {
    const event = Object.hasOwn(statusEvents, status) ? statusEvents[status] : undefined;
    if (event) await this.database.execute(event, [id]);
  }

  /** Writes the event that a payment of an order failed. */
  async tellFailedPayment(id: number, { provider, amount, reason }: FailedPayment): Promise<void> {
    await this.database.execute(paymentFailed, [id, provider, amount, reason]);
  }

  /** The contents of a mail about an order; null if its account is gone. */
  forMail(id: number): Promise<MailedOrder | null> {
    return this.database.row<MailedOrder>(mailedOrder, [id]);
  }

  /** Returns an order's pieces to the stock, and its use to the coupon. */
  async giveBack(id: number, couponId: number | null): Promise<void> {
    await this.database.execute(lockProducts, [id]);
    await this.database.execute(giveBack, [id, couponId]);
  }
}
