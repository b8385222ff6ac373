import { redirect, type RequestHandler } from '@sveltejs/kit';
import { takeBegun } from '$lib/server/provider-sign-in.ts';
import { ownPath } from '$lib/server/refusals.ts';
import { reasonOf } from '$lib/server/sign-in-reasons.ts';
import { takeCart } from '$lib/server/signing-in.ts';

const longest = 4_096;

/** The service sends the browser here with the answer of the provider. */
export const GET: RequestHandler = async (event) => {
  const { locals, url, cookies } = event;
  const begun = takeBegun(cookies);
  const next = ownPath(begun?.next, url.origin, '/account');
  const given = (name: string) => url.searchParams.get(name)?.slice(0, longest) || undefined;
  const again = (reason: string) => `/login?reason=${reason}&next=${encodeURIComponent(next)}`;
  if (!begun) redirect(303, again('provider-failed'));
  const [code, iss, error] = [given('code'), given('iss'), given('error')];
  let needsCode = false;
  try {
    const { data } = await locals.api.oidc.finish({
      body: {
        login_token: begun.token,
        state: given('state') ?? '',
        ...(code && { code }),
        ...(iss && { iss }),
        ...(error && { error }),
      },
    });
    needsCode = data.requires_totp;
    if (needsCode) locals.session.pendingToken = data.temp_token ?? undefined;
    else locals.signIn(data);
  } catch (refusal) {
    redirect(303, again(reasonOf(refusal)));
  }
  if (needsCode) redirect(303, `/login/code?next=${encodeURIComponent(next)}`);
  const { cut } = await takeCart(event, begun.token);
  return redirect(303, cut ? '/cart?cut=yes' : next);
};
