import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { storedOrderJson } from './order-json.js';
import type { OrderStatus } from './order-status.js';
import type { Order } from './orders.shapes.js';

interface OrderRow {
  order: Order;
}

/** An order's status and coupon, its row locked. */
export interface LockedOrder {
  status: OrderStatus;
  coupon_id: number | null;
}

const byId = statement('orders.by-id', `SELECT ${storedOrderJson} AS "order" FROM orders o WHERE o.id = $1`);

const ofUser = statement(
  'orders.of-user',
  `SELECT ${storedOrderJson} AS "order" FROM orders o WHERE o.user_id = $1 ORDER BY o.created_at DESC, o.id DESC`,
);

/**
 * Only the orders of the page are built: those that are passed over cost an entry of the index. An array of ids is
 * looked up by the primary key whatever the planner thinks of an unknown LIMIT.
 */
function pageOf(name: string, where: string) {
  return statement(
    name,
    `SELECT ${storedOrderJson} AS "order"
       FROM orders o
      WHERE o.id = ANY (ARRAY(SELECT id FROM orders ${where} ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT $2))
      ORDER BY o.created_at DESC, o.id DESC`,
  );
}

const page = pageOf('orders.page', '');
const pageOfStatus = pageOf('orders.page-of-status', 'WHERE status = $3');

/** The same order of locks as at checkout: products by id, then the coupon. */
const lockProducts = `
  SELECT p.id
    FROM order_items line JOIN products p ON p.id = line.product_id
   WHERE line.order_id = $1
   ORDER BY p.id
     FOR NO KEY UPDATE OF p`;

/** Deleted products get their stock back too. The largest stock there can be is not passed. */
const giveBack = `
  WITH returned AS (
    UPDATE products SET stock = least(2147483647, products.stock::bigint + line.quantity)
      FROM order_items line
     WHERE line.order_id = $1 AND products.id = line.product_id)
  UPDATE coupons SET current_uses = greatest(current_uses - 1, 0) WHERE id = $2`;

@Injectable()
export class OrdersRepository {
  constructor(private readonly database: Database) {}

  async byId(id: number): Promise<Order | null> {
    return (await this.database.row<OrderRow>(byId, [id]))?.order ?? null;
  }

  async ofUser(userId: string): Promise<Order[]> {
    return ordersOf(await this.database.rows<OrderRow>(ofUser, [userId]));
  }

  async page(skip: number, limit: number, status?: string): Promise<Order[]> {
    if (status === undefined) return ordersOf(await this.database.rows<OrderRow>(page, [skip, limit]));
    return ordersOf(await this.database.rows<OrderRow>(pageOfStatus, [skip, limit, status]));
  }

  /** Locks an order until the unit of work ends; null where there is none. */
  lock(id: number): Promise<LockedOrder | null> {
    return this.database.row<LockedOrder>('SELECT status, coupon_id FROM orders WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }

  async setStatus(id: number, status: OrderStatus): Promise<void> {
    await this.database.execute('UPDATE orders SET status = $2 WHERE id = $1', [id, status]);
  }

  /** Puts an order's pieces back into stock, and takes its use of a coupon back. */
  async giveBack(id: number, couponId: number | null): Promise<void> {
    await this.database.execute(lockProducts, [id]);
    await this.database.execute(giveBack, [id, couponId]);
  }
}

function ordersOf(rows: OrderRow[]): Order[] {
  return rows.map((row) => row.order);
}
