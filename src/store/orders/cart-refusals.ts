import { Conflict, RuleBroken } from '../../platform/errors/errors.js';

/** A line of the cart of which there is too little in stock. */
export interface ShortLine {
  name: string;
  stock: number;
  quantity: number;
}

/** Why nothing can be ordered. */
export function emptyCart(): RuleBroken {
  return new RuleBroken('The cart is empty: add a product to it first', 'empty_cart');
}

/** Why a line of the cart cannot be ordered. */
export function insufficientStock({ stock, name, quantity }: ShortLine): Conflict {
  return new Conflict(
    `Only ${stock} of "${name}" are in stock, and the cart holds ${quantity}: lower the quantity`,
    'insufficient_stock',
  );
}
