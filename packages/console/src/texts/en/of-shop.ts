import { answers } from './answers.js';
import { audit } from './audit.js';
import { coupons } from './coupons.js';
import { customers } from './customers.js';
import { dashboard } from './dashboard.js';
import { orders } from './orders.js';
import { products } from './products.js';
import { reviews } from './reviews.js';
import { testimonials } from './testimonials.js';

/** What the shop's screens say. */
export const ofShop = {
  answers,
  audit,
  coupons,
  customers,
  dashboard,
  orders,
  products,
  reviews,
  testimonials,
};
