import { Injectable } from '@nestjs/common';
import { appendAuditSql } from '../../audit/audit-entries.statements.js';
import { Database, statement } from '../../database/database.js';
import { addMailSql } from '../../mail/mail.statements.js';
import { Mailer } from '../../mail/mailer.js';
import type { Given } from '../../database/filtered-statement.js';
import { storedOrderJson } from './order-json.statements.js';
import { mailedOrder, orderMails } from './order-mails.statements.js';
import { type conditions, ordersCount, ordersPages } from './order-pages.statements.js';
import { isSettled, type OrderState } from './order-status.js';
import type { AdminOrder, Order, OrderSort } from './orders.shapes.js';

interface OrderRow {
  order: Order;
}

/** When an order was placed, and by whom; without a name where the account is gone. */
interface Placing {
  created_at: Date;
  user_id: string;
  username: string | null;
}

interface ListedOrderRow extends OrderRow {
  username: string;
  asked: number;
}

/** A page of orders, with the names of their customers. */
export interface OrderPage {
  orders: AdminOrder[];
  /** Whether it ends before its limit, since its orders are large. */
  endsEarly: boolean;
}

/** The filters of the list of all orders. */
export type OrderConditions = Given<keyof typeof conditions>;

/** The state of a locked order, its owner and its coupon. */
export interface LockedOrder extends OrderState {
  user_id: string;
  coupon_id: number | null;
}

/** The contents and the recipient of a mail about an order. */
export interface MailedOrder {
  order: Order;
  username: string;
  email: string;
  email_verified: boolean;
  /** The orders that the account placed within the hour before. */
  placed_before: number;
}

/** The state that an order moves to, and what goes with the move. */
export interface OrderMove extends OrderState {
  /** For the audit log. */
  entries: string | null;
  /** Whether the owner is told that the order was shipped. */
  shipped: boolean;
}

const byId = statement('orders.by-id', `SELECT ${storedOrderJson} AS "order" FROM orders o WHERE o.id = $1`);

const placing = statement(
  'orders.placing',
  `SELECT o.created_at, o.user_id, CASE WHEN u.deleted_at IS NULL THEN u.username END AS username
     FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = $1`,
);

/**
 * Locks the owner's row first, as the deletion of an account does: of a deletion and a change of status, the later one
 * then sees what the earlier one did to the address.
 */
const lock = `
  WITH owner AS MATERIALIZED (
    SELECT id FROM users WHERE id = (SELECT user_id FROM orders WHERE id = $1) FOR KEY SHARE)
  SELECT placed.*
    FROM owner
   CROSS JOIN LATERAL (
     SELECT user_id, status, reached, coupon_id FROM orders WHERE id = $1 AND user_id = owner.id
        FOR NO KEY UPDATE) AS placed`;

/**
 * Clears the address of an order whose account is gone once the delivery no longer needs it; writes the audit entry too.
 * $6 says whether the owner gets a mail that it was shipped.
 */
const setState = `
  WITH needless AS (
    SELECT $4::boolean AND EXISTS (
             SELECT FROM users JOIN orders ON users.id = orders.user_id
              WHERE orders.id = $1 AND users.deleted_at IS NOT NULL) AS address),
       audited AS (${appendAuditSql('$5')})
  UPDATE orders
     SET status = $2,
         reached = $3,
         shipping_first_name = CASE WHEN needless.address THEN NULL ELSE shipping_first_name END,
         shipping_last_name = CASE WHEN needless.address THEN NULL ELSE shipping_last_name END,
         shipping_address = CASE WHEN needless.address THEN NULL ELSE shipping_address END,
         shipping_city = CASE WHEN needless.address THEN NULL ELSE shipping_city END,
         shipping_zip = CASE WHEN needless.address THEN NULL ELSE shipping_zip END,
         shipping_phone = CASE WHEN needless.address THEN NULL ELSE shipping_phone END
    FROM needless
   WHERE id = $1
  RETURNING CASE WHEN $6::boolean THEN ${addMailSql(orderMails.shipped, 'orders.id')} END AS mail`;

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
  ) {}

  async byId(id: number): Promise<Order | null> {
    return (await this.database.row<OrderRow>(byId, [id]))?.order ?? null;
  }

  placing(id: number): Promise<Placing | null> {
    return this.database.row<Placing & Record<string, unknown>>(placing, [id]);
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
    const orders = rows.map(({ order, username }) => Object.assign(order, { username }));
    return { orders, endsEarly: orders.length < (rows[0]?.asked ?? 0) };
  }

  /** Locks an order until the unit of work ends; null where there is none. */
  lock(id: number): Promise<LockedOrder | null> {
    return this.database.row<LockedOrder>(lock, [id]);
  }

  /** Writes the state of a locked order; a settled one keeps no address of a deleted account. */
  async setState(id: number, { status, reached, entries, shipped }: OrderMove): Promise<void> {
    const settled = isSettled({ status, reached });
    await this.database.execute(setState, [id, status, reached, settled, entries ?? '[]', shipped && this.mailer.isOn]);
  }

  /** The contents of a mail about an order; null where its account is gone. */
  forMail(id: number): Promise<MailedOrder | null> {
    return this.database.row<MailedOrder>(mailedOrder, [id]);
  }

  /** Returns an order's pieces to the stock, and its use to the coupon. */
  async giveBack(id: number, couponId: number | null): Promise<void> {
    await this.database.execute(lockProducts, [id]);
    await this.database.execute(giveBack, [id, couponId]);
  }
}
