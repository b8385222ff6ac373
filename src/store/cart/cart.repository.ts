import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Unauthenticated } from '../../platform/errors/errors.js';
import { JsonText } from '../../platform/http/json-text.js';
import { Database } from '../../database/database.js';
import { CartEntity } from './cart.entity.js';
import { CartItemEntity } from './cart-item.entity.js';
import type { Cart } from './cart.dto.js';
import { addToCart, emptyAbandoned, makeCart, readCart } from './cart.statements.js';

/** What became of an addition: only where it was added was anything written. */
export type Addition =
  | { verdict: 'added'; body: string }
  /** There is no cart, or another request changed it meanwhile. */
  | { verdict: 'stale' }
  | { verdict: 'unknown' }
  | { verdict: 'full' }
  /** More than the stock, or than a cart holds of a product; `held` are the pieces that it holds already. */
  | { verdict: 'short' | 'too-many'; name: string; stock: number; held: number };

interface Body {
  body: string;
}

@Injectable()
export class CartRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(CartEntity) private readonly carts: Repository<CartEntity>,
    @InjectRepository(CartItemEntity) private readonly items: Repository<CartItemEntity>,
  ) {}

  /** The cart of a user as it is answered; makes a missing one. */
  async ofUser(userId: string): Promise<JsonText<Cart>> {
    const read = () => this.database.shortReadOfRow<Body>(readCart, [userId]);
    const { body } = (await read()) ?? (await this.withCart(userId, read));
    return new JsonText(body);
  }

  /** Adds pieces of a product, if they fit. */
  async add(userId: string, productId: number, quantity: number): Promise<Addition> {
    const values = [userId, productId, quantity];
    const addition = await this.database.sharedWriteOfRow<Addition>(addToCart, values, { owner: userId });
    if (!addition) throw new Error('An addition ended without a verdict');
    return addition;
  }

  /** Locks the cart of a user until the unit of work ends; makes a missing one. */
  async lock(userId: string): Promise<CartEntity> {
    const lock = () => this.carts.findOne({ where: { userId }, lock: { mode: 'for_no_key_update' } });
    return (await lock()) ?? (await this.withCart(userId, lock));
  }

  /** A line of a cart with its product, if that is in the catalogue. */
  line(cartId: number, id: number): Promise<CartItemEntity | null> {
    return this.items.findOne({
      where: { id, cartId, product: { deletedAt: IsNull(), status: 'published' } },
      relations: { product: true },
    });
  }

  /** Sets the quantity of a line of a locked cart. */
  async setQuantity({ id, cartId }: CartItemEntity, quantity: number): Promise<void> {
    await this.items.update({ id }, { quantity });
    await this.stamp(cartId);
  }

  /** Removes a line of a locked cart. */
  async remove({ id, cartId }: CartItemEntity): Promise<void> {
    await this.items.delete({ id });
    await this.stamp(cartId);
  }

  /** Removes all lines of a locked cart, in the order in which products leave all carts: by product. */
  async clear({ id: cartId }: CartEntity): Promise<void> {
    const lock = { mode: 'pessimistic_write' } as const;
    const lines = await this.items.find({ where: { cartId }, order: { productId: 'ASC' }, lock });
    if (lines.length === 0) return;
    await this.items.delete({ cartId });
    await this.stamp(cartId);
  }

  /** Empties the abandoned ones among the next carts after `last`; returns the last of them, null if there are none. */
  async emptyAbandoned(last: number, days: number): Promise<number | null> {
    return (await this.database.one<{ last: number | null }>(emptyAbandoned, [last, days])).last;
  }

  /** Tells whoever waits for the cart that it changed. */
  private async stamp(id: number): Promise<void> {
    await this.carts.update({ id }, { updatedAt: () => 'now()' });
  }

  /** Makes a missing cart of an account, and runs `work` again. Registration makes the first one. */
  private async withCart<T>(userId: string, work: () => Promise<T | null>): Promise<T> {
    await this.database.execute(makeCart, [userId]);
    const result = await work();
    if (result === null) throw new Unauthenticated('This account was deleted');
    return result;
  }
}
