import { fail, redirect } from '@sveltejs/kit';
import { keepCount } from '$lib/server/guest-cart.ts';
import { ofCustomer, refusalOf, textsIn } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = (event) =>
  ofCustomer(event, async () => ({ hasCodes: (await event.locals.api.auth.me()).data.totp_enabled }));

export const actions: Actions = {
  /** Takes the password once more: what is deleted does not come back. */
  default: async (event) => {
    const { password, code } = textsIn(await event.request.formData(), ['password', 'code']);
    try {
      await ofCustomer(event, async () => {
        const body = { password, totp_code: code || null };
        const { data } = await event.locals.api.auth.reauthenticate({ body });
        event.locals.signIn(data);
        await event.locals.api.users.remove();
      });
    } catch (error) {
      const { status, problem } = refusalOf(error, event);
      return fail(status, { problem });
    }
    event.locals.signOut();
    keepCount(event.cookies, 0);
    return redirect(303, '/login?reason=deleted');
  },
};
