import { AdminPaging } from '../../common/http/paging.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  IdField,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
} from '../../common/validation/fields.js';
import { Product } from '../catalogue/catalogue.shapes.js';
import { type OrderStatus, orderStatuses } from './order-status.js';

export class OrderItem {
  @IntegerField()
  id: number;
  @IntegerField()
  product_id: number;
  @IntegerField()
  quantity: number;
  @NumberField({ description: 'Of one piece, when it was ordered' })
  price: number;
  @ObjectField(() => Product, { description: 'As it is now, also where the catalogue has it no longer' })
  product: Product;
}

const shippingText = { optional: true, nullable: true } as const;

export class Order {
  @IntegerField()
  id: number;
  @UuidField()
  user_id: string;
  @NumberField({ description: 'Goods less discount, plus shipping' })
  total_price: number;
  @StringField({ description: orderStatuses.join(', ') })
  status: string;
  @ArrayField(() => OrderItem, { default: [] })
  items: OrderItem[];
  @DateTimeField()
  created_at: string;
  @StringField(shippingText)
  shipping_first_name: string | null;
  @StringField(shippingText)
  shipping_last_name: string | null;
  @StringField(shippingText)
  shipping_address: string | null;
  @StringField(shippingText)
  shipping_city: string | null;
  @StringField(shippingText)
  shipping_zip: string | null;
  @StringField(shippingText)
  shipping_country: string | null;
  @StringField(shippingText)
  shipping_phone: string | null;
  @StringField(shippingText)
  shipping_method: string | null;
  @NumberField({ optional: true, nullable: true })
  shipping_cost: number | null;
  @DateTimeField({ optional: true, nullable: true })
  estimated_delivery: string | null;
}

// Not shown: lengths of the shipping fields; generous for any address, and bounded. Blank ones cannot be delivered to.
function shippingField(maxLength: number, example: string) {
  return { minLength: 1, maxLength, pattern: /\S/, patternHint: 'String should not be blank', example };
}

export class ShippingInfo {
  @StringField(shippingField(100, 'Ada'))
  first_name: string;
  @StringField(shippingField(100, 'Lovelace'))
  last_name: string;
  @StringField(shippingField(300, '12 St James Square'))
  address: string;
  @StringField(shippingField(100, 'Springfield'))
  city: string;
  @StringField(shippingField(20, '01101'))
  zip_code: string;
  @StringField({ ...shippingField(100, 'United States'), default: 'United States' })
  country: string;
  @StringField({ optional: true, nullable: true, maxLength: 50 })
  phone?: string | null;
  @StringField({ ...shippingField(50, 'express'), default: 'standard' })
  shipping_method: string;
  @NumberField({ min: 0, max: 10_000, decimals: 2, default: 5.99 })
  shipping_cost: number;
}

export class CheckoutRequest {
  @ObjectField(() => ShippingInfo)
  shipping: ShippingInfo;
  @StringField({ optional: true, nullable: true, maxLength: 255, description: 'Compared without case; empty: none' })
  coupon_code?: string | null;
}

export class OrderPath {
  @IdField()
  order_id: number;
}

/** Where the caller came from. */
export class Referrer {
  @StringField({ nullable: true, description: 'The origin of the Referer header, or null' })
  referrer: string | null;
}

export class OrderFilter extends AdminPaging {
  // Not shown: what an unknown status does; it filters like any other and finds nothing. An empty one filters nothing.
  @StringField({ optional: true, maxLength: 100, description: 'Only orders of this status' })
  status_filter?: string;
}

export class OrderStatusChange {
  // Not shown: the words; an unknown one is refused, though the document calls it a free string.
  @EnumField(orderStatuses)
  new_status: OrderStatus;
}
