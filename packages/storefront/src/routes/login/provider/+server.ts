import { redirect, type RequestHandler } from '@sveltejs/kit';
import { isMounted } from '$lib/server/mount.ts';
import { keepBegun } from '$lib/server/provider-sign-in.ts';
import { ownPath } from '$lib/server/refusals.ts';
import { reasonOf } from '$lib/server/sign-in-reasons.ts';

/** Leads to the provider of OpenID Connect. */
export const GET: RequestHandler = async (event) => {
  const { locals, url, cookies } = event;
  const next = ownPath(url.searchParams.get('next'), url.origin, '/account');
  if (!isMounted(event)) redirect(303, '/login');
  let address: string;
  try {
    const { data } = await locals.api.oidc.start({ body: { page: 'storefront' } });
    keepBegun(cookies, { token: data.login_token, next }, data.expires_in);
    address = data.authorization_url;
  } catch (error) {
    address = `/login?reason=${reasonOf(error)}&next=${encodeURIComponent(next)}`;
  }
  return redirect(303, address);
};
