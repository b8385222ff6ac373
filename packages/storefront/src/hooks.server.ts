import type { Cookies, Handle, HandleServerError } from '@sveltejs/kit';
import { clientOf, shopOf } from '$lib/server/api.ts';
import { keptOrMade } from '$lib/server/kept-pages.ts';
import { mountOf } from '$lib/server/mount.ts';
import { seeOwnCookiesAlone } from '$lib/server/own-cookies.ts';
import { packed } from '$lib/server/packed.ts';
import { renew } from '$lib/server/renewals.ts';
import { scriptsLast } from '$lib/server/scripts-last.ts';
import { Session } from '$lib/server/session.ts';
import { pickLanguage, textsOf } from '$lib/texts/index.ts';

const themes = ['light', 'dark'] as const;

/** Cookies are Secure where the shop is served by https, and only there: browsers refuse them elsewhere. */
function secureAs(protocol: string, cookies: Cookies): void {
  const secure = protocol === 'https:';
  const set = cookies.set.bind(cookies);
  const drop = cookies.delete.bind(cookies);
  cookies.set = (name, value, options) => set(name, value, { secure, ...options });
  cookies.delete = (name, options) => drop(name, { secure, ...options });
}

export const handle: Handle = async ({ event, resolve }) => {
  const { locals, cookies, request } = event;
  const mount = mountOf(event);
  secureAs(event.url.protocol, cookies);
  seeOwnCookiesAlone(cookies);
  locals.language = pickLanguage(cookies.get('language'), request.headers.get('accept-language'));
  locals.theme = themes.find((theme) => theme === cookies.get('theme')) ?? 'system';
  locals.session = new Session(cookies);
  await renew(locals.session, clientOf(mount, undefined, locals.language));
  const signedIn = () => clientOf(mount, locals.session.accessToken, locals.language);
  locals.api = signedIn();
  locals.signIn = (tokens) => {
    locals.session.keep(tokens);
    locals.api = signedIn();
  };
  locals.signOut = () => {
    locals.session.forget();
    locals.api = signedIn();
  };
  locals.shop = () => shopOf(mount, locals.api);
  const response = await keptOrMade(event, mount, async () =>
    scriptsLast(
      await resolve(event, {
        preload: ({ type }) => type !== 'asset',
        transformPageChunk: ({ html }) =>
          html.replace('%shop.language%', locals.language).replace('%shop.theme%', locals.theme),
      }),
    ),
  );
  // Pages show a cart and an account: nothing of them stays where the next person at this browser could go back to it.
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store');
  // The service's own policy would have browsers hide where a form comes from, which SvelteKit checks.
  response.headers.set('referrer-policy', 'same-origin');
  response.headers.append('vary', 'Cookie, Accept-Language, Accept-Encoding');
  return packed(response, request.headers.get('accept-encoding'));
};

/** Says in the visitor's language what a page cannot do; the log says why. */
export const handleError: HandleServerError = ({ error, event, status }) => {
  const { errors } = textsOf(event.locals.language ?? 'en');
  if (status === 404) return { message: errors.missing, kind: 'missing' };
  console.error(error);
  return { message: errors.fault, kind: 'fault' };
};
