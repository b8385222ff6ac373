import type { Cookies } from '@sveltejs/kit';

/** A sign-in with the provider that this browser began. */
export interface BegunSignIn {
  /** Ends it, once: the provider's answer alone signs nobody in. */
  token: string;
  /** The page to go on at. */
  next: string;
}

const name = 'shop_provider';
const path = '/login/provider';
const longestNext = 500;

export function keepBegun(cookies: Cookies, { token, next }: BegunSignIn, seconds: number): void {
  const kept = next.length <= longestNext ? next : '';
  cookies.set(name, `${token} ${kept}`, { path, httpOnly: true, sameSite: 'lax', maxAge: seconds });
}

/** The sign-in that was begun here, once; undefined if there is none, or its time is over. */
export function takeBegun(cookies: Cookies): BegunSignIn | undefined {
  const [token = '', next = ''] = (cookies.get(name) ?? '').split(' ');
  if (token === '') return undefined;
  cookies.delete(name, { path });
  return { token, next };
}
