import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  DateTimeField,
  IdField,
  EnumField,
  IntegerField,
  ObjectField,
  UuidField,
} from '../../platform/validation/fields.js';
import { Product } from '../catalogue/catalogue.dto.js';

/** The most pieces of one product that a cart holds. */
export const maxQuantity = 999;

// Unspecified: how many products a cart holds; 500, so that no total outgrows its column. Two simultaneous additions
// may pass it by one, which the column can hold.
export const maxLines = 500;

export class CartItem {
  @IntegerField()
  id: number;
  @IntegerField()
  product_id: number;
  @IntegerField({ example: 2 })
  quantity: number;
  @ObjectField(() => Product)
  product: Product;
}

export class Cart {
  @IntegerField()
  id: number;
  @UuidField()
  user_id: string;
  @ArrayField(() => CartItem, { default: [], description: 'In the order in which they were added' })
  items: CartItem[];
  @DateTimeField()
  created_at: Date;
  @DateTimeField()
  updated_at: Date;
}

export class CartAddItem {
  @IdField({ example: demo('product') })
  product_id: number;
  @IntegerField({ min: 1, max: maxQuantity, example: 2 })
  quantity: number;
}

export class CartUpdateItem {
  @IntegerField({ min: 1, max: maxQuantity, example: 3 })
  quantity: number;
}

const cuts = ['unknown_product', 'insufficient_stock', 'quantity_too_large', 'cart_full'] as const;

export class CartMergeRequest {
  @ArrayField(() => CartAddItem, {
    minItems: 1,
    maxItems: maxLines,
    description: 'What a browser kept before the login',
  })
  lines: CartAddItem[];
}

/** What became of a line that was merged into a cart. */
export class CartMergeLine {
  @IntegerField()
  product_id: number;
  @IntegerField({ description: 'The pieces that were sent', example: 2 })
  quantity: number;
  @IntegerField({ description: 'The pieces that are in the cart now in addition to those of before', example: 2 })
  added: number;
  @EnumField(cuts, {
    nullable: true,
    description:
      'Why fewer were added than were sent, else null: the catalog has no such product, it has too few in stock, a ' +
      `cart holds at most ${maxQuantity} of a product, or ${maxLines} products`,
    example: null,
  })
  cut: (typeof cuts)[number] | null;
}

export class CartMerge {
  @ObjectField(() => Cart, { description: 'The cart as it is then' })
  cart: Cart;
  @ArrayField(() => CartMergeLine, { description: 'One for each that was sent, in their order' })
  lines: CartMergeLine[];
}

export class CartItemPath {
  @IdField({ example: demo('cartLine') })
  item_id: number;
}
