import { ofCustomer } from '$lib/server/refusals.ts';
import type { PageServerLoad } from './$types';

const perPage = 20;
const lastPage = 10_000;

export const load: PageServerLoad = (event) =>
  ofCustomer(event, async () => {
    const asked = Number(event.url.searchParams.get('page') ?? 1);
    const page = Number.isInteger(asked) && asked >= 1 && asked <= lastPage ? asked : 1;
    // One more than is shown tells whether there are older ones.
    const query = { skip: (page - 1) * perPage, limit: perPage + 1 };
    const { data: orders } = await event.locals.api.orders.list({ query });
    return { orders: orders.slice(0, perPage), page, hasMore: orders.length > perPage };
  });
