import { fail, redirect } from '@sveltejs/kit';
import { ofCustomer, ownPath, refusalOf, textsIn } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = (event) =>
  ofCustomer(event, async () => {
    const { data: me } = await event.locals.api.auth.me();
    const next = ownPath(event.url.searchParams.get('next'), event.url.origin, '/account/security');
    return { next, hasCodes: me.totp_enabled };
  });

export const actions: Actions = {
  /** Proves who it is: what changes passwords and the like takes a login of the last minutes. */
  default: async (event) => {
    const { password, code, next } = textsIn(await event.request.formData(), ['password', 'code', 'next'], 2_000);
    try {
      const body = { password, totp_code: code || null };
      const { data } = await ofCustomer(event, () => event.locals.api.auth.reauthenticate({ body }));
      event.locals.signIn(data);
    } catch (error) {
      const { status, problem } = refusalOf(error, event);
      return fail(status, { problem });
    }
    return redirect(303, ownPath(next, event.url.origin, '/account/security'));
  },
};
