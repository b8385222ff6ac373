/** The base path of the pages; `/console/` in the served build. */
export const base = import.meta.env.BASE_URL;

type QueryValues = Record<string, string | number | boolean | readonly string[] | null | undefined>;

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

function withQuery(query: URLSearchParams, values: QueryValues): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    next.delete(name);
    if (value === null || value === undefined || value === '' || value === false) continue;
    if (isList(value)) {
      if (value.length > 0) next.set(name, value.map((one) => one.replaceAll(',', '\\,')).join(','));
    } else next.set(name, String(value));
  }
  return next;
}

/** The path of an address; as typed, if its encoding is broken. */
function pathOf(url: URL): string {
  const path = url.pathname.slice(base.length).replace(/\/$/, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Can prevent a change of the screen: a form with unsaved input. Returns whether to go. */
type Guard = () => boolean | Promise<boolean>;

async function allAgree(answers: (boolean | Promise<boolean>)[]): Promise<boolean> {
  for (const answer of answers) if (!(await answer)) return false;
  return true;
}

/** The address bar as state: every filter, page and open drawer is in it, so that back, reload and links keep it. */
class Place {
  #url = $state.raw(new URL(location.href));
  /** The number of history entries before this one: needed to restore the entry that Back left. */
  #at = 0;
  readonly #guards = new Set<Guard>();
  readonly #leaving = new Set<() => void>();
  /** Moves in the history made by the page itself, which ask nobody. */
  #own: (() => void) | null = null;

  constructor() {
    this.#at = entryOf(history.state) ?? 0;
    history.replaceState({ at: this.#at }, '');
    addEventListener('popstate', ({ state }) => this.#travelled(entryOf(state)));
  }

  /** The screen's path, without leading and trailing slashes. */
  readonly path = $derived(pathOf(this.#url));

  /** The organization on display, if the address names one. */
  readonly organization = $derived(this.get('organization'));

  /** One value of the query, or an empty string. */
  get(name: string): string {
    return this.#url.searchParams.get(name) ?? '';
  }

  /** A comma-separated list in the query; a comma within a value has a backslash before it, as the service takes it. */
  list(name: string): string[] {
    const values = this.get(name).split(/(?<!\\),/);
    return values.map((one) => one.replaceAll('\\,', ',')).filter(Boolean);
  }

  /** Changes parts of the query; null removes a value. A filter replaces the history entry, a drawer adds one. */
  set(values: QueryValues, { push = false } = {}): void {
    const next = new URL(this.#url);
    next.search = withQuery(next.searchParams, values).toString();
    if (next.href !== this.#url.href) this.#enter(next, !push);
  }

  /** Opens another screen by its address, unless the user stays because of unsaved input. Returns whether it does. */
  async go(href: string, { replace = false } = {}): Promise<boolean> {
    const next = new URL(href, location.href);
    const mayLeave = this.#mayLeave();
    if (mayLeave !== true && !(await mayLeave)) return false;
    this.#leave();
    const isOther = next.pathname !== this.#url.pathname;
    this.#enter(next, replace);
    if (isOther) scrollTo(0, 0);
    return true;
  }

  /** Asks before the screen changes, until the returned function is called. */
  guard(mayGo: Guard): () => void {
    this.#guards.add(mayGo);
    return () => this.#guards.delete(mayGo);
  }

  /** Calls the listener once when a link or the history leaves the screen. Returns a function that stops that. */
  onleave(handler: () => void): () => void {
    this.#leaving.add(handler);
    return () => this.#leaving.delete(handler);
  }

  /** Immediately if nothing is in the way, so that a link works within its click. */
  #mayLeave(): true | Promise<boolean> {
    const held = [...this.#guards].map((mayGo) => mayGo()).filter((answer) => answer !== true);
    return held.length === 0 || allAgree(held);
  }

  #leave(): void {
    for (const onleave of this.#leaving) onleave();
    this.#leaving.clear();
  }

  #enter(next: URL, replace: boolean): void {
    if (!replace) this.#at++;
    history[replace ? 'replaceState' : 'pushState']({ at: this.#at }, '', next);
    this.#url = next;
  }

  /** The history went to another entry: it goes back until it is clear whether to leave. */
  #travelled(at: number | undefined): void {
    if (this.#own) {
      const done = this.#own;
      this.#own = null;
      return done();
    }
    const next = new URL(location.href);
    const steps = at === undefined ? 1 : at - this.#at;
    const arrive = () => {
      this.#leave();
      this.#at += steps;
      if (at === undefined) history.replaceState({ at: this.#at }, '');
      this.#url = next;
    };
    const mayLeave = this.#mayLeave();
    if (mayLeave === true) return arrive();
    this.#travel(-steps, () => {
      void mayLeave.then((goes) => goes && this.#travel(steps, arrive));
    });
  }

  #travel(steps: number, done: () => void): void {
    if (steps === 0) return done();
    this.#own = done;
    history.go(steps);
  }
}

/** The position of an entry in the history; unknown for one that the browser made, for a typed address. */
function entryOf(state: unknown): number | undefined {
  const { at } = (state ?? {}) as { at?: number };
  return at;
}

export const place = new Place();

/**
 * The address of a screen, such as `shop/orders`, with a query. In the scanning wing it names the organization, so that it
 * shows the same to a colleague who belongs to several.
 */
export function hrefOf(path: string, query: QueryValues = {}): string {
  const organization = path.startsWith('scanning') ? { organization: place.organization } : {};
  const search = withQuery(new URLSearchParams(), { ...organization, ...query }).toString();
  return base + path + (search ? `?${search}` : '');
}

/** An address as that of a page of the console; nothing for a foreign or malformed one. */
export function ownAddress(href: string): URL | null {
  if (href === '' || !URL.canParse(href, location.href)) return null; // '' would be this page itself
  const url = new URL(href, location.href);
  return url.origin === location.origin && url.pathname.startsWith(base) ? url : null;
}

/** Makes links to screens change the address without reloading the page; those with a modifier key work as everywhere. */
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
  const url = ownAddress(link.href);
  if (!url) return;
  event.preventDefault();
  void place.go(url.href);
}
