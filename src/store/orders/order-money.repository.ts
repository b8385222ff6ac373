import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { addMailSql } from '../../platform/mail/mail.statements.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { moneyMails } from './order-mails.statements.js';
import type { PaymentProblem } from './order-payment.js';
import { OrderEntity } from './order.entity.js';

const addPaid = statement('orders.add-paid', 'UPDATE orders SET paid_total = paid_total + $2::numeric WHERE id = $1');

const addRefunded = statement(
  'orders.add-refunded',
  'UPDATE orders SET refunded_total = refunded_total + $2::numeric WHERE id = $1',
);

/** All products of the order, in the same order as the checkout: the order may be undone in the same unit of work. */
const lockProducts = `
  SELECT p.id
    FROM order_items line JOIN products p ON p.id = line.product_id
   WHERE line.order_id = $1
   ORDER BY p.id
     FOR NO KEY UPDATE OF p`;

/** Settles pieces of lines $2 in quantities $3, of which there may be fewer left; $4 says whether they go into stock. */
const settleLines = `
  WITH part AS MATERIALIZED (
    SELECT line.id, line.product_id, least(asked.quantity, line.quantity - line.restocked) AS pieces
      FROM unnest($2::integer[], $3::integer[]) AS asked (item_id, quantity)
      JOIN order_items line ON line.id = asked.item_id
     WHERE line.order_id = $1),
  settled AS (
    UPDATE order_items SET restocked = restocked + part.pieces
      FROM part
     WHERE order_items.id = part.id AND part.pieces > 0),
  returned AS (
    UPDATE products SET stock = least(2147483647, products.stock::bigint + part.pieces)
      FROM part
     WHERE products.id = part.product_id AND part.pieces > 0 AND $4::boolean)
  SELECT product_id FROM part WHERE pieces > 0`;

/** The oldest unpaid orders from $1 minutes on, after that of time $2 and number $3. */
const unpaid = statement(
  'orders.unpaid',
  `SELECT id, created_at
     FROM orders
    WHERE status = 'pending' AND paid_total = refunded_total AND total_price > 0
      AND created_at < now() - $1 * interval '1 minute' AND (created_at, id) > ($2::timestamptz, $3::integer)
    ORDER BY created_at, id
    LIMIT 100`,
);

const queueMail = {
  [moneyMails.paid]: statement('order-money.mail-paid', `SELECT ${addMailSql(moneyMails.paid, '$1::text')}`),
  [moneyMails.refunded]: statement(
    'order-money.mail-refunded',
    `SELECT ${addMailSql(moneyMails.refunded, '$1::text')}`,
  ),
  [moneyMails.paymentFailed]: statement(
    'orders.mail-payment-failed',
    `SELECT ${addMailSql(moneyMails.paymentFailed, '$1::text')}`,
  ),
};

/** A line of an order, and how many of its pieces. */
export interface Pieces {
  itemId: number;
  quantity: number;
}

/** An order that nobody has paid. */
export interface UnpaidOrder {
  id: number;
  created_at: Date;
}

/** The money of orders, which stands in their rows. */
@Injectable()
export class OrderMoneyRepository {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    @InjectRepository(OrderEntity) private readonly orders: Repository<OrderEntity>,
  ) {}

  /** Adds to what came for a locked order. */
  async addPaid(id: number, amount: number): Promise<void> {
    await this.database.execute(addPaid, [id, amount]);
  }

  /** Adds to what went back of a locked order; less than 0 where it did not go. */
  async addRefunded(id: number, amount: number): Promise<void> {
    await this.database.execute(addRefunded, [id, amount]);
  }

  async setProblem(id: number, paymentProblem: PaymentProblem | null): Promise<void> {
    await this.orders.update({ id }, { paymentProblem });
  }

  /** Settles pieces of a locked order, and returns them to the stock or not; returns the products that changed. */
  async settleLines(id: number, lines: readonly Pieces[], restock: boolean): Promise<number[]> {
    const itemIds = lines.map(({ itemId }) => itemId);
    const quantities = lines.map(({ quantity }) => quantity);
    if (restock) await this.database.execute(lockProducts, [id]);
    const values = [id, itemIds, quantities, restock];
    const rows = await this.database.rows<{ product_id: number }>(settleLines, values);
    return rows.map(({ product_id }) => product_id);
  }

  /** Queues a mail to the owner of an order; false where the service sends none. */
  async mail(kind: (typeof moneyMails)[keyof typeof moneyMails], about: string): Promise<boolean> {
    if (!this.mailer.isOn) return false;
    await this.database.execute(queueMail[kind], [about]);
    return true;
  }

  /** Some of the orders that nobody has paid for so long, the oldest first, after one of them. */
  unpaid(minutes: number, after: UnpaidOrder | null): Promise<UnpaidOrder[]> {
    const values = [minutes, after?.created_at ?? new Date(0), after?.id ?? 0];
    return this.database.rows<UnpaidOrder & Record<string, unknown>>(unpaid, values);
  }
}
