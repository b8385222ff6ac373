import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

const setAccount = `
  UPDATE users SET created_at = coalesce($2, created_at), email_verified = $3, suspended_at = $4,
                   totp_secret = $5::text, totp_enabled = $5::text IS NOT NULL
   WHERE id = $1`;

const insertOrder = `
  INSERT INTO orders (user_id, status, reached, total_price, shipping_cost, tracking_number, created_at)
  SELECT id, $2, $3, 0, $4, $5, coalesce($6, now()) FROM users WHERE lower(username) = lower($1) AND deleted_at IS NULL
  RETURNING id`;

const insertLines = `
  INSERT INTO order_items (order_id, product_id, quantity, price, product_name, product_image_url)
  SELECT $1, id, quantity, price, name, image_url
    FROM unnest($2::integer[], $3::integer[]) AS line (product_id, quantity) JOIN products ON id = product_id
   WHERE deleted_at IS NULL`;

/** An account's state beyond what a registration sets. */
export interface AccountState {
  createdAt: string | undefined;
  emailVerified: boolean;
  suspendedAt: Date | null;
  totpSecret: string | null;
}

export interface OrderRow {
  username: string;
  status: string;
  reached: string;
  shippingCost: number;
  trackingNumber: string | undefined;
  createdAt: string | undefined;
}

/** Rows in states that take long to come about. */
@Injectable()
export class TestRowsRepository {
  constructor(private readonly database: Database) {}

  async setAccount(id: string, { createdAt, emailVerified, suspendedAt, totpSecret }: AccountState): Promise<void> {
    await this.database.execute(setAccount, [id, createdAt ?? null, emailVerified, suspendedAt, totpSecret]);
  }

  async dateProduct(id: number, createdAt: string): Promise<void> {
    await this.database.execute('UPDATE products SET created_at = $2 WHERE id = $1', [id, createdAt]);
  }

  async setCoupon(id: number, uses: number, createdAt: string | undefined): Promise<void> {
    const sql = 'UPDATE coupons SET current_uses = $2, created_at = coalesce($3, created_at) WHERE id = $1';
    await this.database.execute(sql, [id, uses, createdAt ?? null]);
  }

  /** The id of the new order; null where nobody has the username. */
  async insertOrder(order: OrderRow): Promise<number | null> {
    const { username, status, reached, shippingCost, trackingNumber, createdAt } = order;
    const values = [username, status, reached, shippingCost, trackingNumber ?? null, createdAt ?? null];
    return (await this.database.row<{ id: number }>(insertOrder, values))?.id ?? null;
  }

  /** Returns how many lines have a product. */
  insertLines(orderId: number, lines: readonly { product_id: number; quantity: number }[]): Promise<number> {
    const [products, quantities] = [lines.map(({ product_id }) => product_id), lines.map(({ quantity }) => quantity)];
    return this.database.execute(insertLines, [orderId, products, quantities]);
  }
}
