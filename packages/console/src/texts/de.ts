import { account } from './de/account.js';
import { api } from './de/api.js';
import { assets } from './de/assets.js';
import { audit } from './de/audit.js';
import { common } from './de/common.js';
import { coupons } from './de/coupons.js';
import { customers } from './de/customers.js';
import { dashboard } from './de/dashboard.js';
import { deliveries } from './de/deliveries.js';
import { events } from './de/events.js';
import { firstSteps } from './de/first-steps.js';
import { frame } from './de/frame.js';
import { integrations } from './de/integrations.js';
import { issues } from './de/issues.js';
import { names } from './de/names.js';
import { operation } from './de/operation.js';
import { orders } from './de/orders.js';
import { organization } from './de/organization.js';
import { overview } from './de/overview.js';
import { palette } from './de/palette.js';
import { parts } from './de/parts.js';
import { products } from './de/products.js';
import { reviews } from './de/reviews.js';
import { scanning } from './de/scanning.js';
import { scans } from './de/scans.js';
import { groups, screens } from './de/screens.js';
import { settings } from './de/settings.js';
import { testimonials } from './de/testimonials.js';
import { workflows } from './de/workflows.js';
import type { Texts } from './texts.js';

export const de: Texts = {
  account,
  api,
  assets,
  audit,
  common,
  coupons,
  customers,
  dashboard,
  deliveries,
  events,
  firstSteps,
  frame,
  groups,
  integrations,
  issues,
  names,
  operation,
  orders,
  organization,
  overview,
  palette,
  parts,
  products,
  reviews,
  scanning,
  scans,
  screens,
  settings,
  testimonials,
  workflows,
};
