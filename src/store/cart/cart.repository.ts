import { Injectable } from '@nestjs/common';
import { Unauthenticated } from '../../common/errors/kinds.js';
import { Database, type Statement } from '../../database/database.js';
import type { Cart } from './cart.shapes.js';
import { addToCart, clearCart, makeCart, readCart, removeLine, setQuantity } from './cart.statements.js';

/** The cart after a change, and whether anything changed. */
export interface CartChange<Verdict> {
  cart: Cart;
  changed: boolean;
  verdict: Verdict;
}

/** What an addition found: the product, null where there is none, and the cart before it. */
export interface AddVerdict {
  product_name: string | null;
  stock: number | null;
  lines: number;
  held: number;
}

/** What a new quantity found: the line's product, null where there is no such line. */
export interface QuantityVerdict {
  product_name: string | null;
  stock: number | null;
}

type ChangeRow<Verdict> = Cart & Verdict & { fresh: boolean; changed: boolean };

@Injectable()
export class CartRepository {
  constructor(private readonly database: Database) {}

  async ofUser(userId: string): Promise<Cart> {
    const read = () => this.database.shortReadOfRow<Cart>(readCart, [userId]);
    return (await read()) ?? this.withCart(userId, read);
  }

  add(userId: string, productId: number, quantity: number): Promise<CartChange<AddVerdict>> {
    return this.change<AddVerdict>(addToCart, userId, productId, quantity);
  }

  setQuantity(userId: string, lineId: number, quantity: number): Promise<CartChange<QuantityVerdict>> {
    return this.change<QuantityVerdict>(setQuantity, userId, lineId, quantity);
  }

  removeLine(userId: string, lineId: number): Promise<CartChange<object>> {
    return this.change(removeLine, userId, lineId);
  }

  clear(userId: string): Promise<CartChange<object>> {
    return this.change(clearCart, userId);
  }

  private async change<Verdict extends object>(
    sql: Statement,
    userId: string,
    ...values: number[]
  ): Promise<CartChange<Verdict>> {
    const run = () => this.database.row<ChangeRow<Verdict>>(sql, [userId, ...values]);
    const row = (await run()) ?? (await this.withCart(userId, run));
    const { id, user_id, items, created_at, updated_at, fresh, changed } = row;
    const cart = fresh ? { id, user_id, items, created_at, updated_at } : await this.ofUser(userId);
    return { cart, changed, verdict: row };
  }

  /** Makes the cart that an account is missing, and runs `work` again. Registration makes the first one. */
  private async withCart<T>(userId: string, work: () => Promise<T | null>): Promise<T> {
    await this.database.execute(makeCart, [userId]);
    const result = await work();
    if (result === null) throw new Unauthenticated('This account was deleted');
    return result;
  }
}
