import { fail, redirect } from '@sveltejs/kit';
import { ownOrder } from '$lib/server/own-order.ts';
import { ofCustomer, refusalOf } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  const order = await ofCustomer(event, () => ownOrder(event));
  return { order, outcome: event.url.searchParams.get('payment') };
};

export const actions: Actions = {
  cancel: async (event) => {
    const { id } = await ofCustomer(event, () => ownOrder(event));
    try {
      await event.locals.api.orders.cancel({ path: { order_id: id } });
    } catch (refusal) {
      const { status, problem } = refusalOf(refusal, event);
      return fail(status, { problem });
    }
    return redirect(303, `/orders/${id}`);
  },
};
