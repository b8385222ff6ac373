import type { Cookies } from '@sveltejs/kit';

/** What visitors chose in the footer. Many chose alike, and see the same pages. */
const choices = new Set(['language', 'theme']);
/** The names of all other cookies of the shop begin so: a session, a cart and the like, each of one visitor alone. */
const personal = 'shop_';

const isPersonal = (name: string): boolean => name.startsWith(personal);
const isOwn = (name: string): boolean => isPersonal(name) || choices.has(name);

/**
 * Leaves the pages no cookies but the shop's own. Whatever else a browser sends, of statistics and the like, so changes nothing that
 * is shown, and a page may be kept for all who differ in nothing else.
 */
export function seeOwnCookiesAlone(cookies: Cookies): void {
  const get = cookies.get.bind(cookies);
  const getAll = cookies.getAll.bind(cookies);
  const set = cookies.set.bind(cookies);
  cookies.get = (name, options) => (isOwn(name) ? get(name, options) : undefined);
  cookies.getAll = (options) => getAll(options).filter(({ name }) => isOwn(name));
  cookies.set = (name, value, options) => {
    if (!isOwn(name)) throw new Error(`Name the cookie ${personal}${name}: the pages see no others`);
    set(name, value, options);
  };
}

/** What the pages know of a visitor: nothing, or how they like to see them, or who they are. */
export type Known = 'nobody' | 'chooser' | 'person';

export function knownBy(cookies: Cookies): Known {
  const names = cookies.getAll().map(({ name }) => name);
  if (names.some(isPersonal)) return 'person';
  return names.length > 0 ? 'chooser' : 'nobody';
}
