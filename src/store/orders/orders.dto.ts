import { demo } from '../../platform/openapi/demo-values.js';
import { AdminPaging } from '../../platform/http/paging.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IdField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';
import { Product } from '../catalogue/catalogue.dto.js';
import { type PaymentProblem, paymentProblems } from './order-payment.js';
import { type OrderQueue, orderQueues } from './order-queues.js';
import { type OrderStatus, orderStatuses } from './order-status.js';

export class OrderItem {
  @IntegerField()
  id: number;
  @IntegerField()
  product_id: number;
  @IntegerField({ example: 2 })
  quantity: number;
  @NumberField({ description: 'The price of one piece when it was ordered', example: 49.9 })
  price: number;
  @ObjectField(() => Product, {
    description: 'Name, picture and price as ordered; all other fields as they are now, even if the product is deleted',
  })
  product: Product;
  @StringField({ description: 'The name of the product when it was ordered', example: 'Linen shirt' })
  name: string;
  @StringField({ nullable: true, description: 'The picture of the product, when it was ordered' })
  image_url: string | null;
}

const shippingText = { optional: true, nullable: true } as const;

export class Order {
  @IntegerField()
  id: number;
  @UuidField()
  user_id: string;
  @NumberField({ description: 'Goods less discount, plus shipping', example: 95.81 })
  total_price: number;
  @StringField({ description: `${orderStatuses.join(', ')}, or a word of the shop's own`, example: 'pending' })
  status: string;
  @ArrayField(() => OrderItem, { default: [] })
  items: OrderItem[];
  @DateTimeField()
  created_at: string;
  @StringField({ ...shippingText, example: 'Ada' })
  shipping_first_name: string | null;
  @StringField({ ...shippingText, example: 'Lovelace' })
  shipping_last_name: string | null;
  @StringField({ ...shippingText, example: '12 St James Square' })
  shipping_address: string | null;
  @StringField({ ...shippingText, example: 'Springfield' })
  shipping_city: string | null;
  @StringField({ ...shippingText, example: '01101' })
  shipping_zip: string | null;
  @StringField({ ...shippingText, example: 'United States' })
  shipping_country: string | null;
  @StringField(shippingText)
  shipping_phone: string | null;
  @StringField({ ...shippingText, example: 'standard' })
  shipping_method: string | null;
  @NumberField({ optional: true, nullable: true, example: 5.99 })
  shipping_cost: number | null;
  @DateTimeField({ optional: true, nullable: true, example: '2026-11-27T09:30:00.000Z' })
  estimated_delivery: string | null;
  @NumberField({ description: 'The price of the goods, before discount and shipping', example: 99.8 })
  subtotal: number;
  @NumberField({ description: 'The discount of the coupon', example: 9.98 })
  discount: number;
  @StringField({
    nullable: true,
    description: "Null without a coupon, and for everybody but the order's owner and admins",
  })
  coupon_code: string | null;
  // Unspecified: the money of an order.
  @NumberField({ optional: true, description: 'The payments that came for it, together', example: 0 })
  paid_total?: number;
  @NumberField({ optional: true, description: 'What was paid back, or is on its way back', example: 0 })
  refunded_total?: number;
  @EnumField(paymentProblems, {
    optional: true,
    nullable: true,
    description:
      'What of its money needs attention: a payment or a refund failed, a cancelled order was paid, or money came in ' +
      "another currency. Null for everybody but the order's owner and admins",
    example: null,
  })
  payment_problem?: PaymentProblem | null;
  // Unspecified: where the goods are.
  @StringField({ ...shippingText, description: 'Who delivers it', example: 'DHL' })
  carrier: string | null;
  @StringField({ ...shippingText, example: '00340434161094015902' })
  tracking_number: string | null;
  @StringField({
    ...shippingText,
    description: 'Where its way can be followed',
    example: 'https://www.dhl.com/track?id=00340434161094015902',
  })
  tracking_url: string | null;
  // Unspecified: what may happen next.
  @EnumListField(orderStatuses, {
    optional: true,
    description: 'The statuses that the shop may move it to from here, none where its status is final',
    example: ['paid', 'cancelled'],
  })
  next_statuses?: OrderStatus[];
}

/** What the interface description takes where a checkout does not say. */
export const defaultShipping = { method: 'standard', cost: 5.99 };

// Unspecified: lengths of the shipping fields; generous for any address, but bounded. Nobody can deliver to blank
// ones.
export function shippingField(maxLength: number, example: string) {
  return { ...saidText, maxLength, example };
}

export const shippingMethod = {
  ...shippingField(50, 'standard'),
  default: defaultShipping.method,
  blank: 'none',
  description: 'Under ACCESS_POLICY=hardened, the code of a method that GET /api/v1/shop lists; case is ignored',
} as const;
export const shippingCost = {
  min: 0,
  max: 10_000,
  decimals: 2,
  default: defaultShipping.cost,
  defaultLater: true,
  description:
    "Under ACCESS_POLICY=hardened, the method's cost, or 0 if the goods after discount reach its free_from. Omit " +
    'it to take it from the list',
  example: 5.99,
};
export const orderedCoupon = {
  ...optionalText,
  trimmed: true,
  maxLength: 255,
  description: 'Case is ignored; empty means none',
  example: 'WELCOME10',
} as const;

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
  @StringField({ ...shippingField(100, 'United States'), default: 'United States', blank: 'none' })
  country: string;
  @StringField({ ...optionalText, maxLength: 50 })
  phone?: string | null;
  @StringField(shippingMethod)
  shipping_method: string;
  @NumberField(shippingCost)
  shipping_cost?: number;
}

export class CheckoutRequest {
  @ObjectField(() => ShippingInfo)
  shipping: ShippingInfo;
  @StringField(orderedCoupon)
  coupon_code?: string | null;
}

/** The paging of one's own orders. */
export class OrderPaging {
  @IntegerField({ min: 0, default: 0, description: 'The number of orders to skip' })
  skip: number;
  @IntegerField({
    min: 1,
    max: 100,
    default: 100,
    description: 'The maximum number of orders; a page of very large orders ends earlier',
  })
  limit: number;
}

export class OrderPath {
  @IdField({ example: demo('order') })
  order_id: number;
}

/** The page that the caller came from. */
export class Referrer {
  @StringField({
    nullable: true,
    description: 'The origin of the Referer header, or null',
    example: 'https://shop.example.com',
  })
  referrer: string | null;
}

export const orderSorts = ['-created_at', 'created_at', '-total', 'total'] as const;
export type OrderSort = (typeof orderSorts)[number];

export class OrderFilter extends AdminPaging {
  // Unspecified: what an unknown status does; it filters like any other. An empty one filters nothing.
  @StringField({ optional: true, maxLength: 100, description: 'Only orders with this status; case is ignored' })
  status_filter?: string;
  // Unspecified: the other filters.
  @ListField(
    { kind: 'string', minLength: 1, maxLength: 50 },
    {
      optional: true,
      maxItems: 20,
      description: 'Only orders with one of these statuses, divided by commas or given again; case is ignored',
      example: ['paid', 'processing'],
    },
  )
  status?: string[];
  @EnumField(orderQueues, {
    optional: true,
    description:
      'Only orders that wait for somebody, as GET /api/v1/admin/orders/queues counts them. to_ship: paid or ' +
      'processing. unpaid: pending. problems: a payment or a refund failed, or what is to ship has no address. ' +
      'returns: it was shipped, and money was paid back for it',
  })
  queue?: OrderQueue;
  @DateTimeField({ optional: true, description: 'Only orders placed at this time or later' })
  since?: string;
  @DateTimeField({ optional: true, description: 'Only orders placed before this time' })
  until?: string;
  @StringField({
    optional: true,
    trimmed: true,
    minLength: 2,
    maxLength: 254,
    description:
      'The id of an account, or words that begin a part of the name of the recipient, or of the username, e-mail ' +
      'address, first or last name of the customer (of the first 1,000 matching accounts). Case and accents are ' +
      'ignored. Three or more letters are also found inside a username or e-mail address',
    example: 'maria santos',
  })
  customer?: string;
  @StringField({
    optional: true,
    trimmed: true,
    minLength: 1,
    maxLength: 254,
    description:
      'The number of an order, or words of two letters or more, each of which begins a word of the username, e-mail ' +
      'address, first or last name of the customer, of the name, address, postcode, city or phone number it is sent ' +
      'to, or of the products as they were ordered. Case and accents are ignored. Three or more letters are also ' +
      'found inside a username or e-mail address. The total counts up to 10,000',
    example: 'maria linen',
  })
  search?: string;
  @IdField({ optional: true, description: 'Only the order with this number' })
  number?: number;
  @EnumField(orderSorts, {
    default: '-created_at',
    description:
      'By time or by total, "-" for descending. With other filters, only the newest 10,000 matching orders are ' +
      'sorted by total',
  })
  sort: OrderSort;
}

/** An order beside the name of its customer. */
export class AdminOrder extends Order {
  @StringField({ description: '"deleted" if the account was deleted', example: 'maria.santos' })
  username: string;
}

/** An order in short. */
export class RecentOrder {
  @IntegerField()
  id: number;
  @UuidField()
  user_id: string;
  @StringField({ description: '"deleted" if the account was deleted', example: 'maria.santos' })
  username: string;
  @NumberField({ example: 95.81 })
  total_price: number;
  @StringField({ example: 'pending' })
  status: string;
  @StringField({ description: 'ISO 8601, in UTC', example: '2026-11-22T09:30:00.000Z' })
  created_at: string;
}

export class OrderStatusOfMany {
  @ListField(
    { kind: 'integer', min: 1, max: 2_147_483_647 },
    { minItems: 1, maxItems: 500, description: 'An id that appears twice is changed once', example: [12, 13] },
  )
  order_ids: number[];
  @StringField({ ...saidText, maxLength: 50, description: 'As for one order', example: 'shipped' })
  new_status: string;
  @BooleanField({
    default: false,
    description: 'Also where a person would stop: without it, such an order is refused with needs_confirmation',
  })
  confirm: boolean;
}

const moveOutcomes = ['updated', 'unchanged', 'refused', 'not_found'] as const;

/** The outcome for one of several orders. */
export class OrderMove {
  @IntegerField()
  order_id: number;
  @EnumField(moveOutcomes, { description: 'unchanged: it already had this status' })
  outcome: (typeof moveOutcomes)[number];
  @StringField({ nullable: true, description: 'The code of the error, if it was refused', example: null })
  code: string | null;
  @StringField({ nullable: true, description: 'The sentence of the error, if it was refused', example: null })
  detail: string | null;
}

export class OrderMoves {
  @ArrayField(() => OrderMove, { description: 'In the order of the request, each order once' })
  results: OrderMove[];
}

export class OrderStatusChange {
  @StringField({
    ...saidText,
    maxLength: 50,
    description:
      `${orderStatuses.join(', ')}: case is ignored. Under ACCESS_POLICY=contract, any other word is accepted and ` +
      `stored as sent: it changes no stock, and can follow or precede any status that is not final. Under ` +
      `hardened it is refused.`,
    example: 'shipped',
  })
  new_status: string;
  @BooleanField({
    optional: true,
    description:
      'true: also where a person would stop, such as an order that would be shipped without an address, or ' +
      'delivered unpaid. false: such a change is refused with needs_confirmation, as it is under ' +
      'ACCESS_POLICY=hardened unless this is true',
  })
  confirm?: boolean;
}
