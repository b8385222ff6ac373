import { fail, redirect } from '@sveltejs/kit';
import { ownPath, refusalOf, textsIn } from '$lib/server/refusals.ts';
import { signIn } from '$lib/server/signing-in.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals, url }) => {
  const next = ownPath(url.searchParams.get('next'), url.origin, '/account');
  if (locals.session.isOpen) redirect(303, next);
  return { next };
};

export const actions: Actions = {
  default: async (event) => {
    const form = textsIn(
      await event.request.formData(),
      ['username', 'email', 'password', 'first_name', 'last_name', 'next'],
      2_000,
    );
    const { username, email, password, first_name, last_name } = form;
    const onward = ownPath(form.next, event.url.origin, '/account');
    const typed = { username, email, first_name, last_name };
    try {
      const body = { username, email, password, first_name: first_name || null, last_name: last_name || null };
      await event.locals.api.auth.register({ body });
    } catch (error) {
      const { status, problem, faults } = refusalOf(error, event);
      return fail(status, { typed, problem, faults });
    }
    const outcome = await signIn(event, username, password);
    if (outcome.step !== 'done') redirect(303, `/login?reason=made&next=${encodeURIComponent(onward)}`);
    return redirect(303, outcome.cut ? '/cart?cut=yes' : onward);
  },
};
