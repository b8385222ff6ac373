import { fail, redirect } from '@sveltejs/kit';
import { ofCustomer, refusalOf, textsIn } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = (event) =>
  ofCustomer(event, async () => {
    const { api } = event.locals;
    const [{ data: me }, { data: orders }] = await Promise.all([
      api.users.profile(),
      api.orders.list({ query: { limit: 3 } }),
    ]);
    return { me, orders, isSaved: event.url.searchParams.has('saved'), isResent: event.url.searchParams.has('resent') };
  });

export const actions: Actions = {
  save: async (event) => {
    const { first_name, last_name, email } = textsIn(await event.request.formData(), [
      'first_name',
      'last_name',
      'email',
    ]);
    try {
      const body = { first_name: first_name || null, last_name: last_name || null, ...(email && { email }) };
      await ofCustomer(event, () => event.locals.api.users.update({ body }));
    } catch (error) {
      const { status, problem, faults, code } = refusalOf(error, event);
      if (code === 'reauthentication_required') redirect(303, '/account/prove?next=/account');
      return fail(status, { problem, faults, typed: { first_name, last_name, email } });
    }
    return redirect(303, '/account?saved=yes');
  },

  resend: async (event) => {
    try {
      await ofCustomer(event, () => event.locals.api.accountLinks.resend());
    } catch (error) {
      const { status, problem } = refusalOf(error, event);
      return fail(status, { problem, faults: {}, typed: null });
    }
    return redirect(303, '/account?resent=yes');
  },
};
