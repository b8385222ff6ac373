import { fail, redirect } from '@sveltejs/kit';
import { refusalOf, textsIn } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad } from './$types';

const longestToken = 200;

export const load: PageServerLoad = ({ url }) => ({
  token: url.searchParams.get('token')?.slice(0, longestToken) ?? null,
});

export const actions: Actions = {
  /** Sends the mail. What is answered does not tell whether there is such an account. */
  forgot: async (event) => {
    const { email } = textsIn(await event.request.formData(), ['email']);
    try {
      await event.locals.api.accountLinks.forgot({ body: { email } });
    } catch (error) {
      const { status, problem, faults } = refusalOf(error, event);
      return fail(status, { problem, faults, email });
    }
    return { isSent: true };
  },

  set: async (event) => {
    const { token, password } = textsIn(await event.request.formData(), ['token', 'password']);
    try {
      await event.locals.api.accountLinks.reset({ body: { token, new_password: password } });
    } catch (error) {
      const { status, problem, faults } = refusalOf(error, event);
      return fail(status, { problem, faults });
    }
    event.locals.signOut();
    return redirect(303, '/login?reason=reset');
  },
};
