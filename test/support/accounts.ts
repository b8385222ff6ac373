import { randomBytes } from 'node:crypto';
import { AccessTokens } from '../../src/platform/auth/access-tokens.js';
import type { Role } from '../../src/platform/auth/caller.js';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import type { TestApp } from './test-app.js';

export interface InsertedUser {
  id: string;
  username: string;
  email: string;
  token: string;
}

export interface Account extends InsertedUser {
  password: string;
}

export interface SignUpChoices {
  username?: string;
  email?: string;
  password?: string;
  first_name?: string | null;
  last_name?: string | null;
  avatar_url?: string | null;
  bio?: string | null;
  referral_code?: string | null;
}

export interface InsertChoices {
  username?: string;
  email?: string;
  first_name?: string | null;
  last_name?: string | null;
  avatar_url?: string | null;
  bio?: string | null;
  role?: Role;
  account_credit?: number;
  can_be_deleted?: boolean;
  created_at?: Date;
}

/** A username that no other test uses. */
export function newUsername(): string {
  return `user_${randomBytes(6).toString('hex')}`;
}

/**
 * Gives another name to an account that has this one: that of a test's first try, where the test is tried once more
 * (`jest/second-try.ts`).
 */
async function freeName({ database }: TestApp, { username, email }: InsertChoices): Promise<void> {
  if (username === undefined && email === undefined) return;
  await database.rows(
    `UPDATE users SET username = 'earlier_' || right(id::text, 12), email = id || '@earlier.example'
      WHERE lower(username) = lower($1) OR lower(email) = lower($2)`,
    [username, email ?? `${username}@example.com`],
  );
}

/** Registers an account over HTTP and signs it in. */
export async function signUp(app: TestApp, choices: SignUpChoices = {}): Promise<Account> {
  const { username = newUsername(), password = 'correct horse 7', ...rest } = choices;
  const { email = `${username}@example.com` } = choices;
  const user = { ...rest, username, email, password };
  await freeName(app, choices);
  const registered = await app.api.post<{ id: string }>('/api/v1/auth/register', { json: user });
  if (registered.status !== 201) throw new Error(`Registering answered ${JSON.stringify(registered.body)}`);
  const token = await signIn(app, username, password);
  return { id: registered.body.id, username, email, password, token };
}

/** Signs in with a password and returns the access token. */
export async function signIn(app: Pick<TestApp, 'api'>, username: string, password: string): Promise<string> {
  const login = await app.api.post<{ access_token?: string }>('/api/v1/auth/login', { json: { username, password } });
  const token = login.body.access_token;
  if (!token) throw new Error(`Signing in answered ${JSON.stringify(login.body)}`);
  return token;
}

/** Registers an account over HTTP, makes it an admin and signs it in. */
export async function signUpAdmin(app: TestApp, choices: SignUpChoices = {}): Promise<Account> {
  const account = await signUp(app, choices);
  await app.database.rows(`UPDATE users SET role = 'admin' WHERE id = $1`, [account.id]);
  return account;
}

/** Writes an account with its cart straight into the database, with no usable password, and issues its token. */
export async function insertUser(app: TestApp, choices: InsertChoices = {}): Promise<InsertedUser> {
  const id = uuidV7(); // ascends, so accounts of one millisecond are listed in their order
  const { username = newUsername(), role = 'user', account_credit = 0, can_be_deleted = true } = choices;
  const { email = `${username}@example.com`, created_at = new Date() } = choices;
  const { first_name = null, last_name = null, avatar_url = null, bio = null } = choices;
  await freeName(app, choices);
  await app.database.rows(
    `WITH account AS (
       INSERT INTO users (id, username, email, password_hash, first_name, last_name, avatar_url, bio, role,
                          account_credit, can_be_deleted, created_at)
       VALUES ($1, $2, $3, 'none', $4, $5, $6, $7, $8, $9, $10, $11)
       RETURNING id)
     INSERT INTO carts (user_id) SELECT id FROM account`,
    [
      id,
      username,
      email,
      first_name,
      last_name,
      avatar_url,
      bio,
      role,
      account_credit,
      can_be_deleted,
      created_at.toISOString(),
    ],
  );
  const token = await app.nest.get(AccessTokens).issue(id, 0, { authenticatedAt: Date.now() / 1_000 });
  return { id, username, email, token };
}

/** An admin, written straight into the database. */
export function insertAdmin(app: TestApp, choices: InsertChoices = {}): Promise<InsertedUser> {
  return insertUser(app, { ...choices, role: 'admin' });
}
