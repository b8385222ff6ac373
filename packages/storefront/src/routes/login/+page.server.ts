import { fail, redirect } from '@sveltejs/kit';
import { isMounted } from '$lib/server/mount.ts';
import { ownPath, textsIn } from '$lib/server/refusals.ts';
import { providerReasons } from '$lib/server/sign-in-reasons.ts';
import { signIn } from '$lib/server/signing-in.ts';
import type { Actions, PageServerLoad } from './$types';

/** The sentences with which other pages lead here. */
const reasons = ['signed-out', 'reset', 'made', 'deleted', ...providerReasons] as const;

/** The name of the provider of OpenID Connect; null without one, and on a machine of its own, to which it leads nobody back. */
async function providerOf({ locals, platform }: Parameters<PageServerLoad>[0]): Promise<string | null> {
  if (!isMounted({ platform })) return null;
  return (await locals.api.oidc.options()).data.label;
}

export const load: PageServerLoad = async (event) => {
  const { locals, url } = event;
  const next = ownPath(url.searchParams.get('next'), url.origin, '/account');
  if (locals.session.isOpen) redirect(303, next);
  const reason = reasons.find((one) => one === url.searchParams.get('reason')) ?? null;
  return { next, reason, provider: await providerOf(event) };
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
