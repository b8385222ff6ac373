import type { Locator, Page } from 'playwright-core';
import { until } from '../support/receiver.js';

/** What opens something: the first row of a table, a button, the first button of a region, a switch. */
type Opener = 'row' | 'button' | 'region' | 'switch';
/** The control, its name, and the screen that it is on; then a button within what opened, if there is another step. */
export type Opening = readonly [opener: Opener, name: string | RegExp, path: string, then?: string];

export const drawers: readonly Opening[] = [
  ['button', 'Ship', 'shop/orders/:unshipped'],
  ['button', 'Record a payment', 'shop/orders/:unpaid'],
  ['button', 'Refund', 'shop/orders/:paid'],
  ['row', 'Products', 'shop/products?low_stock=true'],
  ['button', 'New product', 'shop/products?low_stock=true'],
  ['button', 'Import CSV', 'shop/products?low_stock=true'],
  ['row', 'Coupons', 'shop/coupons'],
  ['button', 'New coupon', 'shop/coupons'],
  ['button', 'New webhook', 'shop/settings/webhooks'],
  ['row', 'Deliveries', 'shop/settings/webhooks/:id'],
  ['button', 'New key', 'shop/settings/keys'],
  ['row', 'Customers', 'shop/customers?role=user'],
  ['button', 'Add a colleague', 'shop/customers?role=user'],
  ['row', 'Reviews', 'shop/reviews'],
  ['row', 'Testimonials', 'shop/testimonials'],
  ['row', 'Requests', 'operation/requests'],
  ['row', 'Events', 'scanning/events?levels=ERROR'],
  ['button', 'Import report', 'scanning/scans?statuses=FINISHED'],
  ['region', 'Events of the scan', 'scanning/scans/:id'],
  ['row', 'Deliveries', 'scanning/workflows/:id/deliveries'],
  ['row', 'Integrations', 'scanning/integrations'],
  ['button', 'New integration', 'scanning/integrations'],
  ['button', 'Invite', 'scanning/organization/members'],
  ['button', 'New key', 'scanning/organization/api-keys'],
];

/** The questions asked before something is lost. */
export const questions: readonly Opening[] = [
  ['button', /^Delete /, 'shop/products?low_stock=true'],
  ['row', 'Coupons', 'shop/coupons', 'Delete'],
  ['row', 'Customers', 'shop/customers?role=user', 'Delete'],
  ['button', /^Remove the review of /, 'shop/reviews'],
  ['button', /^Delete the testimonial of /, 'shop/testimonials'],
  ['button', /^Drop /, 'operation'],
  ['button', 'Replace the secret', 'shop/settings/webhooks/:id'],
  ['button', 'Delete the webhook', 'shop/settings/webhooks/:id'],
  ['button', 'Cancel', 'scanning/scans/:running'],
  ['button', 'Delete', 'scanning/workflows/:id'],
  ['button', 'Replay all exhausted', 'scanning/workflows/:exhausted/deliveries'],
  ['row', 'Integrations', 'scanning/integrations', 'Delete'],
  ['switch', 'Enable scoped webhook export payload', 'scanning/organization/general'],
  ['button', /^Remove /, 'scanning/organization/members'],
  ['button', 'Leave', 'scanning/organization/members'],
  ['button', /^Revoke /, 'scanning/organization/api-keys'],
  ['button', 'Sign out all', 'account'],
  ['button', 'Delete account', 'account'],
];

function openerOf(page: Page, opener: Opener, name: string | RegExp): Locator {
  const exact = typeof name === 'string';
  switch (opener) {
    case 'row':
      return page.getByRole('grid', { name, exact }).locator('tbody tr[data-index]').first();
    case 'region':
      return page.getByRole('region', { name, exact }).getByRole('button').first();
    default:
      return page.getByRole('main').getByRole(opener, { name, exact }).first();
  }
}

/** Waits until the element from which `openBy` opened something has the focus again. */
export function givesBackFocus(page: Page): Promise<void> {
  return until(() => page.evaluate<boolean>('document.activeElement === opener'), 'the focus on the opener');
}

/** Opens it by the keyboard, on a page that shows its screen; returns the dialog, once it is complete. */
export async function openBy(page: Page, [opener, name, , then]: Opening): Promise<Locator> {
  const target = openerOf(page, opener, name);
  await target.focus();
  await page.evaluate('globalThis.opener = document.activeElement');
  await page.keyboard.press(opener === 'switch' ? 'Space' : 'Enter');
  let dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  if (then) {
    const button = dialog.getByRole('button', { name: then, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    dialog = page.getByRole('dialog').nth(1);
    await dialog.waitFor();
  }
  return dialog;
}
