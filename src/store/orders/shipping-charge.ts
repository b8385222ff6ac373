import { Invalid } from '../../common/errors/invalid.js';
import type { ShippingMethod } from '../shop/shop.shapes.js';
import type { OrderShipping } from './checkout.repository.js';
import { toAmount, toCents } from './money.js';
import { defaultShipping, type ShippingInfo } from './orders.shapes.js';

/** An order's shipping with its cost, once its goods are known. */
export interface ShippingCharge {
  /** The shipping where no goods change it; undefined where they may, or where it is to be refused. */
  settled: OrderShipping | null | undefined;
  /** The shipping of goods at this price, after discount; `Invalid` for a method or a cost that the shop does not have. */
  of(goodsCents: number): OrderShipping | null;
}

/** A charge whatever the goods are; null for an order without shipping. */
export function chargeAsSent(shipping: OrderShipping | null): ShippingCharge {
  return { settled: shipping, of: () => shipping };
}

/**
 * The charge by the shop's list of methods.
 * Unspecified: what hardened makes of method and cost. Both are the shop's: the method is read without case, and an omitted
 * cost is that of the list.
 */
export function chargeByList(
  sent: ShippingInfo,
  shipping: OrderShipping,
  methods: readonly ShippingMethod[],
): ShippingCharge {
  const code = sent.shipping_method.trim().toLowerCase();
  const method = methods.find((one) => one.code === code);
  if (!method) {
    const refusal = unknownMethod(sent.shipping_method, methods);
    return {
      settled: undefined,
      of: () => {
        throw refusal;
      },
    };
  }
  const listed = { ...shipping, method: method.code, deliveryDays: method.days };
  const of = (goodsCents: number): OrderShipping => {
    const cost = costOf(method, goodsCents);
    if (sent.shipping_cost !== undefined && toCents(sent.shipping_cost) !== toCents(cost)) {
      throw wrongCost(sent.shipping_cost, cost, method);
    }
    return { ...listed, cost };
  };
  const isSettled = method.free_from === null && (sent.shipping_cost ?? method.cost) === method.cost;
  return { settled: isSettled ? { ...listed, cost: method.cost } : undefined, of };
}

function costOf({ cost, free_from }: ShippingMethod, goodsCents: number): number {
  return free_from !== null && toAmount(goodsCents) >= free_from ? 0 : cost;
}

/** The shipping as the client sent it, with the defaults of the interface description. */
export function toOrderShipping(shipping: ShippingInfo): OrderShipping {
  return {
    firstName: shipping.first_name,
    lastName: shipping.last_name,
    address: shipping.address,
    city: shipping.city,
    zip: shipping.zip_code,
    country: shipping.country,
    phone: shipping.phone ?? null,
    method: shipping.shipping_method,
    cost: shipping.shipping_cost ?? defaultShipping.cost,
    deliveryDays: deliveryDays.get(shipping.shipping_method.toLowerCase()) ?? otherDeliveryDays,
  };
}

// Unspecified: how long delivery takes; 5 days by standard, 2 by express, 7 by any other method.
const deliveryDays = new Map([
  ['standard', 5],
  ['express', 2],
]);
const otherDeliveryDays = 7;

const mostNamed = 10;

function unknownMethod(method: string, methods: readonly ShippingMethod[]): Invalid {
  const codes = methods.slice(0, mostNamed).map(({ code }) => code);
  const msg =
    codes.length === 0
      ? 'The shop lists no shipping methods: it has to add one before it can ship'
      : `Input should be a shipping method of the shop: ${codes.join(', ')}${methods.length > mostNamed ? ' and others' : ''}; GET /api/v1/shop lists them`;
  return Invalid.at(['body', 'shipping', 'shipping_method'], 'value_error', msg, method);
}

function wrongCost(sent: number, cost: number, { code }: ShippingMethod): Invalid {
  const msg = `Input should be ${cost}, which ${code} costs for this order; left out, it is taken from the shop's list`;
  return Invalid.at(['body', 'shipping', 'shipping_cost'], 'value_error', msg, sent);
}
