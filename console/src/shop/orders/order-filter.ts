import type { AdminOrdersListData } from '@store-service/sdk';
import { periodOfPlace } from '../../parts/period.js';
import { place } from '../../router.svelte.js';

type OrderFilter = Omit<NonNullable<AdminOrdersListData['query']>, 'skip' | 'limit'>;

/** How the number of an order is written. */
export const numberPattern = '#?[1-9][0-9]{0,8}';

/** The least that a customer is looked for by, as the service has it. */
export const customerAtLeast = 3;

/** What the address asks to be shown. */
export function orderFilterOfPlace(): OrderFilter {
  const [status, customer, number] = [place.get('status'), place.get('customer').trim(), place.get('number').trim()];
  return {
    ...periodOfPlace(),
    ...(status && { status_filter: status }),
    ...(customer.length >= customerAtLeast && { customer }),
    ...(new RegExp(`^${numberPattern}$`).test(number) && { number: Number(number.replace('#', '')) }),
  };
}

export const noOrderFilter = { status: null, since: null, until: null, customer: null, number: null, skip: null };
