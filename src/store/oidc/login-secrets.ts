import { createHmac } from 'node:crypto';

/** The pages that the provider sends users back to. */
export const loginPages = ['console', 'storefront'] as const;
export type LoginPage = (typeof loginPages)[number];

/** What ties the provider's answer to a sign-in. */
export interface LoginSecrets {
  /** Begins with the page. */
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
}

/** The secrets of a sign-in, from its token: so the database holds none of them, and only who began it can end it. */
export function secretsOf(token: string, page: LoginPage): LoginSecrets {
  const derived = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
  return { state: `${page}.${derived('state')}`, nonce: derived('nonce'), verifier: derived('verifier') };
}

/** The page of a state; the console for one of another form. */
export function pageOf(state: string | undefined): LoginPage {
  return loginPages.find((page) => state?.startsWith(`${page}.`)) ?? 'console';
}
