import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { Role } from '../../platform/auth/caller.js';
import { Database, statement } from '../../database/database.js';
import type { MailedAccount } from '../account-mail/account-mails.js';
import { FilteredStatement } from '../../database/filtered-statement.js';
import { customerId, customerJson, writeEventsSql } from '../events/store-events.statements.js';
import { searchedAccounts, searchedPeople } from './name-search.statements.js';
import { UserEntity } from './user.entity.js';
import { type User, type UserProfile, type UserPublic, type UserSort, userSorts } from './users.dto.js';

export const userColumns =
  'username, email, id, created_at, role, role_source, first_name, last_name, avatar_url, bio, account_credit, referral_count, ' +
  'totp_enabled, can_be_deleted, email_verified, suspended_at IS NOT NULL AS suspended';

const byId = statement('users.by-id', `SELECT ${userColumns} FROM users WHERE id = $1 AND deleted_at IS NULL`);

const lock = statement(
  'users.lock-profile',
  `SELECT ${userColumns} FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

/** Only the index finds the page, and only the page's rows are read. */
const listed =
  '(SELECT id, created_at FROM users WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT $2)';

const publicPage = statement(
  'users.public-page',
  `SELECT u.id, u.username FROM ${listed} AS page JOIN users u USING (id) ORDER BY page.created_at DESC, id DESC`,
);

const page = statement(
  'users.page',
  `SELECT ${userColumns} FROM users JOIN ${listed} AS page USING (id, created_at) ORDER BY created_at DESC, id DESC`,
);

const conditions = {
  search: (value: string) => `id = ANY (ARRAY(${searchedAccounts(value)}))`,
  role: (value: string) => `role = ${value}`,
};

const orderBy: Record<UserSort, string> = {
  '-created_at': 'created_at DESC, id DESC',
  created_at: 'created_at, id',
  username: 'lower(username)',
  '-username': 'lower(username) DESC',
};

const foundPageBy = (sort: UserSort) =>
  new FilteredStatement(
    `users.found.${sort}`,
    conditions,
    (where) => `
  SELECT ${userColumns}
    FROM users WHERE deleted_at IS NULL${where} ORDER BY ${orderBy[sort]} OFFSET $1 LIMIT $2`,
  );
export const foundPages = Object.fromEntries(userSorts.map((sort) => [sort, foundPageBy(sort)])) as Record<
  UserSort,
  ReturnType<typeof foundPageBy>
>;

export const countFound = new FilteredStatement(
  'users.count-found',
  conditions,
  (where) => `SELECT count(*)::integer AS count FROM users WHERE deleted_at IS NULL${where}`,
);

/** One statement makes both the account and its cart, or neither. */
const insert = statement(
  'users.insert',
  `WITH account AS (
     INSERT INTO users (id, username, email, password_hash, first_name, last_name, avatar_url, bio, role, can_be_deleted, email_verified)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     RETURNING ${userColumns}),
   cart AS (INSERT INTO carts (user_id) SELECT id FROM account),
   ${writeEventsSql(`
     SELECT 'customer.created', u.id, jsonb_build_object('customer', ${customerId('u.id')}), ${customerJson()}
       FROM account u WHERE u.role = 'user'`)}
   SELECT * FROM account`,
);

const addReferral = statement(
  'users.add-referral',
  `UPDATE users SET referral_count = referral_count + 1 WHERE lower(username) = $1 AND deleted_at IS NULL`,
);

const lockEmail = statement(
  'users.lock-email',
  `SELECT email, email_verified, former_email FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

const lockByEmail = statement(
  'users.lock-by-email',
  `SELECT id, username, CASE WHEN lower(email) = $1 THEN email ELSE former_email END AS email,
          lower(email) <> $1 OR email_verified AS is_confirmed
     FROM users
    WHERE (lower(email) = $1 OR lower(former_email) = $1) AND deleted_at IS NULL
    ORDER BY is_confirmed DESC LIMIT 1
      FOR NO KEY UPDATE`,
);

const confirmEmail = statement(
  'users.confirm-email',
  `UPDATE users SET email_verified = true, former_email = NULL
    WHERE id = $1 AND lower(email) = $2 AND deleted_at IS NULL`,
);

/** Whoever followed the link reads the mails to the address. */
const restoreEmail = statement(
  'users.restore-email',
  `UPDATE users SET email = $2, email_verified = true, former_email = NULL
    WHERE id = $1 AND deleted_at IS NULL
    RETURNING ${userColumns}`,
);

export interface LockedEmail {
  email: string;
  email_verified: boolean;
  /** The confirmed address from before, while this one is not. */
  former_email: string | null;
}

/** An account by an address that it has, or had when it was last confirmed. */
export interface AddressedAccount extends MailedAccount {
  is_confirmed: boolean;
}

/** An address that is confirmed stays so, and so does the confirmed one from before when it returns. */
const stillVerified = `
  email_verified AND lower(email) = lower(:email) OR coalesce(lower(former_email) = lower(:email), false)`;
const formerConfirmed = `
  CASE WHEN lower(email) = lower(:email) THEN former_email
       WHEN email_verified THEN email
       WHEN lower(former_email) <> lower(:email) THEN former_email END`;

/** An account to be made; its password is already hashed. */
export interface NewAccount extends UserProfile {
  /** A new one where none is given. */
  id?: string | undefined;
  username: string;
  email: string;
  passwordHash: string;
  role?: Role;
  canBeDeleted?: boolean;
  /** Whether somebody whom the shop trusts has confirmed the address. */
  emailVerified?: boolean;
}

/** The filters of the administration's list of accounts. */
interface FoundAccounts {
  search?: string;
  role?: Role;
}

const searchedOf = (search: string | undefined) => (search === undefined ? undefined : searchedPeople(search));

@Injectable()
export class UsersRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
  ) {}

  byId(id: string): Promise<User | null> {
    return this.database.shortReadOfRow<User>(byId, [id]);
  }

  /** An account, or null; locks it until the unit of work ends. */
  lock(id: string): Promise<User | null> {
    return this.database.row<User>(lock, [id]);
  }

  publicPage(skip: number, limit: number): Promise<UserPublic[]> {
    return this.database.rows<UserPublic>(publicPage, [skip, limit]);
  }

  count(): Promise<number> {
    return this.users.countBy({ deletedAt: IsNull() });
  }

  page(skip: number, limit: number): Promise<User[]> {
    return this.database.rows<User>(page, [skip, limit]);
  }

  /** A page of the accounts of somebody who is searched for, or with a role. */
  foundPage(skip: number, limit: number, { search, role }: FoundAccounts, sort: UserSort): Promise<User[]> {
    const { statement: sql, values } = foundPages[sort].of([skip, limit], { search: searchedOf(search), role });
    // Any order but the usual one is planned for its page: a generic plan may sort all accounts.
    return this.database.rows<User>(sort === '-created_at' ? sql : sql.text, values);
  }

  async countFound({ search, role }: FoundAccounts): Promise<number> {
    const { statement: sql, values } = countFound.of([], { search: searchedOf(search), role });
    return (await this.database.one<{ count: number }>(sql, values)).count;
  }

  insert(newAccount: NewAccount): Promise<User> {
    const { id = randomUUID(), username, email, passwordHash, role = 'user', canBeDeleted = true } = newAccount;
    const { first_name = null, last_name = null, avatar_url = null, bio = null, emailVerified = false } = newAccount;
    const account = [id, username, email, passwordHash, first_name, last_name, avatar_url, bio];
    return this.database.one<User>(insert, [...account, role, canBeDeleted, emailVerified]);
  }

  /** Counts a referral for the account of that name; returns whether there is one. */
  async addReferral(username: string): Promise<boolean> {
    return (await this.database.execute(addReferral, [username.toLowerCase()])) > 0;
  }

  /**
   * Changes an account and returns it, or null if there is none. A new address is unconfirmed, and keeps the one
   * before.
   */
  async update(id: string, changes: Partial<UserEntity>): Promise<User | null> {
    const { email } = changes;
    const { raw } = await this.users
      .createQueryBuilder()
      .update()
      .set(
        email === undefined
          ? changes
          : { ...changes, emailVerified: () => stillVerified, formerEmail: () => formerConfirmed },
      )
      .where({ id, deletedAt: IsNull() })
      .setParameters(email === undefined ? {} : { email })
      .returning(userColumns)
      .execute();
    return (raw as User[])[0] ?? null;
  }

  /** The address of an account; locks it until the unit of work ends. */
  lockEmail(id: string): Promise<LockedEmail | null> {
    return this.database.row<LockedEmail>(lockEmail, [id]);
  }

  /** The account of an address; locks it until the unit of work ends. */
  lockByEmail(email: string): Promise<AddressedAccount | null> {
    return this.database.row<AddressedAccount>(lockByEmail, [email.toLowerCase()]);
  }

  /** Marks the account's address, if it is still this one, as its owner's; returns whether it is. */
  async confirmEmail(id: string, email: string): Promise<boolean> {
    return (await this.database.execute(confirmEmail, [id, email.toLowerCase()])) > 0;
  }

  /** Sets the account's address back to one that its owner has just shown to read. */
  restoreEmail(id: string, email: string): Promise<User | null> {
    return this.database.row<User>(restoreEmail, [id, email]);
  }

  async setAvatar(id: string, avatarUrl: string): Promise<void> {
    await this.users.update({ id, deletedAt: IsNull() }, { avatarUrl });
  }

  /** Empties an account's avatar if it is still this one. */
  async clearAvatar(id: string, avatarUrl: string): Promise<void> {
    await this.users.update({ id, avatarUrl }, { avatarUrl: null });
  }
}
