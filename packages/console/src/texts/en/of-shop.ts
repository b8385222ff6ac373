import { audit } from './audit.js';
import { coupons } from './coupons.js';
import { customers } from './customers.js';
import { dashboard } from './dashboard.js';
import { operation } from './operation.js';
import { orders } from './orders.js';
import { products } from './products.js';
import { reviews } from './reviews.js';
import { settings } from './settings.js';
import { testimonials } from './testimonials.js';

/** What the shop's screens say. */
export const ofShop = {
  audit,
  coupons,
  customers,
  dashboard,
  operation,
  orders,
  products,
  reviews,
  settings,
  testimonials,
};
