import type { Order } from './orders.shapes.js';

const noShipping = {
  shipping_first_name: null,
  shipping_last_name: null,
  shipping_address: null,
  shipping_city: null,
  shipping_zip: null,
  shipping_country: null,
  shipping_phone: null,
  shipping_method: null,
  shipping_cost: null,
};

/** The order as strangers may see it: without where it goes and what that costs. */
export function withoutShipping(order: Order): Order {
  return Object.assign({}, order, noShipping);
}
