import type { AdminOrdersListData } from '@store-service/sdk';
import { periodOfPlace } from '../../parts/period.js';
import { place } from '../../router.svelte.js';

type OrderFilter = Omit<NonNullable<AdminOrdersListData['query']>, 'skip' | 'limit'>;

/** The format of an order's number. */
export const numberPattern = '#?[1-9][0-9]{0,8}';

/** The shortest text that customers are searched by, as in the service. */
export const customerAtLeast = 2;

/** The filters in the address. */
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
