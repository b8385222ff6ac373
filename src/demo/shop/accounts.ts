import { people } from '@store-service/demo';
import { randomBytes } from 'node:crypto';
import { demoId } from '../demo-ids.js';

/** A user as stored: username and e-mail address differ from the demo's where those were taken. */
export interface Account {
  id: string;
  username: string;
  email: string;
}

/** Usernames, e-mail addresses and coupon codes of the demo that were taken, each with the free one in its place. */
export type Renamed = ReadonlyMap<string, string>;

export function emailOf(username: string): string {
  return `${username}@example.com`;
}

/** A free name for each that is taken. */
export function renamed(taken: readonly string[]): Renamed {
  const suffix = randomBytes(3).toString('hex');
  return new Map(taken.map((name) => [name, freeName(name, suffix)]));
}

function freeName(name: string, suffix: string): string {
  if (name.includes('@')) return name.replace('@', `-${suffix}@`);
  return name === name.toUpperCase() ? `${name}-${suffix.toUpperCase()}` : `${name}-${suffix}`;
}

/** The accounts of the demo's people, by their usernames in the demo. */
export function accountsOf(names: Renamed): Map<string, Account> {
  return new Map(
    people.map(({ username }) => {
      const email = emailOf(username);
      const account = { username: names.get(username) ?? username, email: names.get(email) ?? email };
      return [username, { id: demoId(`user ${username}`), ...account }];
    }),
  );
}
