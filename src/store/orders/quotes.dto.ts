import {
  ArrayField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { optionalText } from '../../platform/validation/texts.js';
import { CouponResponse } from '../coupons/coupons.dto.js';
import { mostShippingMethods, ShippingMethod } from '../shop/shop.dto.js';
import { orderedCoupon, shippingCost, shippingMethod } from './orders.dto.js';

/** The problems that a quote names. */
export const mostProblems = 100;

const addressText = { ...optionalText, description: 'A quote does not need it' };

/** The shipping of a checkout, without an address too. */
export class QuoteShipping {
  @StringField({ ...addressText, maxLength: 100 })
  first_name?: string | null;
  @StringField({ ...addressText, maxLength: 100 })
  last_name?: string | null;
  @StringField({ ...addressText, maxLength: 300 })
  address?: string | null;
  @StringField({ ...addressText, maxLength: 100 })
  city?: string | null;
  @StringField({ ...addressText, maxLength: 20 })
  zip_code?: string | null;
  @StringField({ ...addressText, maxLength: 100 })
  country?: string | null;
  @StringField({ ...addressText, maxLength: 50 })
  phone?: string | null;
  @StringField(shippingMethod)
  shipping_method: string;
  @NumberField(shippingCost)
  shipping_cost?: number;
}

export class QuoteRequest {
  @ObjectField(() => QuoteShipping, {
    optional: true,
    nullable: true,
    description: "The checkout's; without it, the quote is that of the default method",
    example: { shipping_method: 'standard' },
  })
  shipping?: QuoteShipping | null;
  @StringField(orderedCoupon)
  coupon_code?: string | null;
}

export class QuoteLine {
  @IntegerField()
  product_id: number;
  @StringField({ example: 'Linen shirt' })
  name: string;
  @StringField({ nullable: true })
  image_url: string | null;
  @IntegerField({ example: 2 })
  quantity: number;
  @IntegerField({ description: 'The pieces in stock', example: 17 })
  stock: number;
  @NumberField({ description: 'The price of one piece', example: 49.9 })
  price: number;
  @NumberField({ description: 'The price of all pieces', example: 99.8 })
  total: number;
}

/** A shipping method of the shop, and what it costs for this cart. */
export class QuotedMethod extends ShippingMethod {
  @NumberField({ description: 'What it costs for this cart: 0 where the goods reach free_from', example: 5.99 })
  quoted_cost: number;
}

/** Why the checkout would be refused. */
export class QuoteProblem {
  @StringField({
    description: "The code of the checkout's error; for a 422, the type of its fault",
    example: 'insufficient_stock',
  })
  code: string;
  @StringField({ example: 'Only 1 of "Linen shirt" are in stock, and the cart holds 2: lower the quantity' })
  detail: string;
  @ListField(
    { kind: 'string' },
    { nullable: true, maxItems: 3, description: 'The place of the fault in the request, for a 422', example: null },
  )
  loc: string[] | null;
}

/** What a checkout would do. */
export class Quote {
  @StringField({ description: 'The currency of all amounts (ISO 4217)', example: 'USD' })
  currency: string;
  @ArrayField(() => QuoteLine, { description: 'The lines of the cart, by product' })
  lines: QuoteLine[];
  @NumberField({ description: 'The price of the goods, before discount and shipping', example: 99.8 })
  subtotal: number;
  @NumberField({ description: 'The discount of the coupon; 0 where it cannot be used', example: 9.98 })
  discount: number;
  @NumberField({ nullable: true, description: 'null where the shop has no such method', example: 5.99 })
  shipping_cost: number | null;
  @NumberField({ description: 'Goods less discount, plus shipping', example: 95.81 })
  total_price: number;
  @ObjectField(() => CouponResponse, { nullable: true, description: 'null where no coupon was named' })
  coupon: CouponResponse | null;
  @ArrayField(() => QuotedMethod, {
    maxItems: mostShippingMethods,
    description: "The shop's, in the order in which to offer them",
  })
  shipping_methods: QuotedMethod[];
  @ArrayField(() => QuoteProblem, {
    maxItems: mostProblems,
    description: 'What stands in the way of the checkout; it would be refused with the first of them',
  })
  problems: QuoteProblem[];
}
