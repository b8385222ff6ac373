/** Where the pages live; `/console/` in what is served. */
export const base = import.meta.env.BASE_URL;

type QueryValues = Record<string, string | number | boolean | readonly string[] | null | undefined>;

function withQuery(query: URLSearchParams, values: QueryValues): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    next.delete(name);
    if (value === null || value === undefined || value === '' || value === false) continue;
    if (Array.isArray(value)) {
      if (value.length > 0) next.set(name, value.join(','));
    } else next.set(name, String(value));
  }
  return next;
}

/** The address of a screen, such as `shop/orders`, with a query. */
export function hrefOf(path: string, query: QueryValues = {}): string {
  const search = withQuery(new URLSearchParams(), query).toString();
  return base + path + (search ? `?${search}` : '');
}

/** What can hold up a change of the screen: a form that is not saved. Returns whether to go. */
type Guard = () => boolean;

/** The address bar as state: every filter, page and open drawer is in it, so that back, reload and links keep it. */
class Place {
  #url = $state.raw(new URL(location.href));
  readonly #guards = new Set<Guard>();

  constructor() {
    addEventListener('popstate', () => (this.#url = new URL(location.href)));
  }

  /** The screen's path, without slashes around it. */
  readonly path = $derived(decodeURI(this.#url.pathname.slice(base.length)).replace(/\/$/, ''));

  /** One value of the query, or an empty string. */
  get(name: string): string {
    return this.#url.searchParams.get(name) ?? '';
  }

  /** A comma list of the query. */
  list(name: string): string[] {
    return this.get(name).split(',').filter(Boolean);
  }

  /** Changes some of the query; null takes a value out. A filter replaces the entry of the history, a drawer adds one. */
  set(values: QueryValues, { push = false } = {}): void {
    const next = new URL(this.#url);
    next.search = withQuery(next.searchParams, values).toString();
    if (next.href === this.#url.href) return;
    history[push ? 'pushState' : 'replaceState'](null, '', next);
    this.#url = next;
  }

  /** Opens another screen by its address. */
  go(href: string, { replace = false } = {}): void {
    if (![...this.#guards].every((mayGo) => mayGo())) return;
    const next = new URL(href, location.href);
    history[replace ? 'replaceState' : 'pushState'](null, '', next);
    const isOther = next.pathname !== this.#url.pathname;
    this.#url = next;
    if (isOther) scrollTo(0, 0);
  }

  /** Asks before the screen changes for as long as the returned function is not called. */
  guard(mayGo: Guard): () => void {
    this.#guards.add(mayGo);
    return () => this.#guards.delete(mayGo);
  }
}

export const place = new Place();

/** Has links to screens change the address without loading the page anew; those with a modifier key work as everywhere. */
export function followLinks(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return;
  }
  const link = (event.target as Element).closest?.('a');
  if (!link || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(base)) return;
  event.preventDefault();
  place.go(url.href);
}
