import { randomToken } from '../../platform/crypto/digests.js';
import { isReservedName } from '../users/reserved-names.js';
import type { ProvenUser } from './proven-user.js';

const longest = 50;
const shortest = 3;
const numbered = 9;

/** What a username may hold, of a name or an address at the provider. */
function allowedPartOf(name: string): string {
  return (name.split('@')[0] ?? '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, longest - 8);
}

/** Usernames for a new account, the best first, of which the last is always free. */
export function usernamesFor({ username, email }: Pick<ProvenUser, 'username' | 'email'>): string[] {
  const name = [username, email].map((text) => allowedPartOf(text ?? '')).find((text) => text.length >= shortest);
  const base = name ?? 'user';
  const own = name === undefined || isReservedName(base) ? [] : [base];
  const others = Array.from({ length: numbered - 1 }, (_, n) => `${base}.${n + 2}`).filter(
    (one) => !isReservedName(one),
  );
  return [...own, ...others, `${base}-${randomToken(5).replace(/[^A-Za-z0-9]/g, '0')}`];
}
