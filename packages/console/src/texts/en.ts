import { account } from './en/account.js';
import { api } from './en/api.js';
import { assets } from './en/assets.js';
import { audit } from './en/audit.js';
import { common } from './en/common.js';
import { coupons } from './en/coupons.js';
import { customers } from './en/customers.js';
import { dashboard } from './en/dashboard.js';
import { deliveries } from './en/deliveries.js';
import { events } from './en/events.js';
import { firstSteps } from './en/first-steps.js';
import { frame } from './en/frame.js';
import { integrations } from './en/integrations.js';
import { issues } from './en/issues.js';
import { names } from './en/names.js';
import { operation } from './en/operation.js';
import { orders } from './en/orders.js';
import { organization } from './en/organization.js';
import { overview } from './en/overview.js';
import { palette } from './en/palette.js';
import { parts } from './en/parts.js';
import { products } from './en/products.js';
import { reviews } from './en/reviews.js';
import { scanning } from './en/scanning.js';
import { scans } from './en/scans.js';
import { groups, screens } from './en/screens.js';
import { settings } from './en/settings.js';
import { testimonials } from './en/testimonials.js';
import { workflows } from './en/workflows.js';

export const en = {
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
