import type { ShippingMethodEntity } from './shipping-method.entity.js';
import type { ShippingMethod } from './shop.dto.js';

export function toShippingMethod({ code, name, cost, days, freeFrom }: ShippingMethodEntity): ShippingMethod {
  return { code, name, cost, days, free_from: freeFrom };
}
