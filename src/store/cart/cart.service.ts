import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Conflict, NotFound } from '../../platform/errors/errors.js';
import { JsonText } from '../../platform/http/json-text.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CartEntity } from './cart.entity.js';
import type { CartItemEntity } from './cart-item.entity.js';
import { type Addition, CartRepository } from './cart.repository.js';
import { type Cart, type CartAddItem, type CartUpdateItem, maxLines, maxQuantity } from './cart.dto.js';

/** The carts of users. They do not show lines of products that left the catalogue. */
@Injectable()
export class CartService {
  constructor(
    private readonly repository: CartRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The caller's cart. */
  get(caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.repository.ofUser(caller.id);
  }

  /**
   * Adds pieces of a product to the caller's cart, on top of any that it holds; returns the cart. `NotFound` where there
   * is no such product, `Conflict` where the line would outgrow the stock or 999 pieces, or the cart 500 products.
   */
  async add({ product_id, quantity }: CartAddItem, { id }: CallerIdentity): Promise<JsonText<Cart>> {
    const addition = await this.repository.add(id, product_id, quantity);
    if (addition.verdict !== 'stale') return cartOf(addition);
    return this.unitOfWork.run(async () => {
      await this.repository.lock(id);
      return cartOf(await this.repository.add(id, product_id, quantity));
    });
  }

  /**
   * Sets the quantity of a line; returns the cart. `NotFound` for a line that is not the caller's, `Conflict` over the
   * stock.
   */
  setQuantity(lineId: number, { quantity }: CartUpdateItem, caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.change(caller, async (cart) => {
      const line = await this.line(cart, lineId);
      const { stock, name } = line.product;
      if (quantity > stock) throw new Conflict(`Only ${stock} of "${name}" are in stock`, 'insufficient_stock');
      await this.repository.setQuantity(line, quantity);
    });
  }

  /** Removes a line from the caller's cart; returns the cart. `NotFound` for a line that is not the caller's. */
  removeLine(lineId: number, caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.change(caller, async (cart) => this.repository.remove(await this.line(cart, lineId)));
  }

  /** Empties the caller's cart; returns it. */
  clear(caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.change(caller, (cart) => this.repository.clear(cart));
  }

  /** Changes the caller's cart while nobody else does; returns it. */
  private change({ id }: CallerIdentity, work: (cart: CartEntity) => Promise<void>): Promise<JsonText<Cart>> {
    return this.unitOfWork.run(async () => {
      await work(await this.repository.lock(id));
      return this.repository.ofUser(id);
    });
  }

  private async line(cart: CartEntity, lineId: number): Promise<CartItemEntity> {
    const line = await this.repository.line(cart.id, lineId);
    if (!line) throw new NotFound('Cart item not found: your cart does not have it, or no longer has it');
    return line;
  }
}

/** The cart after an addition; throws why nothing was added. */
function cartOf(addition: Addition): JsonText<Cart> {
  switch (addition.verdict) {
    case 'added':
      return new JsonText(addition.body);
    case 'unknown':
      throw new NotFound('Product not found');
    case 'full':
      throw new Conflict(`The cart is full: it holds at most ${maxLines} products`, 'cart_full');
    case 'short':
      throw new Conflict(
        `Only ${addition.stock} of "${addition.name}" are in stock${already(addition)}`,
        'insufficient_stock',
      );
    case 'too-many':
      throw new Conflict(
        `A cart holds at most ${maxQuantity} pieces of a product${already(addition)}`,
        'quantity_too_large',
      );
    case 'stale':
  }
  throw new Error(`An addition ended as ${addition.verdict}`);
}

function already({ held }: { held: number }): string {
  return held > 0 ? `, and the cart holds ${held} already` : '';
}
