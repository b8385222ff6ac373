import { fail, redirect } from '@sveltejs/kit';
import { ownPath, textsIn } from '$lib/server/refusals.ts';
import { signInWithCode } from '$lib/server/signing-in.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals, url }) => {
  const next = ownPath(url.searchParams.get('next'), url.origin, '/account');
  if (locals.session.isOpen) redirect(303, next);
  return { next };
};

export const actions: Actions = {
  default: async (event) => {
    const { code, next } = textsIn(await event.request.formData(), ['code', 'next'], 2_000);
    const onward = ownPath(next, event.url.origin, '/account');
    const outcome = await signInWithCode(event, code);
    if (outcome.step === 'refused') return fail(outcome.refusal.status, { problem: outcome.refusal.problem });
    return redirect(303, outcome.step === 'done' && outcome.cut ? '/cart?cut=yes' : onward);
  },
};
