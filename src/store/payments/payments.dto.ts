import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { OptionalBody } from '../../platform/validation/optional-body.js';
import { optionalText } from '../../platform/validation/texts.js';
import { Order } from '../orders/orders.dto.js';
import { type PaymentProvider, paymentProviders } from '../shop/payment-provider.js';
import { type PaymentLanguage, paymentLanguages } from './payment-texts.js';
import { type RefundStatus, refundStatuses } from './refund.entity.js';

/** The largest amount of one payment or refund. */
const mostMoney = 9_999_999_999.99;
const amountBounds = { min: 0.01, max: mostMoney, decimals: 2 } as const;

@OptionalBody()
export class PaymentStart {
  @StringField({
    ...optionalText,
    maxLength: 2_048,
    description:
      'Where the browser goes after the payment, with `order` and `payment` (paid, open or failed) in the query: a ' +
      'page of PUBLIC_URL, STOREFRONT_URL or CORS_ORIGINS. Without it, the service shows a page of its own',
    example: null,
  })
  return_url?: string | null;
}

export class PaymentRequest {
  @EnumField(paymentProviders, { description: 'The way by which the shop is paid', example: 'demo' })
  provider: PaymentProvider;
  @StringField({
    optional: true,
    description: 'The page on which to pay: send the customer there',
    example: 'https://shop.example.com/payments/demo/0199a001-0000-7000-8000-000000000001',
  })
  url?: string;
  @DateTimeField({ optional: true, description: 'When that page ends; ask again for another one' })
  expires_at?: string;
  @StringField({
    optional: true,
    nullable: true,
    description: 'How to pay, in the words of the shop, where an admin records payments by hand',
  })
  instructions?: string | null;
}

export class Payment {
  @UuidField()
  id: string;
  @IntegerField()
  order_id: number;
  @EnumField(paymentProviders, { description: '"manual": an admin recorded it', example: 'manual' })
  provider: PaymentProvider;
  @StringField({ nullable: true, description: "The provider's name of it", example: 'BANK-2026-1127-01' })
  reference: string | null;
  @StringField({ nullable: true, example: 'bank transfer' })
  method: string | null;
  @NumberField({ example: 95.81 })
  amount: number;
  @StringField({ example: 'USD' })
  currency: string;
  @DateTimeField()
  created_at: string;
}

export class RefundedLine {
  @IntegerField()
  item_id: number;
  @IntegerField({ example: 1 })
  quantity: number;
}

export class Refund {
  @UuidField()
  id: string;
  @IntegerField()
  order_id: number;
  @UuidField({ description: 'The payment of which it is paid back' })
  payment_id: string;
  @NumberField({ example: 12.5 })
  amount: number;
  @EnumField(refundStatuses, {
    description: 'pending: the provider has not answered yet, and is asked again; failed: it is not counted',
    example: 'done',
  })
  status: RefundStatus;
  @BooleanField({ description: 'Whether no provider pays it back: somebody of the shop has to' })
  by_hand: boolean;
  @StringField({ nullable: true, description: 'What to do, or why it failed', example: 'Pay it back by hand' })
  detail: string | null;
  @StringField({ nullable: true, example: 'One vase arrived broken' })
  reason: string | null;
  @BooleanField({ description: 'Whether its pieces go back into stock' })
  restock: boolean;
  @StringField({ nullable: true, description: "The provider's name of it", example: null })
  reference: string | null;
  @ArrayField(() => RefundedLine, { description: 'The pieces that it is for; none for an amount' })
  lines: RefundedLine[];
  @DateTimeField()
  created_at: string;
}

/** The money of one order. */
export class OrderPayments {
  @IntegerField()
  order_id: number;
  @NumberField({ example: 95.81 })
  total_price: number;
  @NumberField({ example: 95.81 })
  paid_total: number;
  @NumberField({ example: 12.5 })
  refunded_total: number;
  @NumberField({ description: 'What is still to be paid', example: 0 })
  due: number;
  @ArrayField(() => Payment, { description: 'The first 500, the oldest first' })
  payments: Payment[];
  @ArrayField(() => Refund, { description: 'The first 500, the oldest first' })
  refunds: Refund[];
}

export class PaymentRecord {
  @NumberField({ ...amountBounds, description: 'The money that came', example: 95.81 })
  amount: number;
  @StringField({
    ...optionalText,
    trimmed: true,
    maxLength: 255,
    description: 'By which it is found in the books, such as that of a bank transfer. It can be recorded once',
    example: 'BANK-2026-1127-01',
  })
  reference?: string | null;
  @StringField({ ...optionalText, trimmed: true, maxLength: 100, example: 'bank transfer' })
  method?: string | null;
  @StringField({
    optional: true,
    minLength: 3,
    maxLength: 3,
    pattern: /^[A-Za-z]{3}$/,
    description: "The currency of the amount: only the shop's is taken. Omit it for that",
    example: 'USD',
  })
  currency?: string;
}

export class RecordedPayment {
  @ObjectField(() => Payment)
  payment: Payment;
  @ObjectField(() => Order, { description: 'The order as it is then' })
  order: Order;
}

export class LineToRefund {
  @IntegerField({
    min: 1,
    max: 2_147_483_647,
    description: 'The id of a line of the order',
    example: demo('orderItem'),
  })
  item_id: number;
  @IntegerField({ min: 1, max: 999, example: 1 })
  quantity: number;
}

export class RefundStart {
  @NumberField({
    ...amountBounds,
    optional: true,
    description: 'What is paid back. With lines, it replaces their price',
    example: 5,
  })
  amount?: number;
  @ArrayField(() => LineToRefund, {
    optional: true,
    minItems: 1,
    maxItems: 1_000,
    description: 'The pieces that come back, at their price less their part of the discount, without shipping',
  })
  lines?: LineToRefund[];
  @StringField({ ...optionalText, trimmed: true, maxLength: 500, example: 'One vase arrived broken' })
  reason?: string | null;
  @BooleanField({
    default: true,
    description:
      'Whether the pieces of its lines go back into stock; with an amount alone, the whole order once it is fully ' +
      'refunded before it was shipped',
  })
  restock: boolean;
  @BooleanField({
    default: false,
    description: 'Records money that somebody of the shop pays back by hand, without asking the provider',
  })
  by_hand: boolean;
}

export class StartedRefund {
  @ArrayField(() => Refund, { description: 'One for each payment of which something is paid back' })
  refunds: Refund[];
  @ObjectField(() => Order, { description: 'The order as it is then' })
  order: Order;
}

export class SessionPath {
  @UuidField()
  session_id: string;
}

export class PageLanguage {
  @EnumField(paymentLanguages, { optional: true })
  lang?: PaymentLanguage;
}

export class DemoChoice {
  @EnumField(['pay', 'decline'])
  choice: 'pay' | 'decline';
}

export class WebhookReceipt {
  @BooleanField({ example: true })
  received: boolean;
}
