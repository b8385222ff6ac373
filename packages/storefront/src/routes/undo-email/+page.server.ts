import { fail } from '@sveltejs/kit';
import { refusalOf, textsIn } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad } from './$types';

const longestToken = 200;

/** Opening the link changes nothing: mail programs do that too. */
export const load: PageServerLoad = ({ url }) => ({
  token: url.searchParams.get('token')?.slice(0, longestToken) ?? null,
});

export const actions: Actions = {
  default: async (event) => {
    const { token } = textsIn(await event.request.formData(), ['token']);
    try {
      await event.locals.api.accountLinks.undo({ body: { token } });
    } catch (error) {
      const { status, problem } = refusalOf(error, event);
      return fail(status, { problem });
    }
    event.locals.signOut();
    return { isDone: true };
  },
};
