import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { type BoundStatement, Database, type Statement, statement } from '../../database/database.js';
import { addMailSql } from '../../platform/mail/mail.statements.js';
import { Mailer } from '../../platform/mail/mailer.js';
import type { Given } from '../../database/filtered-statement.js';
import { storedOrderJson } from './order-json.statements.js';
import { paymentFailed, statusEvents } from './order-events.statements.js';
import { mailedOrder, type OrderMail, orderMails } from './order-mails.statements.js';
import {
  type conditions,
  ordersCount,
  ordersPages,
  searchCount,
  searchPage,
  statusesPage,
} from './order-pages.statements.js';
import type { LockedOrder } from './order-payment.js';
import { indexNew, type OrderSearch } from './order-search.statements.js';
import type { OrderQueue } from './order-queues.js';
import { countQueues } from './order-queues.statements.js';
import { isSettled, type OrderState } from './order-status.js';
import { orderRecords } from './order-timeline.statements.js';
import type { OrderEventKind } from './order-timeline.dto.js';
import { OrderEntity } from './order.entity.js';
import type { AdminOrder, Order, OrderSort } from './orders.dto.js';

/** The placement of an order, a note, a payment or a refund. */
export interface OrderRecord {
  /** Null for the placement. */
  id: string | null;
  at: Date;
  what: OrderEventKind;
  /** Of a payment or refund. */
  amount: number | null;
  text: string | null;
  /** The account that placed it or wrote a note, and its name; null for anything else. */
  userId: string | null;
  userName: string | null;
  /** The name of the key that wrote a note, or by which provider the money came. */
  source: string | null;
}

/** The tracking of an order, as its columns. */
export type TrackingColumns = Pick<OrderEntity, 'carrier' | 'trackingNumber' | 'trackingUrl'>;

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

const queueMail = Object.fromEntries(
  Object.entries(orderMails).map(([mail, kind]) => [
    mail,
    statement(`orders.mail-${mail}`, `SELECT ${addMailSql(kind, '$1::integer')}`),
  ]),
) as Record<OrderMail, Statement>;

/** The address of an order; its country stays, as that of many. */
const noAddress = {
  shippingFirstName: null,
  shippingLastName: null,
  shippingAddress: null,
  shippingCity: null,
  shippingZip: null,
  shippingPhone: null,
};

const heldMoney = { paymentProblem: 'paid_but_cancelled' } as const;

/** Locks in the same order as the checkout: products by id, then the coupon. */
const lockProducts = `
  SELECT p.id
    FROM order_items line JOIN products p ON p.id = line.product_id
   WHERE line.order_id = $1
   ORDER BY p.id
     FOR NO KEY UPDATE OF p`;

/**
 * Returns what has not come back yet, and which no refund settled. Deleted products get their stock back too. The stock
 * never exceeds the largest integer.
 */
const giveBack = `
  WITH rest AS MATERIALIZED (
    SELECT id, product_id, quantity - restocked AS pieces
      FROM order_items
     WHERE order_id = $1 AND restocked < quantity AND $3::boolean),
  settled AS (
    UPDATE order_items SET restocked = quantity FROM rest WHERE order_items.id = rest.id),
  returned AS (
    UPDATE products SET stock = least(2147483647, products.stock::bigint + rest.pieces)
      FROM rest
     WHERE products.id = rest.product_id)
  UPDATE coupons SET current_uses = greatest(current_uses - 1, 0) WHERE id = $2`;

function boundCount(given: OrderConditions): BoundStatement {
  const { statement: sql, values } = ordersCount.of([], given);
  return { sql, values };
}

/** Any order but the usual one is planned for its page: a generic plan may sort all orders. */
function boundPage(page: [number, number], given: OrderConditions, sort: OrderSort): BoundStatement {
  if (given.statuses !== undefined) return statusesPage(page, given, sort);
  const { statement: sql, values } = ordersPages[sort].of(page, given);
  return { sql: sort === '-created_at' ? sql : sql.text, values };
}

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

  /** The newest notes, payments and refunds of an order, newest first, and last its placement; none if there is none. */
  records(id: number, most: number): Promise<OrderRecord[]> {
    return this.database.rows<OrderRecord & Record<string, unknown>>(orderRecords, [id, most]);
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

  async count(given: OrderConditions, search: OrderSearch | null = null): Promise<number> {
    const { sql, values } = search ? searchCount(search, given) : boundCount(given);
    return (await this.database.one<{ count: number }>(sql, values)).count;
  }

  /** Makes some new orders searchable, the newest first; returns how many. */
  async indexNew(): Promise<number> {
    return (await this.database.one<{ count: number }>(indexNew)).count;
  }

  /** A page of the orders that match all conditions, and the search if there is one. */
  async page(
    skip: number,
    limit: number,
    given: OrderConditions,
    sort: OrderSort,
    search: OrderSearch | null = null,
  ): Promise<OrderPage> {
    if (search) await this.indexNew();
    const { sql, values } = search
      ? searchPage([skip, limit], search, given, sort)
      : boundPage([skip, limit], given, sort);
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

  /**
   * Writes the state of a locked order; a settled one keeps no address of a deleted account. What was paid for a canceled one is
   * a problem until it is paid back.
   */
  async setState({ id, paidTotal, refundedTotal }: LockedOrder, { status, reached }: OrderState): Promise<void> {
    const isHeld = status === 'cancelled' && paidTotal > refundedTotal;
    const needsNone =
      isSettled({ status, reached }) && (await this.orders.existsBy({ id, user: { deletedAt: Not(IsNull()) } }));
    await this.orders.update({ id }, { status, reached, ...(needsNone && noAddress), ...(isHeld && heldMoney) });
  }

  /** Queues a mail of a kind to the owner of an order. Returns whether mails go anywhere. */
  async queueMail(id: number, mail: OrderMail): Promise<boolean> {
    if (this.mailer.isOn) await this.database.execute(queueMail[mail], [id]);
    return this.mailer.isOn;
  }

  /** How many orders are in each queue, counted up to a limit. */
  countQueues(most: number): Promise<Record<OrderQueue, number>> {
    return this.database.one<Record<OrderQueue, number>>(countQueues, [most]);
  }

  /** Writes the tracking of a locked order. */
  async setTracking(id: number, tracking: TrackingColumns): Promise<void> {
    await this.orders.update({ id }, tracking);
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

  /** Returns an order's pieces to the stock, unless they stay away, and its use to the coupon. */
  async giveBack({ id, couponId }: LockedOrder, restock: boolean): Promise<void> {
    await this.database.execute(lockProducts, [id]);
    await this.database.execute(giveBack, [id, couponId, restock]);
  }
}
