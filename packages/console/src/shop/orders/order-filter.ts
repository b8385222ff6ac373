import type { AdminOrder, AdminOrdersListData } from '@store-service/sdk';
import { api, askPage, type Page } from '../../api/service.js';
import { periodOfPlace } from '../../parts/period.js';
import { sortOfPlace } from '../../parts/sort-place.js';
import { place } from '../../router.svelte.js';
import { texts } from '../../texts/texts.js';

type OrderQuery = NonNullable<AdminOrdersListData['query']>;
type OrderFilter = Omit<OrderQuery, 'skip' | 'limit' | 'sort'>;

/** The orders that wait for somebody, as the service counts them. */
export const queues = [
  { name: 'to_ship', title: texts.orders.toShip, empty: texts.orders.nothingIsToBeShipped },
  { name: 'unpaid', title: texts.orders.unpaid, empty: texts.orders.everythingIsPaid },
  { name: 'problems', title: texts.orders.problems, empty: texts.orders.thereIsNoProblem },
] as const;

const orderSorts = ['-created_at', 'created_at', '-total', 'total'] as const;
/** Who has waited longest for a parcel comes first. */
const sortsOfWaiting = ['created_at', '-created_at', '-total', 'total'] as const;
export const pageSizes = [50, 200, 1000];

/** The shortest text that orders are searched by; numbers may be shorter. */
const leastLetters = 2;
const isSearched = (text: string) => text.length >= leastLetters || /^#?\d+$/.test(text);

/** A part of the list of orders. */
export interface OrderList {
  filter: OrderFilter;
  sort: (typeof orderSorts)[number];
  skip: number;
  size: number;
}

/** The part of the list that the address names. */
export function orderListOfPlace(): OrderList {
  const [customer, search] = [place.get('customer').trim(), place.get('search').trim()];
  const queue = queues.find(({ name }) => name === place.get('queue'))?.name;
  const status = place.list('status');
  return {
    filter: {
      ...periodOfPlace(),
      ...(queue && { queue }),
      ...(status.length > 0 && { status }),
      ...(customer.length >= leastLetters && { customer }),
      ...(isSearched(search) && { search }),
    },
    sort: queue === 'to_ship' ? sortOfPlace(sortsOfWaiting) : sortOfPlace(orderSorts),
    skip: Number(place.get('skip')) || 0,
    size: pageSizes.find((one) => one === Number(place.get('size'))) ?? 50,
  };
}

/** The query for such a part, which the list and the page of an order share. */
export const orderListQuery = ({ filter, sort, skip, size }: OrderList) => ({
  queryKey: ['orders', { skip, size, filter, sort }],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Page<AdminOrder>> =>
    askPage(api.adminOrders.list({ query: { ...filter, sort, skip, limit: size }, signal })),
});

/** What a saved view keeps of the address. */
export const viewNames = ['queue', 'status', 'since', 'until', 'customer', 'search', 'sort'];
const names = [...viewNames, 'skip', 'size'];

/** What of the address names the list: the page of an order keeps it, so as to lead back and on. */
export const listOfPlace = (): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, place.get(name)]));

export const noOrderFilter = { status: null, since: null, until: null, customer: null, search: null, skip: null };
