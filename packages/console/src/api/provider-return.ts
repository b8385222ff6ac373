import { hrefOf, place } from '../router.svelte.js';

/** What this tab keeps while its user is at the provider. */
interface Kept {
  login_token: string;
  purpose: 'sign-in' | 'link';
  /** The address to go on at. */
  to: string;
  /** Whether another tab waits for the session, so that this one can go. */
  isTab?: boolean;
}

/** What a user who returns from the provider brings along. */
export interface ProviderReturn {
  purpose: Kept['purpose'];
  isTab: boolean;
  answer: Record<string, string>;
}

const key = 'provider-sign-in';
const names = ['state', 'code', 'iss', 'error'];

/** The part of an address of the login by which another tab begins a sign-in at once. */
const atOnce = 'provider';

/** What a tab that was opened for a sign-in is to do. */
type AtOnce = 'sign-in' | 'fresh';

/**
 * Opens another tab that leads to the provider, so that this page keeps what was entered; tabs share the session that begins
 * there. Returns whether the browser lets it.
 */
export function openProviderTab({ to, fresh }: { to: string; fresh: boolean }): boolean {
  const doing: AtOnce = fresh ? 'fresh' : 'sign-in';
  return open(hrefOf('login', { [atOnce]: doing, to }), '_blank') !== null;
}

/** What this tab was opened for, if it was; the address no longer says so. */
export function openedFor(): AtOnce | null {
  const doing = place.path === 'login' ? place.get(atOnce) : '';
  if (doing === '') return null;
  place.set({ [atOnce]: null });
  return doing === 'fresh' ? 'fresh' : 'sign-in';
}

/** Sends the browser to the provider, from where it returns to the login. */
export function goToProvider({ authorization_url, ...kept }: Kept & { authorization_url: string }): void {
  const { login_token, purpose, to, isTab = false } = kept;
  sessionStorage.setItem(key, JSON.stringify({ login_token, purpose, to, isTab }));
  location.assign(authorization_url);
}

/** The provider's answer, if the address has one: it is taken out of it, and the address to go on at put in. */
export function returnFromProvider(): ProviderReturn | null {
  if (place.path !== 'login' || !place.get('state')) return null;
  const answer = Object.fromEntries(names.map((name) => [name, place.get(name)]).filter(([, value]) => value));
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const kept = text === null ? null : (JSON.parse(text) as Kept);
  place.set({ ...Object.fromEntries(names.map((name) => [name, null])), to: kept?.to ?? null });
  // Without what was kept, somebody else began the sign-in: the service says so.
  const { purpose = 'sign-in', login_token = 'none', isTab = false } = kept ?? {};
  return { purpose, isTab, answer: { ...answer, login_token } };
}
