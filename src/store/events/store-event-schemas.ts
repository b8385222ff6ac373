import {
  anyObject,
  draft,
  type JsonSchema,
  listOf,
  number,
  object,
  oneOf,
  sampleOf,
  text,
  time,
  uuid,
} from '../../platform/openapi/json-schema.js';
import { type StoreEventType, storeEventTypes } from './store-event-types.js';

const product = object(
  { id: number, name: text, price: number, stock: number, created_at: time, status: text, review_count: number },
  {
    description: text,
    color: text,
    material: text,
    size: text,
    image_url: text,
    group_id: uuid,
    slug: text,
    sku: text,
    images: listOf(object({ url: text }, { alt: text })),
    categories: listOf(text),
    average_rating: number,
  },
);

const order = object(
  {
    id: number,
    status: text,
    subtotal: number,
    discount: number,
    total_price: number,
    paid_total: number,
    refunded_total: number,
    created_at: time,
    items: listOf(object({ id: number, product_id: number, name: text, quantity: number, price: number })),
  },
  {
    coupon_code: text,
    shipping_method: text,
    shipping_cost: number,
    carrier: text,
    tracking_number: text,
    tracking_url: text,
  },
);

/** What is personal stands there only for receivers that may read customers. */
const customer: JsonSchema = {
  ...object(
    { id: uuid },
    { username: text, email: text, first_name: text, last_name: text, shipping: { ...anyObject, properties: {} } },
  ),
  description: 'Only with its id, unless the receiver may read customers',
};

const data: Record<StoreEventType, JsonSchema> = {
  'order.placed': object({ order, customer }),
  'order.paid': object({ order, customer }),
  'order.shipped': object({ order, customer }),
  'order.cancelled': object({ order, customer }),
  'order.refunded': object({ order, customer }),
  'payment.failed': object({
    order,
    customer,
    payment: object({ provider: text, amount: number }, { reason: text }),
  }),
  'product.created': object({ product }),
  'product.changed': object({ product }),
  'product.deleted': object({ product }),
  'stock.low': object({ product: object({ id: number, name: text, stock: number }), threshold: number }),
  'stock.out': object({ product: object({ id: number, name: text, stock: number }), threshold: number }),
  'review.created': object({
    review: object({ id: number, product_id: number, rating: number }, { title: text, content: text, image_url: text }),
    customer,
  }),
  'customer.created': object({ customer }),
  'customer.deleted': object({ customer: object({ id: uuid }) }),
};

function schemaOf(type: StoreEventType): JsonSchema {
  return {
    $schema: draft,
    $id: `/schemas/store-events/${type}.json`,
    title: `Event of the shop: ${type}`,
    ...object({ id: uuid, type: oneOf([type]), created_at: time, data: data[type] }),
  };
}

/** The schema of what is sent and shown of each type of event. */
export const storeEventSchemas = Object.fromEntries(storeEventTypes.map((type) => [type, schemaOf(type)])) as Record<
  StoreEventType,
  JsonSchema
>;

/** An invented event, marked as a test. */
export function sampleEvent(type: StoreEventType, { seesCustomers }: { seesCustomers: boolean }): object {
  const sample = sampleOf(storeEventSchemas[type], {}) as { data: { customer?: { id: string } } };
  const { customer: whole } = sample.data;
  const shown = whole && !seesCustomers ? { ...sample.data, customer: { id: whole.id } } : sample.data;
  return { ...sample, data: shown, test: true };
}
