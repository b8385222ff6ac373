import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../platform/auth/access-policy.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { ShopService } from '../shop/shop.service.js';
import type { ShippingMethod } from '../shop/shop.dto.js';
import { defaultShipping, type ShippingInfo } from './orders.dto.js';

/** The shipping of an order as the client sent it. */
export interface OrderShipping {
  firstName: string;
  lastName: string;
  address: string;
  city: string;
  zip: string;
  country: string;
  phone: string | null;
  method: string;
  cost: number;
  deliveryDays: number;
}

/** What a request says of its shipping, beside the address. */
export type ShippingWish = Pick<ShippingInfo, 'shipping_method' | 'shipping_cost'>;

/** What decides the cost of shipping, which the goods may change. */
export interface ShippingCharge {
  method: string;
  deliveryDays: number;
  /** Null if the shop has no such method. */
  cost: number | null;
  /** The price of goods after discount from which on it costs nothing. */
  freeFrom: number | null;
  /** The cost that the client believes in; an order at another one is refused. */
  sentCost: number | null;
}

/** The shipping of an order with its charge. */
export type ChargedShipping = Omit<OrderShipping, 'cost'> & ShippingCharge;

/** The charge that the client sent, whatever the goods are. */
function chargeAsSent({ shipping_method: method, shipping_cost: cost = defaultShipping.cost }: ShippingWish) {
  return { method, cost, deliveryDays: daysOf(method), freeFrom: null, sentCost: null };
}

/** The charge by the shop's list of methods. */
function chargeByList(sent: ShippingWish, methods: readonly ShippingMethod[]): ShippingCharge {
  const method = methods.find(({ code }) => code === codeOf(sent));
  if (!method) return { ...chargeAsSent(sent), cost: null };
  const { code, days, cost, free_from: freeFrom } = method;
  return { method: code, deliveryDays: days, cost, freeFrom, sentCost: sent.shipping_cost ?? null };
}

/**
 * Decides what shipping costs. Unspecified: what hardened makes of method and cost. Both are the shop's: the method is
 * read without case, and an omitted cost is that of the list.
 */
@Injectable()
export class ShippingCharges {
  constructor(
    private readonly shop: ShopService,
    private readonly policy: AccessPolicy,
  ) {}

  async of(sent: ShippingWish): Promise<ShippingCharge> {
    if (!this.policy.hardened) return chargeAsSent(sent);
    return chargeByList(sent, (await this.shop.current()).shipping_methods);
  }

  /** Why shipping was refused that costs `cost`, or null if the shop has no such method. */
  async refusal(sent: ShippingWish, cost: number | null): Promise<Invalid> {
    if (cost !== null) return wrongCost(sent, cost);
    return unknownMethod(sent.shipping_method, (await this.shop.current()).shipping_methods);
  }
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
    deliveryDays: daysOf(shipping.shipping_method),
  };
}

// Unspecified: how long delivery takes; 5 days by standard, 2 by express, 7 by any other method.
const deliveryDays = new Map([
  ['standard', 5],
  ['express', 2],
]);
const otherDeliveryDays = 7;

const daysOf = (method: string): number => deliveryDays.get(method.toLowerCase()) ?? otherDeliveryDays;

const codeOf = ({ shipping_method }: ShippingWish): string => shipping_method.trim().toLowerCase();

const mostNamed = 10;

function unknownMethod(method: string, methods: readonly ShippingMethod[]): Invalid {
  const codes = methods.slice(0, mostNamed).map(({ code }) => code);
  const msg =
    codes.length === 0
      ? 'The shop lists no shipping methods: the shop has to add one before it can ship'
      : `Input should be a shipping method of the shop: ` +
        `${codes.join(', ')}${methods.length > mostNamed ? ' and others' : ''}; GET /api/v1/shop lists them`;
  return Invalid.at(['body', 'shipping', 'shipping_method'], 'value_error', msg, method);
}

function wrongCost(sent: ShippingWish, cost: number): Invalid {
  const msg =
    `Input should be ${cost}, which ${codeOf(sent)} costs for this order; left out, it is taken from the ` +
    `shop's list`;
  return Invalid.at(['body', 'shipping', 'shipping_cost'], 'value_error', msg, sent.shipping_cost);
}
