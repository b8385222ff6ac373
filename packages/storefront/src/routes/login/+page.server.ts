import { fail, redirect } from '@sveltejs/kit';
import { ownPath, textsIn } from '$lib/server/refusals.ts';
import { signIn } from '$lib/server/signing-in.ts';
import type { Actions, PageServerLoad } from './$types';

/** The sentences with which other pages lead here. */
const reasons = ['signed-out', 'reset', 'made', 'deleted', 'undone'] as const;

export const load: PageServerLoad = ({ locals, url }) => {
  const next = ownPath(url.searchParams.get('next'), url.origin, '/account');
  if (locals.session.isOpen) redirect(303, next);
  return { next, reason: reasons.find((reason) => reason === url.searchParams.get('reason')) ?? null };
};

export const actions: Actions = {
  default: async (event) => {
    const { username, password, next } = textsIn(
      await event.request.formData(),
      ['username', 'password', 'next'],
      2_000,
    );
    const onward = ownPath(next, event.url.origin, '/account');
    const outcome = await signIn(event, username, password);
    if (outcome.step === 'refused') return fail(outcome.refusal.status, { username, problem: outcome.refusal.problem });
    if (outcome.step === 'code') redirect(303, `/login/code?next=${encodeURIComponent(onward)}`);
    return redirect(303, outcome.cut ? '/cart?cut=yes' : onward);
  },
};
