import { Injectable } from '@nestjs/common';
import { Unauthenticated } from '../../common/errors/kinds.js';
import { JsonText } from '../../common/http/json-text.js';
import { Database, type Statement } from '../../database/database.js';
import type { Cart } from './cart.shapes.js';
import {
  addAtOnce,
  addToCart,
  clearCart,
  emptyAbandoned,
  makeCart,
  readCart,
  removeLine,
  setQuantity,
} from './cart.statements.js';

/** The cart after a change, and whether anything changed. */
export interface CartChange<Verdict> {
  cart: JsonText<Cart>;
  changed: boolean;
  verdict: Verdict;
}

/** The findings of an addition: the product, null where there is none, and the cart before it. */
export interface AddVerdict {
  product_name: string | null;
  stock: number | null;
  lines: number;
  held: number;
}

/** The findings of a new quantity: the line's product, null where there is no such line. */
export interface QuantityVerdict {
  product_name: string | null;
  stock: number | null;
}

interface Body {
  body: string;
}

type ChangeRow<Verdict> = Body & Verdict & { fresh: boolean; changed: boolean };

@Injectable()
export class CartRepository {
  constructor(private readonly database: Database) {}

  async ofUser(userId: string): Promise<JsonText<Cart>> {
    const read = () => this.database.shortReadOfRow<Body>(readCart, [userId]);
    return cartOf((await read()) ?? (await this.withCart(userId, read)));
  }

  /** The cart after an addition; null where something stands in its way or another request came in between. */
  async addAtOnce(userId: string, productId: number, quantity: number): Promise<JsonText<Cart> | null> {
    const row = await this.database.sharedWriteOfRow<Body>(addAtOnce, [userId, productId, quantity], {
      owner: userId,
    });
    return row && cartOf(row);
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

  /** Empties the abandoned ones among the next carts after `last`; returns the last of them, null where there are none. */
  async emptyAbandoned(last: number, days: number): Promise<number | null> {
    return (await this.database.one<{ last: number | null }>(emptyAbandoned, [last, days])).last;
  }

  private async change<Verdict extends object>(
    sql: Statement,
    userId: string,
    ...values: number[]
  ): Promise<CartChange<Verdict>> {
    const run = () => this.database.row<ChangeRow<Verdict>>(sql, [userId, ...values]);
    const row = (await run()) ?? (await this.withCart(userId, run));
    const cart = row.fresh ? cartOf(row) : await this.ofUser(userId);
    return { cart, changed: row.changed, verdict: row };
  }

  /** Makes a missing cart of an account, and runs `work` again. Registration makes the first one. */
  private async withCart<T>(userId: string, work: () => Promise<T | null>): Promise<T> {
    await this.database.execute(makeCart, [userId]);
    const result = await work();
    if (result === null) throw new Unauthenticated('This account was deleted');
    return result;
  }
}

function cartOf({ body }: Body): JsonText<Cart> {
  return new JsonText(body);
}
