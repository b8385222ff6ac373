import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { UserEntity } from './user.entity.js';
import type { User, UserPublic } from './users.shapes.js';

export const userColumns =
  'username, email, id, created_at, role, first_name, last_name, avatar_url, bio, account_credit, referral_count, ' +
  'totp_enabled, can_be_deleted';

const byId = statement('users.by-id', `SELECT ${userColumns} FROM users WHERE id = $1 AND deleted_at IS NULL`);

/** The pages are counted off on the index of ids; only their own rows are read. */
const listed =
  '(SELECT id, created_at FROM users WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT $2)';

const publicPage = statement(
  'users.public-page',
  `SELECT u.id, u.username FROM ${listed} AS page JOIN users u USING (id) ORDER BY page.created_at DESC, id DESC`,
);

const count = statement('users.count', `SELECT count(*)::integer AS count FROM users WHERE deleted_at IS NULL`);

const page = statement(
  'users.page',
  `SELECT ${userColumns} FROM users JOIN ${listed} AS page USING (id, created_at) ORDER BY created_at DESC, id DESC`,
);

/** The cart is made with the account: either both are there, or neither. */
const insert = statement(
  'users.insert',
  `WITH account AS (
     INSERT INTO users (id, username, email, password_hash, first_name, last_name, avatar_url, bio, role, can_be_deleted)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     RETURNING ${userColumns}),
   cart AS (INSERT INTO carts (user_id) SELECT id FROM account)
   SELECT * FROM account`,
);

const addReferral = statement(
  'users.add-referral',
  `UPDATE users SET referral_count = referral_count + 1 WHERE lower(username) = $1 AND deleted_at IS NULL`,
);

export type NewUser = Pick<UserEntity, 'id' | 'username' | 'email' | 'passwordHash' | 'role' | 'canBeDeleted'> &
  Pick<UserEntity, 'firstName' | 'lastName' | 'avatarUrl' | 'bio'>;

@Injectable()
export class UsersRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  byId(id: string): Promise<User | null> {
    return this.database.row<User>(byId, [id]);
  }

  publicPage(skip: number, limit: number): Promise<UserPublic[]> {
    return this.database.rows<UserPublic>(publicPage, [skip, limit]);
  }

  async count(): Promise<number> {
    return (await this.database.one<{ count: number }>(count)).count;
  }

  page(skip: number, limit: number): Promise<User[]> {
    return this.database.rows<User>(page, [skip, limit]);
  }

  insert(user: NewUser): Promise<User | null> {
    return this.database.row<User>(insert, [
      user.id,
      user.username,
      user.email,
      user.passwordHash,
      user.firstName,
      user.lastName,
      user.avatarUrl,
      user.bio,
      user.role,
      user.canBeDeleted,
    ]);
  }

  /** Counts a referral for the account of that name; answers whether there is one. */
  async addReferral(username: string): Promise<boolean> {
    return (await this.database.execute(addReferral, [username.toLowerCase()])) > 0;
  }

  /** Changes an account and answers it, or null where there is none. */
  async update(id: string, changes: Partial<UserEntity>): Promise<User | null> {
    const result = await this.unitOfWork.manager
      .createQueryBuilder()
      .update(UserEntity)
      .set(changes)
      .where('id = :id AND deleted_at IS NULL', { id })
      .returning(userColumns)
      .execute();
    const rows: User[] = result.raw;
    return rows[0] ?? null;
  }
}
