import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { Conflict, NotFound } from '../../common/errors/kinds.js';
import type { JsonText } from '../../common/http/json-text.js';
import { type AddVerdict, CartRepository } from './cart.repository.js';
import { type Cart, type CartAddItem, type CartUpdateItem, maxQuantity } from './cart.shapes.js';
import { maxLines } from './cart.statements.js';

const noSuchLine = 'Cart item not found: it is not, or no longer, in your cart';

/** The carts of users. They do not show lines of products that left the catalogue. */
@Injectable()
export class CartService {
  constructor(private readonly repository: CartRepository) {}

  /** The caller's cart. */
  get(caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.repository.ofUser(caller.id);
  }

  /**
   * Adds pieces of a product to the caller's cart, on top of any that it holds; returns the cart. `NotFound` where there
   * is no such product, `Conflict` where the line would outgrow the stock or 999 pieces, or the cart 500 products.
   */
  async add({ product_id, quantity }: CartAddItem, caller: CallerIdentity): Promise<JsonText<Cart>> {
    const atOnce = await this.repository.addAtOnce(caller.id, product_id, quantity);
    if (atOnce) return atOnce;
    const { cart, changed, verdict } = await this.repository.add(caller.id, product_id, quantity);
    if (!changed) throw whyNotAdded(verdict);
    return cart;
  }

  /**
   * Sets the quantity of a line; returns the cart. `NotFound` for a line that is not the caller's, `Conflict` over the
   * stock.
   */
  async setQuantity(lineId: number, { quantity }: CartUpdateItem, caller: CallerIdentity): Promise<JsonText<Cart>> {
    const { cart, changed, verdict } = await this.repository.setQuantity(caller.id, lineId, quantity);
    if (changed) return cart;
    if (verdict.stock === null || verdict.stock >= quantity) throw new NotFound(noSuchLine);
    throw new Conflict(`Only ${verdict.stock} of "${verdict.product_name}" are in stock`, 'insufficient_stock');
  }

  /** Removes a line from the caller's cart; returns the cart. `NotFound` for a line that is not the caller's. */
  async removeLine(lineId: number, caller: CallerIdentity): Promise<JsonText<Cart>> {
    const { cart, changed } = await this.repository.removeLine(caller.id, lineId);
    if (!changed) throw new NotFound(noSuchLine);
    return cart;
  }

  /** Empties the caller's cart; returns it. */
  async clear(caller: CallerIdentity): Promise<JsonText<Cart>> {
    return (await this.repository.clear(caller.id)).cart;
  }
}

function whyNotAdded({ product_name, stock, lines, held }: AddVerdict): Error {
  if (stock === null) return new NotFound('Product not found');
  if (held === 0 && lines >= maxLines) {
    return new Conflict(`The cart is full: it holds at most ${maxLines} products`, 'cart_full');
  }
  const already = held > 0 ? `, and the cart holds ${held} already` : '';
  if (stock < maxQuantity) {
    return new Conflict(`Only ${stock} of "${product_name}" are in stock${already}`, 'insufficient_stock');
  }
  return new Conflict(`A cart holds at most ${maxQuantity} pieces of a product${already}`, 'quantity_too_large');
}
