import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  DateTimeField,
  IdField,
  IntegerField,
  ObjectField,
  UuidField,
} from '../../platform/validation/fields.js';
import { Product } from '../catalogue/catalogue.dto.js';

/** The most pieces of one product that a cart holds. */
export const maxQuantity = 999;

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

export class CartItemPath {
  @IdField({ example: demo('cartLine') })
  item_id: number;
}
