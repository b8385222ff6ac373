import { place } from '../router.svelte.js';

/** What this tab keeps while its user is at the provider. */
interface Kept {
  login_token: string;
  purpose: 'sign-in' | 'link';
  /** The address to go on at. */
  to: string;
}

/** What a user who returns from the provider brings along. */
export interface ProviderReturn {
  purpose: Kept['purpose'];
  answer: Record<string, string>;
}

const key = 'provider-sign-in';
const names = ['state', 'code', 'iss', 'error'];

/** Sends the browser to the provider, from where it returns to the login. */
export function goToProvider({ authorization_url, ...kept }: Kept & { authorization_url: string }): void {
  const { login_token, purpose, to } = kept;
  sessionStorage.setItem(key, JSON.stringify({ login_token, purpose, to }));
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
  const { purpose = 'sign-in', login_token = 'none' } = kept ?? {};
  return { purpose, answer: { ...answer, login_token } };
}
